import { type Kysely, sql, type Transaction } from 'kysely'
import { invalidInput, notFound } from '../../core/errors.ts'
import { plannedEachTime, statementOf, tableOf, workspaceRead } from '../../db/prepared.ts'
import type { Database } from '../../db/schema.ts'
import { changedUses, recordChange } from './counters.ts'
import { commitHereFirst, upserts } from './feed.ts'

/* Raw SQL: each statement serves several tables, by their names. */

/** The fields of writes that hold ids of rows, and the tables of those rows. */
const namedTables = {
  logoImageId: 'media',
  imageId: 'media',
  imageIds: 'media',
  tagIds: 'tags',
  productIds: 'products',
} as const
const namingFields = Object.keys(namedTables) as (keyof typeof namedTables)[]

type NamedIds = Partial<Record<keyof typeof namedTables, readonly string[] | string | null>>

/**
 * Refuses ids that are not in this workspace, naming their field. Locks the rows against deletion
 * until the transaction ends; other users of the rows are not blocked.
 */
export async function requireInWorkspace(
  trx: Transaction<Database>,
  workspaceId: string,
  named: NamedIds,
): Promise<void> {
  const asked = namingFields
    .map((field) => ({ field, ids: [named[field] ?? []].flat() }))
    .filter(({ ids }) => ids.length > 0)
  if (asked.length === 0) return
  const held = asked.map(
    ({ field, ids }) => sql`array(select id from ${tableOf(namedTables[field])}
      where workspace_id = ${workspaceId} and id = any(${ids}) order by id for key share)
      as ${sql.ref(field)}`,
  )
  const { rows } = await sql<Record<string, string[]>>`select ${sql.join(held)}`.execute(trx)
  for (const { field, ids } of asked) requireKnown(field, ids, rows[0]![field]!)
}

/** The ids that the workspace has, in the given order. */
export async function findKnown(
  db: Kysely<Database>,
  workspaceId: string,
  table: 'media' | 'tags',
  ids: readonly string[],
): Promise<string[]> {
  const rows = await db
    .selectFrom(table)
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', [...ids, ''])
    .execute()
  const known = new Set(rows.map(({ id }) => id))
  return ids.filter((id) => known.has(id))
}

/** Refuses the first id that the workspace does not have. */
export function requireKnown(field: string, ids: readonly string[], existing: string[]): void {
  const unknown = ids.find((id) => !existing.includes(id))
  if (unknown !== undefined) throw invalidInput({ [field]: ['notInWorkspace', { id: unknown }] })
}

const nouns = { tags: 'tag', products: 'product', collections: 'collection' } as const

const finderOf = (table: keyof typeof nouns, isKept: boolean) =>
  statementOf(`find ${table} ${isKept}`, () =>
    workspaceRead<{ workspaceId: string; id: string }>()(
      plannedEachTime,
      (_db, parameter) => sql`select from ${tableOf(table)}
        where id = ${parameter('id')} and workspace_id = ${parameter('workspaceId')}
        ${isKept ? sql`for key share` : sql``}`,
    ),
  )

/**
 * Refuses a path id that is not in this workspace, with 404. For a write, the row is locked until the
 * transaction ends.
 */
export async function requireRow(
  db: Kysely<Database>,
  workspaceId: string,
  table: keyof typeof nouns,
  id: string,
): Promise<void> {
  const find = finderOf(table, db.isTransaction)
  const [row] = await find(db, { workspaceId, id })
  if (!row) throw notFound(nouns[table])
}

/**
 * Locks images whose use counts a write will change, in id order, so that two writers with the same images
 * cannot deadlock. Taken after every unique value: the holder then waits only for the counters, and others
 * wait for it only briefly. Taken before any link is deleted, because a call that deletes an image holds it
 * and waits for its links.
 */
export async function lockImages(
  trx: Transaction<Database>,
  workspaceId: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  await sql`select id from ${tableOf('media')} where workspace_id = ${workspaceId} and id = any(${ids})
    order by id for no key update`.execute(trx)
}

/** Locks the website, which serializes changes of its values and the deletion of its logo. */
export async function lockWebsite(trx: Transaction<Database>, workspaceId: string): Promise<void> {
  await trx
    .selectFrom('websites')
    .select('workspace_id')
    .where('workspace_id', '=', workspaceId)
    .forNoKeyUpdate()
    .execute()
}

/** Records a change of the website, and counts the uses of its logo. */
export async function recordWebsite(
  trx: Transaction<Database>,
  workspaceId: string,
  before: { logoImageId: string | null },
  after: { logoImageId: string | null },
  now: Date,
): Promise<void> {
  const logosOf = ({ logoImageId }: typeof before) => (logoImageId === null ? [] : [logoImageId])
  const uses = changedUses(logosOf(before), logosOf(after))
  await lockImages(trx, workspaceId, [...uses.keys()])
  const entries = upserts('WEBSITE', [workspaceId])
  await commitHereFirst(trx)
  await recordChange(trx, workspaceId, { images: uses, entries }, now)
}
