import { type Kysely, sql, type Transaction } from 'kysely'
import { type PageRequest, stretchOf } from '../../core/paging.ts'
import type { KeptOfProduct, RowEffect, RowError } from '../../db/schema/change_sets.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import { conditionsOf, filterValuesOf, type ProductFilters } from '../catalogue/product_filters.ts'

type Schemas = components['schemas']
type ProductRow = Schemas['ProductRow']

/* Raw SQL: rows are written many at once, from JSON or from the list of products. */

/** A set of a workspace. */
export interface SetKey {
  workspaceId: string
  id: string
}

/** Some rows of a set, as many as one statement writes. */
export interface SetSlice extends SetKey {
  from: number
  to: number
}

/** The rows of a set, or of a slice of it. */
export const ofSet = (key: SetKey | SetSlice, alias = 'r') => {
  const column = (name: string) => sql.ref(`${alias}.${name}`)
  const whole = sql<boolean>`${column('workspace_id')} = ${key.workspaceId}
    and ${column('change_set_id')} = ${key.id}`
  if (!('from' in key)) return whole
  return sql<boolean>`${whole} and ${column('number')} >= ${key.from}
    and ${column('number')} < ${key.to}`
}

/** How many rows are written at once: with the longest texts, some 300 MB. */
const rowsOfSlice = 500

/** A set in slices, so that the time and memory of a statement do not grow with the set. */
export async function listSlices(db: Kysely<Database>, key: SetKey): Promise<SetSlice[]> {
  const { count } = await db
    .selectFrom('change_set_rows as r')
    .select(sql<number>`coalesce(max(r.number) + 1, 0)`.as('count'))
    .where(ofSet(key))
    .executeTakeFirstOrThrow()
  const slices = Math.ceil(count / rowsOfSlice)
  return Array.from({ length: slices }, (_, slice) => ({
    ...key,
    from: slice * rowsOfSlice,
    to: (slice + 1) * rowsOfSlice,
  }))
}

export async function insertRows(
  trx: Transaction<Database>,
  { workspaceId, id }: SetKey,
  rows: ProductRow[],
): Promise<number> {
  await sql`
    insert into change_set_rows (workspace_id, change_set_id, number, action, input)
    select ${workspaceId}, ${id}, sent.place - 1, sent.item ->> 'action', sent.item
    from json_array_elements(${JSON.stringify(rows)}::json) with ordinality as sent (item, place)
    `.execute(trx)
  return rows.length
}

/** Deletes the rows of a small set. */
export async function deleteRows(trx: Transaction<Database>, key: SetKey): Promise<void> {
  await trx.deleteFrom('change_set_rows as r').where(ofSet(key)).execute()
}

/** How many rows are deleted at once. */
const rowsOfDeletion = 1000

