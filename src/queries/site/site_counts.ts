import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import { asWhole, type DayRange } from '../credits/usage_days.ts'
import { siteDaysOf } from './site_days.ts'

/* Raw SQL: one statement adds the counts that have gathered for many shops. */

/** The kinds of counts on a shop's pages, and the meaning of their names. */
export type CountKind =
  /** Visitors of a day; no name. */
  | 'visitor'
  /** Views of a product's page, by its slug. */
  | 'product'
  /** Views of other pages, by path. */
  | 'page'
  /** Clicks on a product's sale links, by its slug. */
  | 'click'
  /** Clicks of visitors who had an answer of the assistant before, by the product's slug. */
  | 'asked_click'
  /** The same clicks, by the host of the link. */
  | 'shop'
  /** Views that came from another site, by its host. */
  | 'referrer'
  /** Searches without a result, by their words. */
  | 'missed'

export interface SiteCount {
  workspaceId: string
  /** UTC date, such as `2026-01-05`. */
  day: string
  /** The date in the shop's time zone. */
  meant: string
  kind: CountKind
  name: string
  count: number
}

export interface SiteVisitor {
  workspaceId: string
  day: string
  /** A hash, in hexadecimal. */
  visitor: string
}

/** Sorted by key, so that two concurrent writers cannot deadlock. */
function sorted<Row extends object>(rows: readonly Row[]): Row[] {
  const keyed = rows.map((row) => ({ row, key: Object.values(row).join('\n') }))
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ row }) => row)
}

export async function addSiteCounts(
  trx: Transaction<Database>,
  counts: readonly SiteCount[],
): Promise<void> {
  if (counts.length === 0) return
  // At the shop's midnight, the counts of one row belong to two local dates.
  await sql`
    insert into site_counts as c (workspace_id, day, kind, name, count)
    select "workspaceId", day, kind, name, sum(count)::bigint from ${recorded(counts)}
    group by "workspaceId", day, kind, name order by "workspaceId", day, kind, name
    on conflict on constraint site_counts_key do update set count = c.count + excluded.count`.execute(
    trx,
  )
  const shifted = counts.filter(({ day, meant }) => day !== meant)
  if (shifted.length === 0) return
  await sql`
    insert into site_shifts as c (workspace_id, counted, meant, kind, name, count)
    select "workspaceId", day, meant, kind, name, count from ${recorded(shifted)}
    on conflict on constraint site_shifts_key do update set count = c.count + excluded.count`.execute(
    trx,
  )
}

const recorded = (counts: readonly SiteCount[]) => sql`
  json_to_recordset(${JSON.stringify(sorted(counts))}::json)
    as r ("workspaceId" text, day date, meant date, kind text, name text, count bigint)`

/** The key of each visitor. */
const listed = (visitors: readonly SiteVisitor[]) => sql`
  (select day, "workspaceId", decode(visitor, 'hex')
    from json_to_recordset(${JSON.stringify(sorted(visitors))}::json)
      as r ("workspaceId" text, day date, visitor text))`

/** Records visitors of a day; returns those who are new. */
export async function addSiteVisitors(
  trx: Transaction<Database>,
  visitors: readonly SiteVisitor[],
): Promise<SiteVisitor[]> {
  if (visitors.length === 0) return []
  const { rows } = await sql<SiteVisitor>`
    insert into site_visitors (day, workspace_id, visitor) ${listed(visitors)}
    on conflict on constraint site_visitors_key do nothing
    returning workspace_id as "workspaceId", to_char(day, 'YYYY-MM-DD') as day,
      encode(visitor, 'hex') as visitor`.execute(trx)
  return rows
}

/** Records that visitors of a day got an answer of the assistant. */
export async function markAsked(
  trx: Transaction<Database>,
  visitors: readonly SiteVisitor[],
): Promise<void> {
  if (visitors.length === 0) return
  await sql`
    update site_visitors set has_asked = true
    where not has_asked and (day, workspace_id, visitor) in ${listed(visitors)}`.execute(trx)
}

/** The visitors among these who got an answer of the assistant. */
export async function listAsked(
  trx: Transaction<Database>,
  visitors: readonly SiteVisitor[],
): Promise<SiteVisitor[]> {
  if (visitors.length === 0) return []
  const { rows } = await sql<SiteVisitor>`
    select workspace_id as "workspaceId", to_char(day, 'YYYY-MM-DD') as day,
      encode(visitor, 'hex') as visitor
    from site_visitors
    where has_asked and (day, workspace_id, visitor) in ${listed(visitors)}`.execute(trx)
  return rows
}

/** The salt of a day, which all processes share; the first process that needs it creates it. */
export async function getSalt(
  db: Kysely<Database>,
  { day, offered }: { day: string; offered: Buffer },
): Promise<Buffer> {
  await db
    .insertInto('site_salts')
    .values({ day, salt: offered })
    .onConflict((on) => on.constraint('site_salts_key').doNothing())
    .execute()
  const { salt } = await db
    .selectFrom('site_salts')
    .select('salt')
    .where('day', '=', day)
    .executeTakeFirstOrThrow()
  return salt
}

export async function deleteSiteVisitor(
  db: Kysely<Database>,
  { day, workspaceId, visitor }: SiteVisitor,
): Promise<void> {
  await db
    .deleteFrom('site_visitors')
    .where('day', '=', day)
    .where('workspace_id', '=', workspaceId)
    .where('visitor', '=', Buffer.from(visitor, 'hex'))
    .execute()
}

/** The counts of the days, the largest first: the first entries of each list. */
export async function listSiteFigures(
  db: Kysely<Database>,
  workspaceId: string,
  range: DayRange,
  length: number,
): Promise<Pick<components['schemas']['SiteFigures'], 'pages' | 'referrers' | 'missed' | 'shops'>> {
  const titleIn = (table: 'products' | 'collections', before: string) => sql`(
    select t.name from ${sql.table(table)} t
    where t.workspace_id = ${workspaceId} and listed.name like ${`${before}%`}
      and t.slug = substr(listed.name, ${before.length + 1}::int))`
  const { rows } = await sql<{
    list: 'pages'
    name: string
    count: number
    title: string | null
  }>`
    select list, name, count, case list when 'pages' then coalesce(
      ${titleIn('products', '/p/')}, ${titleIn('collections', '/c/')},
      (select t.name from tags t where t.workspace_id = ${workspaceId}
        and listed.name like '/t/%' and t.id = substr(listed.name, 4))) end as title
    from (
      select list, name, sum(count)::bigint as count,
        row_number() over (partition by list order by sum(count) desc, name) as place
      from (
        select case kind when 'product' then 'pages' when 'page' then 'pages'
            when 'referrer' then 'referrers' when 'shop' then 'shops' else kind end as list,
          case kind when 'product' then '/p/' || name else name end as name, count
        from ${siteDaysOf(workspaceId, asWhole(range))} c
        where kind in ('product', 'page', 'referrer', 'shop', 'missed')) counted
      group by list, name having sum(count) > 0) listed
    where place <= ${length} order by list, place`.execute(db)
  const of = (list: string) =>
    rows.filter((row) => row.list === list).map(({ name, count }) => ({ name, count }))
  return {
    pages: rows
      .filter(({ list }) => list === 'pages')
      .map(({ name, count, title }) => ({ name, count, title })),
    referrers: of('referrers'),
    missed: of('missed'),
    shops: of('shops'),
  }
}
