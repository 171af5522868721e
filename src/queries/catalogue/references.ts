import { type Kysely, sql, type Transaction } from 'kysely'
import { invalidInput, notFound } from '../../core/errors.ts'
import type { Database } from '../../db/schema.ts'

/**
 * Refuses ids that are not rows of this workspace, naming the field they came in. Nobody deletes
 * the rows until the transaction ends; others who use them too are not held up.
 */
export async function requireInWorkspace(
  trx: Transaction<Database>,
  workspaceId: string,
  table: 'media' | 'tags',
  field: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(table)}
    where workspace_id = ${workspaceId} and id = any(${ids}) order by id for key share`.execute(trx)
  requireKnown(
    field,
    ids,
    rows.map((row) => row.id),
  )
}

/** Refuses the first of the ids that is not among those which the workspace knows. */
export function requireKnown(field: string, ids: readonly string[], known: string[]): void {
  const unknown = ids.find((id) => !known.includes(id))
  if (unknown !== undefined) throw invalidInput({ [field]: ['notInWorkspace', { id: unknown }] })
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

/**
 * Locks images that a write will count up or down, in the order of their ids, so that two writers
 * with the same images do not wait for each other. Whoever has them waits for nothing any more but
 * the counters: they come after every unique value, and others wait for a short time.
 */
export async function lockImages(
  trx: Transaction<Database>,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  await sql`select id from media where id = any(${ids}) order by id for no key update`.execute(trx)
}
