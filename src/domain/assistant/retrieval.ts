import type { Kysely } from 'kysely'
import { mapInTurns } from '../../core/turns.ts'
import { lookUpsOf, sameWord, wordsOf } from '../../core/words.ts'
import type { Database } from '../../db/schema.ts'
import {
  listHits,
  listPublishedProducts,
  listTagged,
  listTagNames,
  listWithAll,
  type PublishedProduct,
  type Term,
} from '../../queries/catalogue/catalogue_search.ts'
import type { AiShop, UserProfile } from './ai_model.ts'
import { type Topic, topicsOf } from './vocabulary.ts'

/** A topic found in this many products is too common to rank by. */
const common = 200
const maxTags = 1_000
/** Maximum number of products to read and compare, and the text read of each. */
const maxRead = 60
const readCharacters = 8_000

/** Published products that match a text, best first; deterministic. */
export async function findProductsFor(
  db: Kysely<Database>,
  shop: AiShop,
  text: string,
  limit: number,
): Promise<PublishedProduct[]> {
  return (await findProducts(db, shop, topicsOf(text, shop.sector))).slice(0, limit)
}

/** A visitor's profile as a search text. */
export function profileText({ skinType, concerns, goals, notes }: UserProfile): string {
  return [skinType, ...(concerns ?? []), ...(goals ?? []), notes].filter(Boolean).join(' ')
}

/**
 * Published products by topics covered, most first. The database picks the candidates: products
 * with a rare topic, and products with all topics. Only those are read and compared, so the cost
 * hardly depends on the size of the catalogue.
 */
export async function findProducts(
  db: Kysely<Database>,
  { workspaceId }: AiShop,
  topics: readonly Topic[],
): Promise<PublishedProduct[]> {
  if (topics.length === 0) return []
  const terms = topics.map(termOf)
  const [hits, tagged, complete] = await Promise.all([
    listHits(db, workspaceId, terms, common),
    listByTags(db, workspaceId, topics),
    listWithMost(db, workspaceId, topics),
  ])
  const scores = new Map<string, number>()
  for (const [index, { weight }] of topics.entries()) {
    const matches = [hits[index]!, tagged[index]!].filter((ids) => ids.length < common).flat()
    for (const id of new Set(matches)) scores.set(id, (scores.get(id) ?? 0) + weight)
  }
  const rare = [...scores].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([id]) => id)
  const ids = [...new Set([...complete, ...rare.slice(0, maxRead)])]
  const products = await listPublishedProducts(db, workspaceId, ids, readCharacters)
  const scored = await mapInTurns(products, (product) => {
    return { product, covered: coveredBy(product, topics) }
  })
  return scored
    .filter(({ covered }) => covered > 0)
    .sort((a, b) => b.covered - a.covered || (a.product.id < b.product.id ? -1 : 1))
    .map(({ product }) => product)
}

function termOf({ words }: Topic): Term {
  return words.flatMap(lookUpsOf)
}

/** Products with all topics; if there are none, drop the lightest topic and try again. */
async function listWithMost(
  db: Kysely<Database>,
  workspaceId: string,
  topics: readonly Topic[],
): Promise<string[]> {
  const byWeight = [...topics].sort((a, b) => b.weight - a.weight)
  for (let count = byWeight.length; count > 0; count--) {
    const terms = byWeight.slice(0, count).map(termOf)
    const ids = await listWithAll(db, workspaceId, terms, maxRead)
    if (ids.length > 0) return ids
  }
  return []
}

async function listByTags(
  db: Kysely<Database>,
  workspaceId: string,
  topics: readonly Topic[],
): Promise<string[][]> {
  const tags = (await listTagNames(db, workspaceId, maxTags)).map(({ id, name }) => {
    return { id, words: wordsOf(name) }
  })
  return Promise.all(
    topics.map((topic) => {
      const ids = tags.filter(({ words }) => covers(words, topic)).map(({ id }) => id)
      return listTagged(db, workspaceId, ids, common)
    }),
  )
}

const verdicts = new WeakMap<Topic, Map<string, boolean>>()

/** Whether any of the words matches the topic. Long texts repeat words, so results are cached. */
export function covers(words: readonly string[], topic: Topic): boolean {
  const cache = verdicts.get(topic) ?? new Map<string, boolean>()
  verdicts.set(topic, cache)
  return words.some((word) => {
    const verdict = cache.get(word) ?? topic.words.some((synonym) => sameWord(synonym, word))
    cache.set(word, verdict)
    return verdict
  })
}

function coveredBy(product: PublishedProduct, topics: readonly Topic[]): number {
  const { name, brand, tags, description, information } = product
  const words = [...new Set(wordsOf([name, brand, ...tags, description, information].join(' ')))]
  return topics.reduce((sum, topic) => sum + (covers(words, topic) ? topic.weight : 0), 0)
}
