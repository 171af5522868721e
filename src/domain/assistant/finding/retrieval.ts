import type { Kysely } from 'kysely'
import { mapInTurns } from '../../../fairness/yielding.ts'
import { wordsOfNeed } from '../../../language/need_patterns.ts'
import { type LookUp, lookUpOfBeginning, lookUpsOf } from '../../../language/words.ts'
import type { Database } from '../../../db/schema.ts'
import {
  anyOf,
  listPublishedIds,
  listPublishedProducts,
  type PublishedProduct,
} from '../../../queries/catalogue/search/catalogue_search.ts'
import { getCatalogueCounts } from '../../../queries/catalogue/counters.ts'
import { listCandidates } from '../../../queries/catalogue/search/candidates.ts'
import { tagNamesInShop } from '../../../queries/catalogue/search/tag_words.ts'
import type { AiShop, UserProfile } from '../ai_model.ts'
import { beginningsOf } from '../../../language/lexicon.ts'
import { admittedOf } from './admission.ts'
import { constraintsOf } from '../understanding/constraints.ts'
import { strengthOf, strengthOrNear, wordsIn, type TextWords } from './strength.ts'
import { textsOf } from './product_texts.ts'
import { type Term, termsOf } from '../understanding/questions.ts'
import { strong } from './weights.ts'

/** A term found in this many products is too common to rank by. */
const common = 200
/** Maximum number of products to read and compare, and the text read of each. */
const maxRead = 40
const maxReadOfGroup = 12
const readCharacters = 4_000
/** Terms and words that are looked up; the rest of a long message is not. */
const maxTerms = 12
const maxLookUps = 60

/** Published products that match a text, best first; deterministic. */
export async function findProductsFor(
  db: Kysely<Database>,
  shop: AiShop,
  text: string,
  limit: number,
): Promise<PublishedProduct[]> {
  const constraints = await constraintsOf([text], shop.synonyms)
  const found = await findProducts(db, shop, termsOf(text, shop.synonyms))
  const admitted = await admittedOf(
    found.map(({ product }) => product),
    constraints,
  )
  return [...admitted].slice(0, limit)
}

/** A catalogue with at most so many products is shown whole to a model. */
const smallCatalogue = 20

/** Products that match a text, best first, then all others of a small catalogue. */
export async function findProductsOrAll(
  db: Kysely<Database>,
  shop: AiShop,
  text: string,
  limit: number,
): Promise<PublishedProduct[]> {
  const found = await findProductsFor(db, shop, text, limit)
  const ids = await listPublishedIds(db, shop.workspaceId, smallCatalogue + 1)
  if (ids.length > smallCatalogue) return found
  const others = ids.filter((id) => !found.some((product) => product.id === id))
  return [...found, ...(await listPublishedProducts(db, shop.workspaceId, others, readCharacters))]
}

/** A visitor's profile as a search text, each part of it in a line: a type of skin may stand alone. */
export function profileText({ skinType, concerns, goals, notes }: UserProfile): string {
  return [skinType, ...(concerns ?? []), ...(goals ?? []), notes].filter(Boolean).join('\n')
}

/** A product that was found, and the terms it covers by name and tags, in its first sentence, and anywhere. */
export interface FoundProduct {
  product: PublishedProduct
  named: Term[]
  opening: Term[]
  covered: Term[]
  score: number
}

/**
 * Published products by terms covered, most first. The database picks the candidates, products with
 * all terms before others, so the cost hardly depends on the size of the catalogue; only those are
 * read and compared.
 */
export async function findProducts(
  db: Kysely<Database>,
  shop: AiShop,
  allTerms: readonly Term[],
): Promise<FoundProduct[]> {
  const terms = allTerms.slice(0, maxTerms)
  if (terms.length === 0) return []
  const { tags, place } = await readPlace(db, shop)
  const queries = queriesOf(tags, terms)
  const heavy = queries.filter((_, index) => !terms[index]!.isLight)
  const [together = [], ...hits] = await listCandidates(
    db,
    place,
    [(heavy.length > 0 ? heavy : queries).join(' & '), ...queries],
    common,
  )
  const scores = new Map(together.map((id) => [id, terms.length]))
  for (const [index, term] of terms.entries()) {
    const ids = hits[index]!
    const weight = (term.isLight ? 0.25 : 1) / Math.sqrt(1 + ids.length / 20)
    for (const id of ids) scores.set(id, (scores.get(id) ?? 0) + weight)
  }
  const best = bestOf(scores, maxRead)
  return comparedBest(await readProducts(db, shop, best), best, terms)
}

/** Products with some of the terms, and all others of a small catalogue, compared with them all the same. */
export async function findProductsOfAll(
  db: Kysely<Database>,
  shop: AiShop,
  allTerms: readonly Term[],
): Promise<FoundProduct[]> {
  const terms = allTerms.slice(0, maxTerms)
  const ids = await listPublishedIds(db, shop.workspaceId, smallCatalogue + 1)
  if (ids.length > smallCatalogue) return findProducts(db, shop, terms)
  const products = await listPublishedProducts(db, shop.workspaceId, ids, readCharacters)
  return mapInTurns(products, (product) => comparedNearly(product, terms))
}

/** Published products with all of the terms, best first. */
export async function findProductsWithAll(
  db: Kysely<Database>,
  shop: AiShop,
  terms: readonly Term[],
): Promise<FoundProduct[]> {
  if (terms.length === 0 || terms.length > maxTerms) return []
  const { tags, place } = await readPlace(db, shop)
  const [ids = []] = await listCandidates(db, place, [queriesOf(tags, terms).join(' & ')], common)
  const best = ids.slice(0, maxRead)
  return comparedBest(await readProducts(db, shop, best), best, terms)
}

