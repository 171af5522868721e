import { type Kysely, type RawBuilder, sql } from 'kysely'
import { searchTermsOf, type SearchTerms } from '../../../language/search_terms.ts'
import { identityOf } from '../../../db/own_connection.ts'
import { plannedEachTime, statementOf, tableOf, workspaceRead } from '../../../db/prepared.ts'
import type { Database } from '../../../db/schema.ts'
import { rememberedTotal } from '../../../db/remembered_totals.ts'
import { type ProductCounts, productCounts } from '../counters.ts'
import { document, documentIn } from '../document.ts'
import {
  conditionsOf,
  type FilterParameters,
  filterValuesOf,
  orderOf,
  type ProductFilters,
  type ProductSort,
  shapeOf,
} from '../product_filters.ts'
import {
  correctedQuery,
  isCorrectable,
  meantQuery,
  spelledQuery,
  type WideQuery,
} from './search_queries.ts'

/*
 * A search finds products in two sets without a common member: those that have the text as it stands in
 * what names them, and those whose document has all its words in some form. The first set costs what a
 * list costs and comes first; the second is looked up only where the first does not fill the page. Where
 * both together are few, words also stand for others of their meaning, in any language: what is found by
 * them comes last. Only if that finds nothing are words taken for misspelt.
 *
 * Raw SQL: PostgreSQL writes the JSON of the answer, so no row becomes an object on the way.
 */

interface SearchParameters extends FilterParameters {
  pattern: string
  key: Buffer
  query: string
  /** Patterns of the names of products to come first, one for each word. */
  roots: string[]
  /** Products to come before all others. */
  first: readonly string[]
  limit: number
  offset: number
}

type Parameter = (name: keyof SearchParameters) => RawBuilder<unknown>
type Set = 'named' | 'worded'

/** The rows `p` of a set that the filters leave. */
function inSet(set: Set, filters: ProductFilters, parameter: Parameter): RawBuilder<unknown> {
  const conditions = conditionsOf(filters, parameter)
  if (set === 'named')
    return sql`${tableOf('products')} p where ${conditions} and p.search like ${parameter('pattern')}`
  const described = filters.hasDescription === undefined ? sql`` : sql`, p.description`
  // OFFSET 0 keeps the filters out: by another index, every document would be computed.
  return sql`(select p.id, p.workspace_id, p.status, p.stock, p.name, p.sku_key, p.created_at,
      p.updated_at, p.undone_at, p.search${described}
      from ${tableOf('products')} p where ${documentIn(parameter('workspaceId'))}
        and ${document} @@ ${parameter('query')}::tsquery
        and p.search not like ${parameter('pattern')} offset 0) p
    where ${conditions}`
}

const counterOf = (set: Set, filters: ProductFilters) =>
  statementOf(`count ${set} ${shapeOf(filters)}`, () =>
    workspaceRead<SearchParameters>()(
      plannedEachTime,
      (_db, parameter) => sql<{ total: number }>`
        select count(*) as total from ${inSet(set, filters, parameter)}`,
    ),
  )

/** Products whose name, SKU or barcode the text is. */
function exactOf(filters: ProductFilters, parameter: Parameter): RawBuilder<unknown> {
  const by = (key: string) => sql`select p.id from ${tableOf('products')} p
    where ${conditionsOf(filters, parameter)} and p.status <> 'DELETED'
      and ${sql.ref(`p.${key}`)} = ${parameter('key')}`
  return sql`${by('name_key')} union ${by('sku_key')} union ${by('barcode_key')}`
}

interface Named {
  counts: ProductCounts
  exact: string[]
  ids: string[]
}

/** A stretch of the named set in its order, those it is exactly first, with the counts. */
const namedFinderOf = (filters: ProductFilters) =>
  statementOf(`named ${shapeOf(filters)}`, () =>
    workspaceRead<SearchParameters>()(
      plannedEachTime,
      (_db, parameter) => sql<Named>`
        with exact as materialized (${exactOf(filters, parameter)})
        select ${productCounts}, array(select id from exact order by id) as exact,
          array(select p.id from ${inSet('named', filters, parameter)}
            and p.id <> all(array(select id from exact))
            order by ${orderOf('-createdAt', false)} limit ${parameter('limit')}
            offset greatest(0, ${parameter('offset')}::bigint - (select count(*) from exact))) as ids
        from ${tableOf('catalogue_counters')} c where c.workspace_id = ${parameter('workspaceId')}`,
    ),
  )

/** A stretch of the worded set: products whose names have most of the words first. */
const wordedFinderOf = (filters: ProductFilters) =>
  statementOf(`worded ${shapeOf(filters)}`, () =>
    workspaceRead<SearchParameters>()(
      plannedEachTime,
      (_db, parameter) => sql<{ ids: string[] }>`
        select array(select p.id from ${inSet('worded', filters, parameter)}
          order by p.id = any(${parameter('first')}) desc,
            (select count(*) from unnest(${parameter('roots')}::text[]) as root
            where translate(p.search, 'çğıöşüâîû', 'cgiosuaiu') ~ root) desc,
            ${orderOf('-createdAt', false)}
          limit ${parameter('limit')} offset ${parameter('offset')}) as ids`,
    ),
  )

/** A stretch of both sets together, in an order that was asked for. */
const sortedFinderOf = (filters: ProductFilters, sort: ProductSort) =>
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

interface Request {
  limit: number
  offset: number
  sort: ProductSort | undefined
}

interface Found {
  ids: string[]
  total: number
  counts: ProductCounts
}

