import { type Kysely, sql, type Transaction } from 'kysely'
import { invalidInput, notFound } from '../core/errors.ts'
import type { Database } from '../db/schema.ts'

/**
 * Refuses ids that are not rows of this workspace, naming the field they came in, and holds the
 * rows until the transaction ends. They are locked in the order of their ids, so that two writers
 * with the same ids in different orders do not wait for each other.
 */
export async function requireInWorkspace(
  trx: Transaction<Database>,
  workspaceId: string,
  table: 'media' | 'tags',
  field: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  // An image's use count changes with the write; a tag must only not disappear.
  const lock = table === 'media' ? sql`for no key update` : sql`for key share`
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(table)}
    where workspace_id = ${workspaceId} and id = any(${ids}) order by id ${lock}`.execute(trx)
  const known = new Set(rows.map((row) => row.id))
  const unknown = ids.find((id) => !known.has(id))
  if (unknown !== undefined)
    throw invalidInput({ [field]: `There is no ${unknown} in this workspace.` })
}

const nouns = { tags: 'tag', products: 'product', collections: 'collection' } as const

/** Refuses with 404 an id of a path that is no row of this workspace. */
export async function requireRow(
  db: Kysely<Database>,
  workspaceId: string,
  table: keyof typeof nouns,
  id: string,
): Promise<void> {
  const { rows } = await sql`select from ${sql.table(table)}
    where id = ${id} and workspace_id = ${workspaceId} for key share`.execute(db)
  if (rows.length === 0) throw notFound(nouns[table])
}

/** Locks images that a write will count up or down, in the order of their ids. */
export async function lockImages(
  trx: Transaction<Database>,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  await sql`select id from media where id = any(${ids}) order by id for no key update`.execute(trx)
}
