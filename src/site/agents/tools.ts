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

/** Characters of a product's texts: an answer stays below four thousand tokens. The page has them whole. */
const shownText = { description: 3000, information: 4000, collection: 200, answer: 600 }
const shownImages = 5
const shownSales = 10
const shownQuestions = 20

const page = { type: 'integer', minimum: 1, description: 'The page, from 1.' }
const slugOf = (what: string) => ({ type: 'string', description: `The slug of a ${what}.` })

export const shopTools: ShopTool[] = [
  {
    name: 'search_catalog',
    title: 'Search the catalog',
    description:
      'Finds products by words, best first; without a query all, newest first. A page has ' +
      `${pageSize} products. collection narrows it to one collection.`,
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
    description: `The collections of the shop, newest first, ${pageSize} a page.`,
    inputSchema: { type: 'object', properties: { page } },
    run: listCollections,
  },
  {
    name: 'get_questions',
    title: 'Get questions and answers',
    description:
      'What the shop answers of itself, such as shipping; with slug, the questions of a product. ' +
      'A question whose answer is null can be put to the assistant on the page.',
    inputSchema: { type: 'object', properties: { slug: slugOf('product') } },
    run: getQuestions,
  },
]

async function searchCatalog({ db, workspaceId, url }: ReadShop, given: Given): Promise<object> {
  const place = { page: pageIn(given), pageSize }
  const search = textIn(given, 'query', maxSearch) ?? ''
  const slug = textIn(given, 'collection')
  if (slug === undefined) {
    const { cards, total } = await listCards(db, workspaceId, { search }, place)
    return {
      products: cards.map(asRow(url)),
      pagination: paginationOf(place.page, pageSize, total),
    }
  }
  const collection = await findShownCollection(db, { workspaceId, slug })
  if (!collection) throw notFound('collection')
  const { cards, total } =
    search === ''
      ? await listCollectionCards(db, workspaceId, collection.id, place)
      : await listCards(db, workspaceId, { search, collectionId: collection.id }, place)
  return { products: cards.map(asRow(url)), pagination: paginationOf(place.page, pageSize, total) }
}

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
  return {
    slug,
    name,
    brand,
    sku,
    available: stock > 0,
    url: `${shop.url}/p/${slug}`,
    description: beginningOf(description, shownText.description),
    information: beginningOf(information, shownText.information),
    tags: product.tags.map((tag) => tag.name),
    images: product.images.slice(0, shownImages).map((image) => image.url),
    // Through the shop, which counts who leaves for where.
    soldAt: product.sales
      .slice(0, shownSales)
      .map((sale, index) => ({ name: sale.name, url: `${shop.url}/out/${slug}/${index}` })),
  }
}

async function listCollections({ db, workspaceId, url }: ReadShop, given: Given): Promise<object> {
  const place = { page: pageIn(given), pageSize }
  const { collections, total } = await listShownCollections(db, workspaceId, place)
  return {
    collections: collections.map(({ slug, name, description, products }) => ({
      slug,
      name,
      description: beginningOf(description, shownText.collection),
      products,
      url: `${url}/c/${slug}`,
    })),
    pagination: paginationOf(place.page, pageSize, total),
  }
}

interface Answered {
  question: string
  answer: string | null
}

async function getQuestions(shop: ReadShop, given: Given): Promise<{ questions: Answered[] }> {
  const { db, workspaceId } = shop
  const answered = (question: string, answer: string | null): Answered => ({
    question,
    answer: answer === null ? null : beginningOf(answer, shownText.answer),
  })
  if (given.slug === undefined) {
    const knowledge = await getShopKnowledge(db, workspaceId)
    const library = await getQuestionLibrary(db, workspaceId)
    const known = knowledge.map(({ question, answer }) => answered(question, answer))
    const open = library.map(({ text }) => answered(text, null))
    return { questions: [...known, ...open].slice(0, shownQuestions) }
  }
  const { id } = await productIn(shop, given)
  const asked = await getPublishedQuestions(db, workspaceId, id)
  const kept = await keptFor(db, workspaceId, id, asked)
  const answerTo = new Map(kept.map(({ question, answer }) => [question, answer]))
  return {
    questions: asked
      .slice(0, shownQuestions)
      .map(({ text }) => answered(text, answerTo.get(text) ?? null)),
  }
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