/**
 * For each group of terms, published products with one of them: those that also have what is wished
 * for first.
 */
export async function findForGroups(
  db: Kysely<Database>,
  shop: AiShop,
  groups: readonly (readonly Term[])[],
  allWishes: readonly Term[],
): Promise<FoundProduct[][]> {
  const wishes = allWishes.slice(0, maxTerms)
  const either = (queries: readonly string[]) => `(${queries.join(' | ')})`
  const { tags, place } = await readPlace(db, shop)
  const wished = either(queriesOf(tags, wishes))
  const queries = groups.flatMap((group) => {
    const plain = either(queriesOf(tags, group))
    return wishes.length > 0 ? [plain, `${plain} & ${wished}`] : [plain]
  })
  const hits = await listCandidates(db, place, queries, common)
  const best = groups.map((_, index) => {
    const scores = new Map<string, number>()
    const own = wishes.length > 0 ? hits.slice(index * 2, index * 2 + 2) : [hits[index]!]
    for (const [rank, ids] of own.entries()) for (const id of ids) scores.set(id, rank)
    return bestOf(scores, maxReadOfGroup)
  })
  const products = await readProducts(db, shop, best.flat())
  return Promise.all(
    groups.map((group, index) => comparedBest(products, best[index]!, [...wishes, ...group])),
  )
}

/** A query for each term: by its word, the words of its meanings, and the tags they name. */
function queriesOf(tags: readonly Tag[], terms: readonly Term[]): string[] {
  return terms.map((term) => anyOf([...lookUpsFor(term), ...tagsNamed(tags, term)]))
}

/** The candidates with the best scores. */
function bestOf(scores: ReadonlyMap<string, number>, limit: number): string[] {
  return [...scores]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, limit)
    .map(([id]) => id)
}

type Products = ReadonlyMap<string, PublishedProduct>

/** Reads each product once, however many groups it is in. */
async function readProducts(
  db: Kysely<Database>,
  { workspaceId }: AiShop,
  ids: readonly string[],
): Promise<Products> {
  const products = await listPublishedProducts(db, workspaceId, ids, readCharacters)
  return new Map(products.map((product) => [product.id, product]))
}

/** Compares products with the terms, best first. */
async function comparedBest(
  products: Products,
  ids: readonly string[],
  terms: readonly Term[],
): Promise<FoundProduct[]> {
  const candidates = ids.flatMap((id) => products.get(id) ?? [])
  const found = await mapInTurns(candidates, (product) => compared(product, terms))
  return found
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.product.id < b.product.id ? -1 : 1))
}

/** What to look a term up by: its word, its synonyms, and the words of its meanings. */
function lookUpsFor({ word, meanings, need, synonyms = [] }: Term): LookUp[] {
  const ofNeed = need === undefined ? [] : wordsOfNeed(need)
  const own = [word, ...ofNeed, ...synonyms.flat()].flatMap(lookUpsOf)
  const lookUps = new Map(own.map((lookUp) => [lookUp.word, lookUp]))
  for (const beginning of meanings.flatMap(beginningsOf))
    if (lookUps.size < maxLookUps && !lookUps.has(beginning))
      lookUps.set(beginning, lookUpOfBeginning(beginning))
  return [...lookUps.values()]
}

/** How many of the terms a product has, and where. */
export function compared(product: PublishedProduct, terms: readonly Term[]): FoundProduct {
  const { names, opening: first, all } = textsOf(product)
  const opening = terms.filter((term) => strengthOf(term, first) >= strong)
  const named = terms.filter((term) => strengthOf(term, names) >= strong)
  const covered = terms.filter((term) => strengthOf(term, all) >= strong)
  const weight = (term: Term) => (term.isLight ? 0.25 : 1)
  const sum = (some: readonly Term[]) => some.reduce((total, term) => total + weight(term), 0)
  return { product, named, opening, covered, score: sum(covered) + sum(named) * 0.5 }
}

/** As `compared`, but words that lie near a term name a product, too: few are compared like this. */
function comparedNearly(product: PublishedProduct, terms: readonly Term[]): FoundProduct {
  const { names, opening } = textsOf(product)
  const isNear = (words: TextWords) => (term: Term) =>
    strengthOrNear(term, words, words.words) >= strong
  return {
    ...compared(product, terms),
    named: terms.filter(isNear(names)),
    opening: terms.filter(isNear(opening)),
  }
}

interface Tag {
  id: string
  words: TextWords
}

/** The catalogue as it is now, and its tags. */
async function readPlace(db: Kysely<Database>, { workspaceId }: AiShop) {
  const { changes } = await getCatalogueCounts(db, workspaceId)
  const names = await tagNamesInShop(db, workspaceId, changes)
  return { place: { workspaceId, changes }, tags: tagsWith(names) }
}

const tagLists = new WeakMap<object, Tag[]>()

/** The words of tags, made once for each list of them. */
function tagsWith(names: readonly { id: string; name: string }[]): Tag[] {
  const known = tagLists.get(names)
  if (known) return known
  const tags = names.map(({ id, name }) => ({ id, words: wordsIn(name) }))
  tagLists.set(names, tags)
  return tags
}

/** Documents hold the ids of tags: those whose name has the term are looked up with its words. */
function tagsNamed(tags: readonly Tag[], term: Term): LookUp[] {
  return tags
    .filter(({ words }) => strengthOf(term, words) >= strong)
    .slice(0, maxLookUps)
    .map(({ id }) => ({ word: id, prefix: false }))
}
