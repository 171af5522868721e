import type { Kysely } from 'kysely'
import { invalidInput, notFound } from '../../core/errors.ts'
import { paginationOf } from '../../core/paging.ts'
import type { Database } from '../../db/schema.ts'
import { getPublishedQuestions, getQuestionLibrary } from '../../queries/catalogue/questions.ts'
import { getShopKnowledge } from '../../queries/site/shop_knowledge.ts'
import {
  type Card,
  findShownCollection,
  listCards,
  listCollectionCards,
  listShownCollections,
} from '../../queries/site/shop_windows.ts'
import { findShownProduct, keptFor } from '../pages/product.tsx'
import { maxSearch } from '../parts/header.tsx'
import { beginningOf } from '../parts/prose.tsx'
import { mostTokens, rowsWithin, shortenedRows, textWithin } from './tokens.ts'

/*
 * What agents of shoppers read of a shop: what its pages show to guests, as data. Nothing here writes,
 * asks the assistant or costs credits.
 */

type Given = Record<string, unknown>

/** The shop that an agent reads. */
export interface ReadShop {
  db: Kysely<Database>
  workspaceId: string
  /** The origin of its pages. */
  url: string
}

export interface ShopTool {
  name: string
  title: string
  description: string
  inputSchema: { type: 'object'; properties: Record<string, object>; required?: string[] }
  run(shop: ReadShop, given: Given): Promise<object>
}

/** Rows of a page: about two thousand tokens. */
const pageSize = 20

/** Tokens of an answer at most, but for its frame. The pages of the shop have the whole. */
const maxTokens = 3900

/** Characters of the texts in an answer. */
const shownText = { description: 3000, information: 4000, collection: 200, answer: 600 }
const shortName = { characters: 80, tokens: 45 }
/** Tokens of what a product has beside them: more would leave them no room. */
const besideTokens = { name: 500, brand: 200, sku: 300, tags: 300, soldAt: 700 }
const shownImages = 5
const shownSales = 10
const shownQuestions = 20

const page = { type: 'integer', minimum: 1, description: 'The page, from 1.' }
const slugOf = (what: string) => ({ type: 'string', description: `The slug of a ${what}.` })

const shortSays = 'Where texts are long, some have slug and name alone.'

export const shopTools: ShopTool[] = [
  {
    name: 'search_catalog',
    title: 'Search the catalog',
    description:
      'Finds products by words, best first; without a query all, newest first. A page has ' +
      `${pageSize} products. collection narrows it to one collection. ${shortSays}`,
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', maxLength: maxSearch, description: 'Words to search for.' },
        collection: slugOf('collection'),
        page,
      },
    },
    run: searchCatalog,
  },
  {
    name: 'get_product',
    title: 'Get a product',
    description: 'One product: texts, pictures, availability and where it is sold.',
    inputSchema: { type: 'object', properties: { slug: slugOf('product') }, required: ['slug'] },
    run: getProduct,
  },
  {
    name: 'list_collections',
    title: 'List collections',
    description: `The collections of the shop, newest first, ${pageSize} a page. ${shortSays}`,
    inputSchema: { type: 'object', properties: { page } },
    run: listCollections,
  },
  {
    name: 'get_questions',
    title: 'Get questions and answers',
    description:
      'What the shop answers of itself, such as shipping; with slug, the questions of a product. ' +
      'A question whose answer is null can be put to the assistant on the page. more counts those ' +
      'left out, and names the page that has them.',
    inputSchema: { type: 'object', properties: { slug: slugOf('product') } },
    run: getQuestions,
  },
]

async function searchCatalog({ db, workspaceId, url }: ReadShop, given: Given): Promise<object> {
  const place = { page: pageIn(given), pageSize }
  const search = textIn(given, 'query', maxSearch) ?? ''
  const slug = textIn(given, 'collection')
  const collection =
    slug === undefined ? undefined : await findShownCollection(db, { workspaceId, slug })
  if (slug !== undefined && !collection) throw notFound('collection')
  const { cards, total } =
    collection && search === ''
      ? await listCollectionCards(db, workspaceId, collection.id, place)
      : await listCards(db, workspaceId, { search, collectionId: collection?.id }, place)
  return {
    products: shortenedRows(cards.map(asRow(url)), maxTokens, inShort),
    pagination: paginationOf(place.page, pageSize, total),
  }
}

const inShort = ({ slug, name }: { slug: string; name: string }) => ({
  slug,
  name: textWithin(name, shortName.characters, shortName.tokens),
})

