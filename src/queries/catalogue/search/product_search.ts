import type { Kysely } from 'kysely'
import { searchTermsOf, type SearchTerms } from '../../../language/search_terms.ts'
import { identityOf } from '../../../db/own_connection.ts'
import type { Database } from '../../../db/schema.ts'
import { remembered } from '../../../db/remembered.ts'
import type { ProductCounts } from '../counters.ts'
import { filterValuesOf, type ProductFilters, type ProductSort } from '../product_filters.ts'
import { completedTerms, correctedTerms } from './corrections.ts'
import {
  meantQuery,
  type NamePatterns,
  patternOfName,
  type SharedTags,
  sharedTagsOf,
  spelledQuery,
  type WideQuery,
} from './search_queries.ts'
import {
  counterOf,
  namedFinderOf,
  type Ranking,
  type SearchParameters,
  type Set,
  sortedFinderOf,
  wordedFinderOf,
} from './search_statements.ts'

/*
 * A search finds products in two disjoint sets: those with the exact text in their name, SKU or barcode,
 * and those whose document has all its words in some form. The first set costs as much as a list and comes
 * first; the second is read only if the first does not fill the page. Among 20,000 products, a word that
 * names many of them costs 3 to 6 ms of CPU this way, and 12 to 28 as one ranked statement. If both sets
 * together are small, words may also stand for others of the same meaning, in any language, and the
 * products found that way come last. Only if that finds nothing are words treated as misspelt. Misspelt
 * ends are corrected earlier: the beginning of such a word finds too much, and the intended word finds its
 * products at less cost.
 */

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
  const { limit, offset, sort } = request
  const terms = searchTermsOf(filters.search)
  const values = { ...filterValuesOf(workspaceId, filters), query: '', limit, offset }
  const find = (sought: SearchTerms) => {
    const search = searchBy({ db, filters, values }, sought)
    return sort === undefined ? findByRank(search, sought) : findSorted(search, sought, sort)
  }
  const found = await find(terms)
  if (found.total > 0) return found
  const corrected = await correctedTerms({ db, values }, terms, found.counts)
  return corrected ? find(corrected) : found
}

type SearchValues = Omit<SearchParameters, 'pattern' | 'key'>

function searchBy(
  { values, ...place }: Omit<Search, 'values'> & { values: SearchValues },
  { pattern, key }: SearchTerms,
): Search {
  return { ...place, values: { ...values, pattern, key } }
}

/** With this many products, words of similar meaning are not tried. */
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
  const completed = before === 0 && (await completedTerms(search, terms, counts))
  if (completed) return findByRank(searchBy(search, completed), completed)
  const shared = await sharedTagsOf(search, terms, counts)
  const ranking = rankingOf(patternsOf(terms), shared)
  const worded = await findWorded(search, ranking, {
    query,
    limit: limit - named.length,
    offset: Math.max(0, offset - before),
  })
  const ids = [...named, ...worded]
  const isWhole = offset === 0 && ids.length < limit
  const total = isWhole ? ids.length : await totalOf(search, query, counts)
  const found = { ids, total, counts }
  // If products have it in their names, the word is one that the shop uses.
  const isNamed = named.length > 0 || (!isWhole && before > 0)
  if (isNamed || total >= enough) return found
  return (await findMeant(search, terms, { ...found, shared, ranking })) ?? found
}

/** The page, completed with products found by words of similar meaning. */
async function findMeant(
  search: Search,
  terms: SearchTerms,
  { total, counts, shared, ranking: spelled }: Found & { shared: SharedTags; ranking: Ranking },
): Promise<Found | undefined> {
  const { limit, offset } = search.values
  const wider = await widerQuery(search, terms, { total, counts })
  if (!wider) return undefined
  const before = { query: wider.spelled, limit: total, offset: 0 }
  const first = total === 0 ? [] : await findWorded(search, spelled, before)
  const ranking = { ...rankingOf(wider.names, shared), first }
  const ids = await findWorded(search, ranking, { query: wider.query, limit, offset })
  const isWhole = offset === 0 && ids.length < limit
  return { ids, total: isWhole ? ids.length : await totalOf(search, wider.query, counts), counts }
}

/** A query that finds more products than the `total` of the words as spelt. */
async function widerQuery(
  search: Search,
  terms: SearchTerms,
  { total, counts }: Pick<Found, 'total' | 'counts'>,
): Promise<(WideQuery & { spelled: string }) | undefined> {
  const spelled = await spelledQuery(search, terms, counts)
  const meant = await meantQuery(search, terms, counts)
  const isWider = meant.query !== spelled && (await totalOf(search, meant.query, counts)) > total
  return isWider ? { ...meant, spelled } : undefined
}

/** The order of the products whose names have these patterns, or tags that stand for several words. */
function rankingOf(names: NamePatterns, { tags, words }: SharedTags): Ranking {
  const untagged = [...names].flatMap(([word, root]) => (words.has(word) ? [] : [root]))
  return { first: [], roots: [...names.values()], tags, untagged }
}

const patternsOf = ({ words }: SearchTerms): NamePatterns =>
  new Map(words.map((word) => [word, patternOfName(word)]))

async function findWorded(
  { db, filters, values }: Search,
  ranking: Ranking,
  stretch: { query: string; limit: number; offset: number },
): Promise<string[]> {
  if (stretch.query === '') return []
  const find = wordedFinderOf(filters, ranking.tags.length > 0)
  const [row] = await find(db, { ...values, ...ranking, ...stretch })
  return row!.ids
}

async function findSorted(search: Search, terms: SearchTerms, sort: ProductSort): Promise<Found> {
  const { db, filters, values } = search
  const { counts } = (await namedFinderOf(filters)(db, { ...values, limit: 0 }))[0]!
  const isNamed = (await countOf(search, 'named', '', counts)) > 0
  const completed = !isNamed && (await completedTerms(search, terms, counts))
  if (completed) return findSorted(searchBy(search, completed), completed, sort)
  const query = await queryToSort(search, terms, { isNamed, counts })
  const [row] = await sortedFinderOf(filters, sort)(db, { ...values, query: query || nothing })
  const { ids, counts: current } = row!
  return { ids, total: await totalOf(search, query, current), counts: current }
}

/** The query that `findByRank` would use. */
async function queryToSort(
  search: Search,
  terms: SearchTerms,
  { isNamed, counts }: { isNamed: boolean; counts: ProductCounts },
): Promise<string> {
  const spelled = await spelledQuery(search, terms, counts)
  const total = await totalOf(search, spelled, counts)
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
  return remembered(identityOf(db), JSON.stringify(key), changes, async () => {
    const [row] = await counterOf(set, filters)(db, { ...values, query })
    return row!.total
  })
}
