import { type Kysely, sql, type Transaction } from 'kysely'
import { prepared } from '../../db/prepared.ts'
import type { Database } from '../../db/schema.ts'
import type { PictureState } from '../../db/schema/media.ts'

/* Raw SQL: locks on what is no row, and a hot read of two tables by ranges. */

/**
 * If there is a row, its file exists, and no transaction waits for the store. A file is written before its
 * row, and removed after a mark was committed while no row refers to it. A row is only added if its file
 * was not being removed since it was written. Adding the row takes a shared lock on the key, marking it an
 * exclusive one, so that each sees the other.
 */
export async function holdKey(
  trx: Transaction<Database>,
  key: string,
  purpose: 'to refer' | 'to remove',
): Promise<void> {
  const name = sql`hashtextextended(${`media ${key}`}, 0)`
  if (purpose === 'to refer') await sql`select pg_advisory_xact_lock_shared(${name})`.execute(trx)
  else await sql`select pg_advisory_xact_lock(${name})`.execute(trx)
}

/**
 * Whether a row refers to the file, or it is kept. One statement checks both, because a replacement moves
 * the file from one to the other.
 */
export async function isReferenced(db: Kysely<Database>, key: string): Promise<boolean> {
  const { workspaceId, contentHash } = partsOf(key)
  const rows = await db
    .selectFrom('media')
    .select('media.content_hash')
    .where('media.workspace_id', '=', workspaceId)
    .where('media.content_hash', '=', contentHash)
    .unionAll(
      db
        .selectFrom('kept_media_files as kept')
        .select('kept.content_hash')
        .where('kept.workspace_id', '=', workspaceId)
        .where('kept.content_hash', '=', contentHash),
    )
    .limit(1)
    .execute()
  return rows.length > 0
}

/** A file lies in the folder of its workspace, under the hash of its content. */
function partsOf(key: string): { workspaceId: string; contentHash: string; extension: string } {
  const [workspaceId = '', name = '', extension = ''] = key.split(/[/.]/)
  // A smaller file has the hash of its picture, and its width.
  const [contentHash = ''] = name.split('-')
  return { workspaceId, contentHash, extension }
}

/** The keys that no row refers to and that are not kept. They may be of any number of workspaces. */
export async function listUnreferenced(db: Kysely<Database>, keys: string[]): Promise<string[]> {
  const files = keys.map((key) => ({ key, ...partsOf(key) }))
  const workspaceIds = files.map(({ workspaceId }) => workspaceId)
  const hashes = files.map(({ contentHash }) => contentHash)
  const referenced = new Set<string>()
  // The rows first: a file replaced in between is then found among the kept ones.
  for (const table of ['media', 'kept_media_files'] as const) {
    const rows = await db
      .selectFrom(table)
      .select(['workspace_id', 'content_hash'])
      .distinct()
      .where(sql<boolean>`workspace_id = any(${workspaceIds})`)
      .where(sql<boolean>`content_hash = any(${hashes})`)
      .execute()
    for (const row of rows) referenced.add(`${row.workspace_id}/${row.content_hash}`)
  }
  const isOrphan = (file: { workspaceId: string; contentHash: string }) =>
    !referenced.has(`${file.workspaceId}/${file.contentHash}`)
  return files.filter(isOrphan).map(({ key }) => key)
}

/** Keys of files that rows refer to or keep, in order, starting after the given key. */
export async function listFilesAfter(
  db: Kysely<Database>,
  after: string,
  limit: number,
): Promise<string[]> {
  const { workspaceId, contentHash } = partsOf(after)
  const filesOf = (table: 'media' | 'kept_media_files') =>
    db
      .selectFrom(table)
      .select(['workspace_id', 'content_hash', 'extension'])
      .where(sql<boolean>`(workspace_id, content_hash) > (${workspaceId}, ${contentHash})`)
  const rows = await filesOf('media')
    .union(filesOf('kept_media_files'))
    .orderBy('workspace_id')
    .orderBy('content_hash')
    .limit(limit)
    .execute()
  return rows.map((row) => `${row.workspace_id}/${row.content_hash}.${row.extension}`)
}

const findServed = prepared<{ workspaceId: string; from: string; before: string; now: Date }>()(
  'find_media_file',
  (_db, parameter) => {
    const isWanted = (table: string) => sql<boolean>`
      ${sql.ref(`${table}.workspace_id`)} = ${parameter('workspaceId')}
      and ${sql.ref(`${table}.content_hash`)} >= ${parameter('from')}
      and ${sql.ref(`${table}.content_hash`)} < ${parameter('before')}`
    return sql<ServedFile>`
      select content_hash as hash, extension, width, variants from media where ${isWanted('media')}
      union all
      select kept.content_hash, kept.extension, null, 0 from kept_media_files kept
        join media on media.workspace_id = kept.workspace_id and media.id = kept.media_id
        where ${isWanted('kept')} and kept.kept_until > ${parameter('now')}
      limit 1`
  },
)

