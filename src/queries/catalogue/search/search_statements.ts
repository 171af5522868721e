import { type RawBuilder, sql } from 'kysely'
import { plannedEachTime, statementOf, tableOf, workspaceRead } from '../../../db/prepared.ts'
import { type ProductCounts, productCounts } from '../counters.ts'
import { documentIn, documentMatches } from '../document.ts'
import {
  conditionsOf,
  type FilterParameters,
  orderOf,
  type ProductFilters,
  type ProductSort,
  shapeOf,
} from '../product_filters.ts'

// Raw SQL: PostgreSQL writes the JSON of the answer, so no row becomes an object on the way.

export interface SearchParameters extends FilterParameters {
  pattern: string
  key: Buffer
  query: string
  limit: number
  offset: number
}

/** What the order of the worded set follows. */
export interface Ranking {
  /** Products to come before all others. */
  first: readonly string[]
  /** Regular expressions, one for each word; products whose names match most of them come first. */
  roots: readonly string[]
  /** Tags that stand for several of the words, and the expressions of the other words. */
  tags: readonly string[]
  untagged: readonly string[]
}

type SearchParameter = (name: keyof SearchParameters) => RawBuilder<unknown>
export type Set = 'named' | 'worded'

/** The rows `p` of a set that the filters leave. */
function inSet(
  set: Set,
  filters: ProductFilters,
  parameter: SearchParameter,
  more: RawBuilder<unknown> = sql``,
): RawBuilder<unknown> {
  const conditions = conditionsOf(filters, parameter)
  if (set === 'named')
    return sql`${tableOf('products')} p where ${conditions} and p.search like ${parameter('pattern')}`
  const described = filters.hasDescription === undefined ? sql`` : sql`, p.description`
  // OFFSET 0 keeps the filters out of the subquery: with an index for them, every document would be
  // computed.
  return sql`(select p.id, p.workspace_id, p.status, p.stock, p.name, p.sku_key, p.created_at,
      p.updated_at, p.undone_at, p.search${described}${more}
      from ${tableOf('products')} p where ${documentIn(parameter('workspaceId'))}
        and ${documentMatches(parameter('query'))}
        and p.search not like ${parameter('pattern')} offset 0) p
    where ${conditions}`
}

/** The size of a set. */
export const counterOf = (set: Set, filters: ProductFilters) =>
  statementOf(`count ${set} ${shapeOf(filters)}`, () =>
    workspaceRead<SearchParameters>()(
      plannedEachTime,
      (_db, parameter) => sql<{ total: number }>`
        select count(*) as total from ${inSet(set, filters, parameter)}`,
    ),
  )

/** Products whose name, SKU or barcode is exactly the text. */
function exactOf(filters: ProductFilters, parameter: SearchParameter): RawBuilder<unknown> {
  const by = (key: string) => sql`select p.id from ${tableOf('products')} p
    where ${conditionsOf(filters, parameter)} and p.status <> 'DELETED'
      and ${sql.ref(`p.${key}`)} = ${parameter('key')}`
  return sql`${by('name_key')} union ${by('sku_key')} union ${by('barcode_key')}`
}

interface NamedRows {
  counts: ProductCounts
  exact: string[]
  ids: string[]
}

/** A stretch of the named set in its order, exact matches first, with the counts. */
export const namedFinderOf = (filters: ProductFilters) =>
  statementOf(`named ${shapeOf(filters)}`, () =>
    workspaceRead<SearchParameters>()(
      plannedEachTime,
      (_db, parameter) => sql<NamedRows>`
        with exact as materialized (${exactOf(filters, parameter)})
        select ${productCounts}, array(select id from exact order by id) as exact,
          array(select p.id from ${inSet('named', filters, parameter)}
            and p.id <> all(array(select id from exact))
            order by ${orderOf('-createdAt', false)} limit ${parameter('limit')}
            offset greatest(0, ${parameter('offset')}::bigint - (select count(*) from exact))) as ids
        from ${tableOf('catalogue_counters')} c where c.workspace_id = ${parameter('workspaceId')}`,
    ),
  )

/** A stretch of the worded set: products whose names and `tags` lack the fewest of the words first. */
export const wordedFinderOf = (filters: ProductFilters, withTags: boolean) =>
  statementOf(`worded ${withTags} ${shapeOf(filters)}`, () =>
    workspaceRead<SearchParameters & Ranking>()(plannedEachTime, (_db, parameter) => {
      const roots = sql`${parameter('roots')}::text[]`
      const sought = withTags
        ? sql`case when p.tag_ids && ${parameter('tags')}::text[]
            then ${parameter('untagged')}::text[] else ${roots} end`
        : roots
      return sql<{ ids: string[] }>`
        select array(select p.id
          from ${inSet('worded', filters, parameter, withTags ? sql`, p.tag_ids` : sql``)}
          order by p.id = any(${parameter('first')}) desc,
            (select count(*) from unnest(${sought}) as root where p.search !~ root),
            ${orderOf('-createdAt', false)}
          limit ${parameter('limit')} offset ${parameter('offset')}) as ids`
    }),
  )

/** A stretch of both sets together, in the requested order. */
export const sortedFinderOf = (filters: ProductFilters, sort: ProductSort) =>
  statementOf(`sorted ${sort} ${shapeOf(filters)}`, () =>
    workspaceRead<SearchParameters>()(plannedEachTime, (_db, parameter) => {
      const first = (
        set: Set,
      ) => sql`(select p.id, p.created_at, p.updated_at, p.undone_at, p.name, p.stock
        from ${inSet(set, filters, parameter)} order by ${orderOf(sort, false)}
        limit ${parameter('limit')}::bigint + ${parameter('offset')}::bigint)`
      return sql<{ counts: ProductCounts; ids: string[] }>`
        select ${productCounts}, array(
          select p.id from (${first('named')} union all ${first('worded')}) p
          order by ${orderOf(sort, false)}
          limit ${parameter('limit')} offset ${parameter('offset')}) as ids
        from ${tableOf('catalogue_counters')} c where c.workspace_id = ${parameter('workspaceId')}`
    }),
  )