/** Deletes the next rows of a set; whether there may be more. */
export async function deleteSomeRows(trx: Transaction<Database>, key: SetKey): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    delete from change_set_rows r where ${ofSet(key)} and r.number <= (
      select max(next.number) from (
        select n.number from change_set_rows n where ${ofSet(key, 'n')}
        order by n.number limit ${rowsOfDeletion}) next)`.execute(trx)
  return numAffectedRows === BigInt(rowsOfDeletion)
}

/** A row for every product that matches the selection, numbered as in the list of products. */
export async function insertSelectedRows(
  trx: Transaction<Database>,
  { workspaceId, id }: SetKey,
  filters: ProductFilters,
  searchedIds: string[] | undefined,
): Promise<number> {
  const values = filterValuesOf(workspaceId, filters)
  const conditions = conditionsOf(filters, (name) => sql`${values[name]}`)
  const found = searchedIds ? sql`and p.id = any(${searchedIds})` : sql``
  const { numAffectedRows = 0n } = await sql`
    insert into change_set_rows (workspace_id, change_set_id, number, action, product_id)
    select ${workspaceId}, ${id}, row_number() over (order by p.created_at desc, p.id desc) - 1,
      'patch', p.id
    from products p where ${conditions} ${found}`.execute(trx)
  return Number(numAffectedRows)
}

export interface WaitingRow {
  number: number
  action: ProductRow['action']
  input: ProductRow | unknown[] | null
  productId: string | null
}

/** The next rows to plan. */
export function listWaitingRows(
  db: Kysely<Database>,
  key: SetKey,
  { from, count }: { from: number; count: number },
): Promise<WaitingRow[]> {
  return db
    .selectFrom('change_set_rows as r')
    .select(['r.number', 'r.action', 'r.input', 'r.product_id as productId'])
    .where(ofSet({ ...key, from, to: from + count }))
    .orderBy('r.number')
    .execute()
}

export interface PlannedRow {
  number: number
  action: ProductRow['action']
  effect: RowEffect
  productId: string | null
  sku: string | null
  name: string | null
  changes: Schemas['ActivityChange'][]
  error: RowError | null
  /** The text of the product's snapshot. */
  before: string | null
  desired: unknown
  kept: KeptOfProduct | null
  uniqueKeys: string[]
}

export async function savePlan(
  trx: Transaction<Database>,
  key: SetKey,
  rows: readonly PlannedRow[],
): Promise<void> {
  // The snapshot is passed on as text, unparsed.
  const texts = rows.map(({ before, ...row }) => {
    const json = JSON.stringify(row)
    return before === null ? json : `${json.slice(0, -1)},"before":${before}}`
  })
  await sql`
    update change_set_rows r set action = plan.action, effect = plan.effect,
      product_id = plan."productId", sku = plan.sku, name = plan.name, changes = plan.changes, error = plan.error,
      before = plan.before, desired = plan.desired, kept = plan.kept,
      unique_keys = plan."uniqueKeys"
    from json_to_recordset(${`[${texts.join()}]`}::json) as plan (number integer, action text,
      effect text, "productId" text, sku text, name text, changes json, error json, before json,
      desired json, kept json, "uniqueKeys" text[])
    where ${ofSet(key)} and r.number = plan.number`.execute(trx)
}

/** Marks rows that cannot be applied, with the reason. */
export async function saveErrors(
  trx: Transaction<Database>,
  key: SetKey,
  errors: ReadonlyMap<number, RowError>,
): Promise<void> {
  if (errors.size === 0) return
  const rows = [...errors].map(([number, error]) => ({ number, error }))
  await sql`
    update change_set_rows r set effect = 'ERROR', error = found.error, changes = '[]',
      product_id = case when effect <> 'CREATE' then product_id end, before = null, desired = null, kept = null, unique_keys = null
    from json_to_recordset(${JSON.stringify(rows)}::json) as found (number integer, error json)
    where ${ofSet(key)} and r.number = found.number`.execute(trx)
}

export function countEffects(
  db: Kysely<Database>,
  key: SetKey,
): Promise<Schemas['ChangeSetCounts']> {
  return db
    .selectFrom('change_set_rows as r')
    .select(({ fn }) => {
      const counted = (effect: RowEffect) =>
        fn.countAll<number>().filterWhere('r.effect', '=', effect)
      return [
        fn.countAll<number>().as('rows'),
        counted('CREATE').as('creates'),
        counted('UPDATE').as('updates'),
        counted('DELETE').as('deletes'),
        counted('NONE').as('unchanged'),
        counted('ERROR').as('errors'),
      ]
    })
    .where(ofSet(key))
    .executeTakeFirstOrThrow()
}

export interface ListedRow {
  row: number
  action: ProductRow['action']
  productId: string | null
  sku: string | null
  name: string | null
  changes: Schemas['ActivityChange'][] | null
  error: RowError | null
  effect: RowEffect | null
}

const listed = [
  'r.number as row',
  'r.action',
  'r.product_id as productId',
  'r.sku',
  'r.name',
  'r.changes',
  'r.error',
  'r.effect',
] as const

const effectsOf: Record<'errors' | 'changes', RowEffect[]> = {
  errors: ['ERROR'],
  changes: ['CREATE', 'UPDATE', 'DELETE'],
}

/** A page of rows, and how many there are. */
export async function listRows(
  db: Kysely<Database>,
  key: SetKey,
  only: 'errors' | 'changes' | undefined,
  { page, pageSize }: PageRequest,
): Promise<{ rows: ListedRow[]; total: number }> {
  const all = db.selectFrom('change_set_rows as r').where(ofSet(key))
  const found = only ? all.where('r.effect', 'in', effectsOf[only]) : all
  const { total } = await found
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const stretch = stretchOf(page, pageSize, total)
  if (!stretch) return { rows: [], total }
  const { limit, offset, reversed } = stretch
  const rows = await found
    .select(listed)
    .orderBy('r.number', reversed ? 'desc' : 'asc')
    .limit(limit)
    .offset(offset)
    .execute()
  return { rows: reversed ? rows.reverse() : rows, total }
}

/** All rows of a small set, in order. */
export function listAllRows(db: Kysely<Database>, key: SetKey): Promise<ListedRow[]> {
  return db
    .selectFrom('change_set_rows as r')
    .select(listed)
    .where(ofSet(key))
    .orderBy('r.number')
    .execute()
}

/** Whether a set puts products into collections or takes them out. */
export async function movesInCollections(db: Kysely<Database>, key: SetKey): Promise<boolean> {
  const lengthOf = (part: string) =>
    sql<number>`json_array_length(coalesce(r.desired -> ${sql.lit(part)}, '[]'))`
  const row = await db
    .selectFrom('change_set_rows as r')
    .select('r.number')
    .where(ofSet(key))
    .where(sql<boolean>`${lengthOf('addedTo')} + ${lengthOf('removedFrom')} > 0`)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
