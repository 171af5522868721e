import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'

/**
 * A row implies that its file exists, and no transaction waits for the store. A file is written
 * before its row. It is removed after a mark was committed that no row refers to it. A row is only
 * added if its file was not being removed since it was written. Adding the row takes a shared lock
 * on the key, marking it an exclusive one, so that one sees the other.
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

export async function isReferenced(db: Kysely<Database>, key: string): Promise<boolean> {
  const { workspaceId, contentHash } = partsOf(key)
  const row = await db
    .selectFrom('media')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('content_hash', '=', contentHash)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** A file lies in the folder of its workspace, under the hash of its content. */
function partsOf(key: string): { workspaceId: string; contentHash: string } {
  const [workspaceId = '', contentHash = ''] = key.split('.')[0]!.split('/')
  return { workspaceId, contentHash }
}

/** Those of the keys that no row refers to. The keys may be of any number of workspaces. */
export async function listUnreferenced(db: Kysely<Database>, keys: string[]): Promise<string[]> {
  const files = keys.map((key) => ({ key, ...partsOf(key) }))
  const rows = await db
    .selectFrom('media')
    .select(['workspace_id', 'content_hash'])
    .distinct()
    .where(sql<boolean>`workspace_id = any(${files.map(({ workspaceId }) => workspaceId)})`)
    .where(sql<boolean>`content_hash = any(${files.map(({ contentHash }) => contentHash)})`)
    .execute()
  const referenced = new Set(rows.map((row) => `${row.workspace_id}/${row.content_hash}`))
  const isOrphan = (file: { workspaceId: string; contentHash: string }) =>
    !referenced.has(`${file.workspaceId}/${file.contentHash}`)
  return files.filter(isOrphan).map(({ key }) => key)
}

/** The hash of a workspace's content that begins like this, in hexadecimal digits. */
export async function findContentHash(
  db: Kysely<Database>,
  workspaceId: string,
  beginning: string,
): Promise<string | undefined> {
  const media = await db
    .selectFrom('media')
    .select('content_hash')
    .where('workspace_id', '=', workspaceId)
    // No digit is greater than `f`, so this range is an index scan for the beginning.
    .where('content_hash', '>=', beginning)
    .where('content_hash', '<', `${beginning}g`)
    .limit(1)
    .executeTakeFirst()
  return media?.content_hash
}

/** The database's time, which all services share. */
export async function getDatabaseTime(db: Kysely<Database>): Promise<string> {
  const { rows } = await sql<{ now: string }>`select clock_timestamp() as now`.execute(db)
  return rows[0]!.now
}

/** Whoever marked a file two minutes ago does not remove it any more. */
const isUnfinished = sql`(finished_at is null
  and marked_at > clock_timestamp() - interval '2 minutes')`

/** Whether the file was being removed at any time since then. */
export async function isRemovedSince(
  trx: Transaction<Database>,
  key: string,
  since: string,
): Promise<boolean> {
  const { workspaceId } = partsOf(key)
  const { rows } = await sql<{ removed: boolean }>`select exists (
    select from media_removals where workspace_id = ${workspaceId} and file_key = ${key}
      and (finished_at >= ${since}::timestamptz or ${isUnfinished})) as removed`.execute(trx)
  return rows[0]!.removed
}

/** Whether the file is being removed now. */
export async function isBeingRemoved(db: Kysely<Database>, key: string): Promise<boolean> {
  const { workspaceId } = partsOf(key)
  const { rows } = await sql<{ removing: boolean }>`select exists (
    select from media_removals where workspace_id = ${workspaceId} and file_key = ${key}
      and ${isUnfinished}) as removing`.execute(db)
  return rows[0]!.removing
}

/** Says that the file is being removed. The transaction holds its key, and has found no row. */
export async function markRemoval(trx: Transaction<Database>, key: string): Promise<void> {
  const { workspaceId } = partsOf(key)
  await sql`insert into media_removals (workspace_id, file_key, marked_at)
    values (${workspaceId}, ${key}, clock_timestamp())
    on conflict on constraint media_removals_pkey
    do update set marked_at = clock_timestamp(), finished_at = null`.execute(trx)
}

export async function finishRemoval(db: Kysely<Database>, key: string): Promise<void> {
  const { workspaceId } = partsOf(key)
  await sql`update media_removals set finished_at = clock_timestamp()
    where workspace_id = ${workspaceId} and file_key = ${key}`.execute(db)
}

/** Deletes marks that no upload in progress can ask for any more. */
export async function deleteOldRemovals(db: Kysely<Database>): Promise<void> {
  await sql`delete from media_removals
    where marked_at < clock_timestamp() - interval '1 hour'`.execute(db)
}
