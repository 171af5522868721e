import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'

/**
 * A row implies that its file exists. Adding the row of a key takes a shared lock on the key,
 * removing its file an exclusive one. So a file is never removed between the query that found no
 * row and a concurrent insert.
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
