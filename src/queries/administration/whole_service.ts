import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import { type PageRequest, stretchOf } from '../../core/paging.ts'
import { identityOf } from '../../db/own_connection.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import { remembered } from '../../db/remembered.ts'

/* Raw SQL: the words of a search are taken apart by the database, and counted in the newest rows. */

/** Tables whose rows are all visible to staff. */
type StaffTable =
  | 'accounts'
  | 'workspaces'
  | 'integration_sources'
  | 'contact_requests'
  | 'audit_entries'

type Status = components['schemas']['Standing' | 'SourceStatus']

export interface SearchRequest extends PageRequest {
  search: string
  /** Only rows with this status, in tables that have one. */
  status?: Status | undefined
}

export interface RowPage<Row> {
  rows: Row[]
  total: number
}

/** The ids on one page of a list, newest first, with the exact total. */
export function findPage(
  db: Kysely<Database>,
  table: StaffTable,
  request: SearchRequest,
): Promise<{ ids: string[]; total: number }> {
  if (request.status) return pageOfStatus(db, table, request, request.status)
  return request.search === '' ? pageOfAll(db, table, request) : pageOfMatches(db, table, request)
}

/** A page of all rows. The counters give the total, so pages near the end are read from the end. */
async function pageOfAll(
  db: Kysely<Database>,
  table: StaffTable,
  { page, pageSize }: SearchRequest,
) {
  const { total } = await countRows(db, table)
  const stretch = stretchOf(page, pageSize, total)
  if (!stretch) return { ids: [], total }
  const { limit, offset, reversed } = stretch
  const rows = await db
    .selectFrom(table)
    .select('id')
    .orderBy('id', reversed ? 'asc' : 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  const ids = rows.map(({ id }) => id)
  return { ids: reversed ? ids.reverse() : ids, total }
}

/** Counts matches only if the page does not imply the total, and caches the count. */
async function pageOfMatches(
  db: Kysely<Database>,
  table: StaffTable,
  { search, page, pageSize }: SearchRequest,
) {
  const exactId = await findWhole(db, table, search)
  if (exactId !== undefined) return { ids: page === 1 ? [exactId] : [], total: 1 }
  const offset = (page - 1) * pageSize
  const condition = await conditionOf(db, table, search)
  const ids = await listNewest(db, table, condition, { page, pageSize })
  const isLast = ids.length > 0 ? ids.length < pageSize : page === 1
  if (isLast) return { ids, total: offset + ids.length }
  const { changes } = await countRows(db, table)
  const key = JSON.stringify([table, search])
  const total = await remembered(identityOf(db), key, changes, () =>
    countMatches(db, table, condition),
  )
  return { ids, total }
}

/**
 * Counts exactly and caches nothing: a suspension or a block does not change the version that caches go by.
 * The suspended rows are few and have an index.
 */
async function pageOfStatus(
  db: Kysely<Database>,
  table: StaffTable,
  { search, page, pageSize }: SearchRequest,
  status: Status,
) {
  const found = search === '' ? sql`true` : await conditionOf(db, table, search)
  const condition = sql<boolean>`status = ${sql.lit(status)} and ${found}`
  const ids = await listNewest(db, table, condition, { page, pageSize })
  return { ids, total: await countMatches(db, table, condition) }
}

async function listNewest(
  db: Kysely<Database>,
  table: StaffTable,
  condition: RawBuilder<boolean>,
  { page, pageSize }: PageRequest,
): Promise<string[]> {
  const rows = await db
    .selectFrom(table)
    .select('id')
    .where(condition)
    .orderBy('id', 'desc')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * A search for a complete id, or an account's complete address, means that row. It is looked up directly,
 * because a pattern search for a long text that resembles every row gets slower as the table grows.
 */
async function findWhole(
  db: Kysely<Database>,
  table: StaffTable,
  search: string,
): Promise<string | undefined> {
  const address = table === 'accounts' ? sql`or email = lower(${search})` : sql``
  const row = await db
    .selectFrom(table)
    .select('id')
    .where(sql<boolean>`(id = lower(${search}) ${address})`)
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

/**
 * The rows of a list, connections of a source or feedback of a workspace, from the counters.
 * `changes` differs after every change that can affect a search.
 */
export function countRows(
  db: Kysely<Database>,
  key: string,
): Promise<{ total: number; changes: number }> {
  return db
    .selectFrom('row_counters')
    .select([
      sql<number>`coalesce(sum(total), 0)::bigint`.as('total'),
      sql<number>`coalesce(sum(changes), 0)::bigint`.as('changes'),
    ])
    .where('counted', '=', key)
    .executeTakeFirstOrThrow()
}

/** Counts a row without a trigger, in a slot that few other sessions write to. */
export function countInsertedRow(trx: Transaction<Database>, key: string): Promise<void> {
  return addRows(trx, key, 1)
}

/** Counts deleted rows. A single slot may become negative, the sum of all slots cannot. */
export async function countDeletedRows(
  trx: Transaction<Database>,
  key: string,
  rows: number,
): Promise<void> {
  if (rows > 0) await addRows(trx, key, -rows)
}

async function addRows(trx: Transaction<Database>, key: string, rows: number): Promise<void> {
  const slot = sql<number>`pg_backend_pid() % 64`
  await trx
    .insertInto('row_counters')
    .values({ counted: key, slot, total: rows, changes: 1 })
    .onConflict((on) =>
      on.constraint('row_counters_key').doUpdateSet((eb) => ({
        total: eb('row_counters.total', '+', eb.ref('excluded.total')),
        changes: eb('row_counters.changes', '+', 1),
      })),
    )
    .execute()
}

/**
 * For each trigram of the text, a trigram index reads all rows that contain it, however common: slower as
 * the table grows. So give it only the rarest word, and compare the rows it finds with the whole text. A
 * text of common words goes to the index unchanged.
 */
async function conditionOf(
  db: Kysely<Database>,
  table: StaffTable,
  search: string,
): Promise<RawBuilder<boolean>> {
  const word = await findRareWord(db, table, search)
  if (word === undefined) return sql`search like administration_pattern(${search})`
  return sql`search like ${`%${word}%`}
    and search || '' like administration_pattern(${search})`
}

/** An indexable word that hardly any of the newest rows contains. */
async function findRareWord(
  db: Kysely<Database>,
  table: StaffTable,
  search: string,
): Promise<string | undefined> {
  if (!/[^\p{L}\p{N}]/u.test(search)) return undefined
  const { rows } = await sql<{ word: string }>`
    with newest as materialized (
      select search from ${sql.table(table)} order by id desc limit 100),
    words as (
      select word, (select count(*) from newest where strpos(search, word) > 0) as uses
      from regexp_split_to_table(administration_text(${search}), '[^[:alnum:]]+') word
      where length(word) >= 3)
    select word from words where uses < 5 order by uses, length(word) desc limit 1`.execute(db)
  return rows[0]?.word
}

async function countMatches(
  db: Kysely<Database>,
  table: StaffTable,
  condition: RawBuilder<boolean>,
): Promise<number> {
  const { total } = await db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where(condition)
    .executeTakeFirstOrThrow()
  return total
}

/** Sorts rows into the page's order of ids. */
export function inOrder<Row extends { id: string }>(ids: string[], rows: Row[]): Row[] {
  const places = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => places.get(id) ?? [])
}

/** Matches the rows of a page, which may be empty. */
export function onPage(ids: string[]): RawBuilder<boolean> {
  return sql<boolean>`id = any(${ids})`
}
