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
  return (await listUnreferenced(db, [key])).length === 0
}

/** Those of the keys that no row refers to. */
export async function listUnreferenced(db: Kysely<Database>, keys: string[]): Promise<string[]> {
  const files = keys.map((key) => ({ key, path: key.split('.')[0]! }))
  const [workspaces, hashes] = [0, 1].map((part) => files.map(({ path }) => path.split('/')[part]))
  const { rows } = await sql<{ path: string }>`
    select distinct workspace_id || '/' || content_hash as path from media
    where workspace_id = any(${workspaces}) and content_hash = any(${hashes})`.execute(db)
  const referenced = new Set(rows.map(({ path }) => path))
  return files.flatMap(({ key, path }) => (referenced.has(path) ? [] : key))
}
