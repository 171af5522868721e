import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../db/schema.ts'

/** The tables of which staff see every row. */
type Listed =
  'accounts' | 'workspaces' | 'integration_sources' | 'contact_requests' | 'audit_entries'

export interface Asked {
  search: string
  page: number
  pageSize: number
}

export interface Page<Row> {
  rows: Row[]
  total: number
}

/**
 * The ids on one page of a list, the newest first, with the exact total: from the counters, or from
 * the index of what is searched for. A page nearer to the end is reached from there.
 */
export async function findPage(
  db: Kysely<Database>,
  table: Listed,
  { search, page, pageSize }: Asked,
): Promise<{ ids: string[]; total: number }> {
  const found = search === '' ? sql`true` : sql`search like administration_pattern(${search})`
  const total = search === '' ? await countRows(db, table) : await countFound(db, table, search)
  const offset = (page - 1) * pageSize
  const rowsOnPage = Math.max(0, Math.min(pageSize, total - offset))
  if (rowsOnPage === 0) return { ids: [], total }
  const fromEnd = total - offset - rowsOnPage
  const reversed = fromEnd < offset
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(table)} where ${found}
    order by id ${reversed ? sql`asc` : sql`desc`}
    limit ${rowsOnPage} offset ${reversed ? fromEnd : offset}`.execute(db)
  const ids = rows.map(({ id }) => id)
  return { ids: reversed ? ids.reverse() : ids, total }
}

/** The rows of a list, or the connections of a source, as the counters know them. */
export async function countRows(db: Kysely<Database>, counted: string): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select coalesce(sum(total), 0)::bigint as total from row_counters
    where counted = ${counted}`.execute(db)
  return rows[0]?.total ?? 0
}

async function countFound(db: Kysely<Database>, table: Listed, search: string): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from ${sql.table(table)}
    where search like administration_pattern(${search})`.execute(db)
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