/** A file that may be served. */
export interface ServedFile {
  hash: string
  extension: string
  /** The width of the picture; null if it is not known. */
  width: number | null
  variants: PictureState
}

/**
 * The workspace's content whose hash begins with these hexadecimal digits. Replaced content is found as
 * long as it is kept and its item exists.
 */
export async function findServedFile(
  db: Kysely<Database>,
  workspaceId: string,
  beginning: string,
  now: Date,
): Promise<ServedFile | undefined> {
  // No digit is greater than `f`, so this range is an index scan for the prefix.
  const range = { from: beginning, before: `${beginning}g` }
  const [found] = await findServed(db, { workspaceId, ...range, now })
  return found
}

/** Keeps the file of an item's content that is being replaced. The transaction has locked the item. */
export async function keepFile(
  trx: Transaction<Database>,
  { key, mediaId }: { key: string; mediaId: string },
  until: Date,
): Promise<void> {
  const { workspaceId, contentHash, extension } = partsOf(key)
  await trx
    .insertInto('kept_media_files')
    .values({
      workspace_id: workspaceId,
      media_id: mediaId,
      content_hash: contentHash,
      extension,
      kept_until: until,
    })
    .onConflict((conflict) =>
      conflict.constraint('kept_media_files_key').doUpdateSet({ kept_until: until }),
    )
    .execute()
}

/** Stops keeping an item's files; returns their keys. */
export async function deleteKeptFiles(
  trx: Transaction<Database>,
  workspaceId: string,
  mediaId: string,
): Promise<string[]> {
  const rows = await trx
    .deleteFrom('kept_media_files')
    .where('workspace_id', '=', workspaceId)
    .where('media_id', '=', mediaId)
    .returning(['content_hash', 'extension'])
    .execute()
  return rows.map((row) => `${workspaceId}/${row.content_hash}.${row.extension}`)
}

const databaseTime = sql<string>`clock_timestamp()`

/** The database's time, which all services share. */
export async function getDatabaseTime(db: Kysely<Database>): Promise<string> {
  const { now } = await db.selectNoFrom(databaseTime.as('now')).executeTakeFirstOrThrow()
  return now
}

/** A process that marked a file more than two minutes ago does not remove it any more. */
const isUnfinished = sql<boolean>`(finished_at is null
  and marked_at > clock_timestamp() - interval '2 minutes')`

/** Whether the file was being removed at any time since then. */
export async function isRemovedSince(
  trx: Transaction<Database>,
  key: string,
  since: string,
): Promise<boolean> {
  const { workspaceId } = partsOf(key)
  const removal = await trx
    .selectFrom('media_removals')
    .select('file_key')
    .where('workspace_id', '=', workspaceId)
    .where('file_key', '=', key)
    .where((eb) =>
      eb.or([eb('finished_at', '>=', sql<string>`${since}::timestamptz`), isUnfinished]),
    )
    .executeTakeFirst()
  return removal !== undefined
}

/** Whether the file is being removed now. */
export async function isBeingRemoved(db: Kysely<Database>, key: string): Promise<boolean> {
  const { workspaceId } = partsOf(key)
  const removal = await db
    .selectFrom('media_removals')
    .select('file_key')
    .where('workspace_id', '=', workspaceId)
    .where('file_key', '=', key)
    .where(isUnfinished)
    .executeTakeFirst()
  return removal !== undefined
}

/** Marks the file as being removed. The transaction holds its key, and has found no row. */
export async function markRemoval(trx: Transaction<Database>, key: string): Promise<void> {
  const { workspaceId } = partsOf(key)
  await trx
    .insertInto('media_removals')
    .values({ workspace_id: workspaceId, file_key: key, marked_at: databaseTime })
    .onConflict((on) =>
      on
        .constraint('media_removals_pkey')
        .doUpdateSet({ marked_at: databaseTime, finished_at: null }),
    )
    .execute()
}

export async function finishRemoval(db: Kysely<Database>, key: string): Promise<void> {
  const { workspaceId } = partsOf(key)
  await db
    .updateTable('media_removals')
    .set({ finished_at: databaseTime })
    .where('workspace_id', '=', workspaceId)
    .where('file_key', '=', key)
    .execute()
}

/** Deletes marks that no upload in progress needs any more. */
export async function deleteOldRemovals(db: Kysely<Database>): Promise<void> {
  await db
    .deleteFrom('media_removals')
    .where('marked_at', '<', sql<string>`clock_timestamp() - interval '1 hour'`)
    .execute()
}
