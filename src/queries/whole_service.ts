import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type PageRequest, stretchOf } from '../core/paging.ts'
import type { Database } from '../db/schema.ts'
import { rememberedTotal } from './remembered_totals.ts'

/** The tables of which staff see every row. */
type StaffTable =
  'accounts' | 'workspaces' | 'integration_sources' | 'contact_requests' | 'audit_entries'

export interface SearchRequest extends PageRequest {
  search: string
}

export interface RowPage<Row> {
  rows: Row[]
  total: number
}

/** The ids on one page of a list, the newest first, with the exact total. */
export function findPage(
  db: Kysely<Database>,
  table: StaffTable,
  asked: SearchRequest,
): Promise<{ ids: string[]; total: number }> {
  return asked.search === '' ? pageOfAll(db, table, asked) : pageOfFound(db, table, asked)
}

/** The counters know the total, so that a page nearer to the end is reached from there. */
async function pageOfAll(
  db: Kysely<Database>,
  table: StaffTable,
  { page, pageSize }: SearchRequest,
) {
  const { total } = await countRows(db, table)
  const stretch = stretchOf(page, pageSize, total)
  if (!stretch) return { ids: [], total }
  const { limit, offset, reversed } = stretch
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(table)} order by id ${reversed ? sql`asc` : sql`desc`}
    limit ${limit} offset ${offset}`.execute(db)
  const ids = rows.map(({ id }) => id)
  return { ids: reversed ? ids.reverse() : ids, total }
}

/** What is found is counted only where the page does not tell how much that is, and then once. */
async function pageOfFound(
  db: Kysely<Database>,
  table: StaffTable,
  { search, page, pageSize }: SearchRequest,
) {
  const known = await findWhole(db, table, search)
  if (known !== undefined) return { ids: page === 1 ? [known] : [], total: 1 }
  const offset = (page - 1) * pageSize
  const found = await conditionOf(db, table, search)
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(table)} where ${found}
    order by id desc limit ${pageSize} offset ${offset}`.execute(db)
  const ids = rows.map(({ id }) => id)
  const isLast = ids.length > 0 ? ids.length < pageSize : page === 1
  if (isLast) return { ids, total: offset + ids.length }
  const { changes } = await countRows(db, table)
  const key = JSON.stringify([table, search])
  const total = await rememberedTotal(db, key, changes, () => countFound(db, table, found))
  return { ids, total }
}

/**
 * Somebody who gives a whole id, or the whole address of an account, means that one. It is looked up
 * by itself: a search for a long text that resembles every row costs more, the more rows there are.
 */
async function findWhole(
  db: Kysely<Database>,
  table: StaffTable,
  search: string,
): Promise<string | undefined> {
  const address = table === 'accounts' ? sql`or email = lower(${search})` : sql``
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(table)} where id = lower(${search}) ${address} limit 1`.execute(db)
  return rows[0]?.id
}

/**
 * How many rows a list has, or a source connections, or a workspace feedback, as the counters know
 * it; `changes` is another number after every change of what a search may find.
 */
export async function countRows(
  db: Kysely<Database>,
  counted: string,
): Promise<{ total: number; changes: number }> {
  const { rows } = await sql<{ total: number; changes: number }>`
    select coalesce(sum(total), 0)::bigint as total, coalesce(sum(changes), 0)::bigint as changes
    from row_counters where counted = ${counted}`.execute(db)
  return rows[0]!
}

/**
 * The index reads the whole list of every three letters of the text, however common they are: the
 * dearer, the more rows there are. It is given the rarest word alone, and the rows of that word are
 * compared with the text. A text of common words is left to the index as it is.
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

/** A word that hardly any of the newest rows has, of those that the index can look up. */
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

async function countFound(
  db: Kysely<Database>,
  table: StaffTable,
  found: RawBuilder<boolean>,
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from ${sql.table(table)} where ${found}`.execute(db)
  return rows[0]?.total ?? 0
}

/** The rows in the order of their ids on the page. */
export function inOrder<Row extends { id: string }>(ids: string[], rows: Row[]): Row[] {
  const places = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => places.get(id) ?? [])
}

/** The condition that finds the rows of a page, none included. */
export function onPage(ids: string[]): RawBuilder<boolean> {
  return sql<boolean>`id = any(${ids})`
}