const asRow =
  (url: string) =>
  ({ slug, name, brand, isAvailable, cover }: Card) => ({
    slug,
    name,
    brand,
    available: isAvailable,
    url: `${url}/p/${slug}`,
    image: cover,
  })

async function productIn({ db, workspaceId }: ReadShop, given: Given) {
  const slug = textIn(given, 'slug')
  if (slug === undefined) throw invalidInput({ slug: 'required' })
  const product = await findShownProduct(db, workspaceId, slug)
  if (!product) throw notFound('product')
  return product
}

async function getProduct(shop: ReadShop, given: Given): Promise<object> {
  const product = await productIn(shop, given)
  const { slug, name, brand, sku, description, information, stock } = product
  const { tags, sales, images } = product
  const beside = {
    slug,
    name: textWithin(name, name.length, besideTokens.name),
    brand: textWithin(brand, brand.length, besideTokens.brand),
    sku: textWithin(sku, sku.length, besideTokens.sku),
    available: stock > 0,
    url: `${shop.url}/p/${slug}`,
    tags: rowsWithin(tags, besideTokens.tags).map((tag) => tag.name),
    images: images.slice(0, shownImages).map((image) => image.url),
    // Through the shop, which counts who leaves for where.
    soldAt: rowsWithin(
      sales
        .slice(0, shownSales)
        .map((sale, index) => ({ name: sale.name, url: `${shop.url}/out/${slug}/${index}` })),
      besideTokens.soldAt,
    ),
  }
  const room = maxTokens - mostTokens(JSON.stringify(beside))
  const first = textWithin(description, shownText.description, room / 2)
  const rest = room - mostTokens(first)
  return {
    ...beside,
    description: first,
    information: textWithin(information, shownText.information, rest),
  }
}

async function listCollections({ db, workspaceId, url }: ReadShop, given: Given): Promise<object> {
  const place = { page: pageIn(given), pageSize }
  const { collections, total } = await listShownCollections(db, workspaceId, place)
  const rows = collections.map(({ slug, name, description, products }) => ({
    slug,
    name,
    description: beginningOf(description, shownText.collection),
    products,
    url: `${url}/c/${slug}`,
  }))
  return {
    collections: shortenedRows(rows, maxTokens, inShort),
    pagination: paginationOf(place.page, pageSize, total),
  }
}

interface Answered {
  question: string
  answer: string | null
}

async function getQuestions(shop: ReadShop, given: Given): Promise<object> {
  const { db, workspaceId, url } = shop
  if (given.slug === undefined) {
    const knowledge = await getShopKnowledge(db, workspaceId)
    const library = await getQuestionLibrary(db, workspaceId)
    const known = knowledge.map(({ question, answer }) => answered(question, answer))
    const open = library.map(({ text }) => answered(text, null))
    return questionsOf([...known, ...open], `${url}/faq`)
  }
  const { id, slug } = await productIn(shop, given)
  const asked = await getPublishedQuestions(db, workspaceId, id)
  const kept = await keptFor(db, workspaceId, id, asked)
  const answerTo = new Map(kept.map(({ question, answer }) => [question, answer]))
  const questions = asked.map(({ text }) => answered(text, answerTo.get(text) ?? null))
  return questionsOf(questions, `${url}/p/${slug}`)
}

const answered = (question: string, answer: string | null): Answered => ({
  question,
  answer: answer === null ? null : beginningOf(answer, shownText.answer),
})

function questionsOf(questions: Answered[], page: string): object {
  const shown = rowsWithin(questions.slice(0, shownQuestions), maxTokens)
  const count = questions.length - shown.length
  return { questions: shown, ...(count > 0 && { more: { count, url: page } }) }
}

const maxPage = 1_000_000

function pageIn({ page: given = 1 }: Given): number {
  if (!Number.isInteger(given)) throw invalidInput({ page: 'mustBeInteger' })
  const number = given as number
  if (number < 1) throw invalidInput({ page: ['minimum', { limit: 1 }] })
  if (number > maxPage) throw invalidInput({ page: ['maximum', { limit: maxPage }] })
  return number
}

/** A text among the arguments, undefined if it is not given. No slug is longer than its limit. */
function textIn(given: Given, name: string, limit = 200): string | undefined {
  const text = given[name]
  if (text === undefined) return undefined
  if (typeof text !== 'string') throw invalidInput({ [name]: 'mustBeString' })
  if (text.length > limit) throw invalidInput({ [name]: ['maxLength', { count: limit }] })
  return text
}