interface Search {
  db: Kysely<Database>
  filters: ProductFilters
  values: SearchParameters
}

/** A page of a search, the exact total, and the counts of the catalogue. */
export async function findSearched(
  db: Kysely<Database>,
  workspaceId: string,
  filters: ProductFilters,
  request: Request,
): Promise<Found> {
  const terms = searchTermsOf(filters.search)
  const { limit, offset, sort } = request
  const values: SearchParameters = {
    ...filterValuesOf(workspaceId, filters),
    pattern: terms.pattern,
    key: terms.key,
    query: '',
    roots: terms.words.map(({ root }) => root),
    first: [],
    limit,
    offset,
  }
  const search = { db, filters, values }
  return sort === undefined ? findByRank(search, terms) : findSorted(search, terms, sort)
}

/** So many products are enough not to look for words of like meaning. */
const enough = 10

async function findByRank(search: Search, terms: SearchTerms): Promise<Found> {
  const { db, filters, values } = search
  const { limit, offset } = values
  const [row] = await namedFinderOf(filters)(db, values)
  const { exact, ids: rest, counts } = row!
  const named = [...exact.slice(offset), ...rest].slice(0, limit)
  const query = await spelledQuery(search, terms, counts)
  if (named.length === limit) {
    const total = await totalOf(search, query, counts)
    return { ids: named, total, counts }
  }
  const isComplete = offset === 0 || named.length > 0
  const before = isComplete ? offset + named.length : await countOf(search, 'named', '', counts)
  const worded = await findWorded(search, query, {
    limit: limit - named.length,
    offset: Math.max(0, offset - before),
  })
  const ids = [...named, ...worded]
  const isWhole = offset === 0 && ids.length < limit
  const total = isWhole ? ids.length : await totalOf(search, query, counts)
  const found = { ids, total, counts }
  // Where products are named so, the word is the shop's own.
  const isNamed = named.length > 0 || (!isWhole && before > 0)
  return isNamed || total >= enough ? found : ((await findMeant(search, terms, found)) ?? found)
}

/** The page with what is found by words of like meaning, or else by words spelt otherwise. */
async function findMeant(
  search: Search,
  terms: SearchTerms,
  { total, counts }: Found,
): Promise<Found | undefined> {
  const { limit, offset } = search.values
  const wider = await widerQuery(search, terms, { total, counts })
  if (!wider) return undefined
  const first =
    total === 0 ? [] : await findWorded(search, wider.spelled, { limit: total, offset: 0 })
  const values = { ...search.values, roots: wider.roots, first }
  const ids = await findWorded({ ...search, values }, wider.query, { limit, offset })
  const isWhole = offset === 0 && ids.length < limit
  return { ids, total: isWhole ? ids.length : await totalOf(search, wider.query, counts), counts }
}

/** A query that finds more than the words as they are spelt do, which are found at so many places. */
async function widerQuery(
  search: Search,
  terms: SearchTerms,
  { total, counts }: Pick<Found, 'total' | 'counts'>,
): Promise<(WideQuery & { spelled: string }) | undefined> {
  const spelled = await spelledQuery(search, terms, counts)
  const meant = await meantQuery(search, terms, counts)
  if (meant.query !== spelled && (await totalOf(search, meant.query, counts)) > total)
    return { ...meant, spelled }
  if (total > 0 || !isCorrectable(terms)) return undefined
  return { ...(await correctedQuery(search, terms, counts)), spelled }
}

async function findWorded(
  { db, filters, values }: Search,
  query: string,
  place: { limit: number; offset: number },
): Promise<string[]> {
  if (query === '') return []
  const [row] = await wordedFinderOf(filters)(db, { ...values, ...place, query })
  return row!.ids
}

async function findSorted(search: Search, terms: SearchTerms, sort: ProductSort): Promise<Found> {
  const { db, filters, values } = search
  const { counts } = (await namedFinderOf(filters)(db, { ...values, limit: 0 }))[0]!
  const query = await queryToSort(search, terms, counts)
  const [row] = await sortedFinderOf(filters, sort)(db, { ...values, query: query || nothing })
  const { ids, counts: current } = row!
  return { ids, total: await totalOf(search, query, current), counts: current }
}

/** The query that `findByRank` would use. */
async function queryToSort(
  search: Search,
  terms: SearchTerms,
  counts: ProductCounts,
): Promise<string> {
  const spelled = await spelledQuery(search, terms, counts)
  const total = await totalOf(search, spelled, counts)
  const isNamed = (await countOf(search, 'named', '', counts)) > 0
  if (isNamed || total >= enough) return spelled
  return (await widerQuery(search, terms, { total, counts }))?.query ?? spelled
}

/** A query without a match. */
const nothing = `'\u0001'`

async function totalOf(search: Search, query: string, counts: ProductCounts): Promise<number> {
  const named = await countOf(search, 'named', '', counts)
  return query === '' ? named : named + (await countOf(search, 'worded', query, counts))
}

/** The size of a set, remembered until the catalogue changes. */
function countOf(
  { db, filters, values }: Search,
  set: Set,
  query: string,
  { changes }: ProductCounts,
): Promise<number> {
  const { workspaceId, pattern } = values
  const key = [set, workspaceId, { ...filters, search: '' }, pattern, query]
  return rememberedTotal(identityOf(db), JSON.stringify(key), changes, async () => {
    const [row] = await counterOf(set, filters)(db, { ...values, query })
    return row!.total
  })
}
