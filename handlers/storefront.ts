import { type PageRequest, listJson } from '../src/core/paging.ts'
import type { Handler, Output } from '../src/operation.ts'
import { listProducts } from '../src/queries/catalogue/product_lists.ts'
import {
  getPublishedCollection,
  getPublishedCollectionBySlug,
  getPublishedProduct,
  getPublishedProductBySlug,
  listPublishedCollectionProducts,
  listPublishedCollections,
  listPublishedTags,
  requirePublishedTag,
} from '../src/queries/catalogue/published.ts'
import { getPublishedQuestions } from '../src/queries/catalogue/questions.ts'

const rowsOf = ({ page, pageSize, search }: PageRequest & { search: string }) => {
  return { search, limit: pageSize, offset: (page - 1) * pageSize }
}

export const list_published_products: Handler<'list_published_products'> = async (
  { path, query },
  { db },
) => {
  const { page, pageSize, sort, search, stock, tagId } = query
  const { products, total } = await listProducts(
    db,
    path.workspaceId,
    { search, stock, tagId, ...published },
    { page, pageSize, sort, view: 'full' },
  )
  return listJson<Output<'list_published_products'>>('products', products, query, total)
}

const published = { status: ['ACTIVE' as const] }

export const get_published_product: Handler<'get_published_product'> = ({ path }, { db }) =>
  getPublishedProduct(db, path.workspaceId, path.productId)

export const get_published_product_by_slug: Handler<'get_published_product_by_slug'> = (
  { path },
  { db },
) => getPublishedProductBySlug(db, path.workspaceId, path.productSlug)

export const list_published_product_questions: Handler<'list_published_product_questions'> = async (
  { path },
  { db },
) => ({
  questions: await getPublishedQuestions(db, path.workspaceId, path.productId),
})

export const get_published_collection: Handler<'get_published_collection'> = ({ path }, { db }) =>
  getPublishedCollection(db, path.workspaceId, path.collectionId)

export const get_published_collection_by_slug: Handler<'get_published_collection_by_slug'> = (
  { path },
  { db },
) => getPublishedCollectionBySlug(db, path.workspaceId, path.collectionSlug)

export const list_published_collections: Handler<'list_published_collections'> = async (
  { path, query },
  { db },
) => {
  const { workspaceId } = path
  const rows = rowsOf(query)
  const { json, total } = await listPublishedCollections(db, workspaceId, rows)
  return listJson<Output<'list_published_collections'>>('collections', json, query, total)
}

export const list_published_collection_products: Handler<
  'list_published_collection_products'
> = async ({ path, query }, { db }) => {
  const { workspaceId, collectionId } = path
  const { stock, tagId, sort } = query
  const { json, total } = await listPublishedCollectionProducts(db, workspaceId, collectionId, {
    ...rowsOf(query),
    stock,
    tagId,
    sort,
  })
  return listJson<Output<'list_published_collection_products'>>('products', json, query, total)
}

export const list_published_tags: Handler<'list_published_tags'> = async (
  { path, query },
  { db },
) => {
  const { json, total } = await listPublishedTags(db, path.workspaceId, rowsOf(query))
  return listJson<Output<'list_published_tags'>>('tags', json, query, total)
}

export const list_published_tag_products: Handler<'list_published_tag_products'> = async (
  { path, query },
  { db },
) => {
  const { workspaceId, tagId } = path
  const { page, pageSize, sort, search, stock } = query
  const { products, total } = await listProducts(
    db,
    workspaceId,
    { search, stock, ...published, tagId },
    { page, pageSize, sort, view: 'full' },
  )
  // A tag with products exists; check only if the list is empty.
  if (total === 0) await requirePublishedTag(db, workspaceId, tagId)
  return listJson<Output<'list_published_tag_products'>>('products', products, query, total)
}

export const list_published_tag_collections: Handler<'list_published_tag_collections'> = async (
  { path, query },
  { db },
) => {
  const { workspaceId, tagId } = path
  const rows = { ...rowsOf(query), tagId }
  const { json, total } = await listPublishedCollections(db, workspaceId, rows)
  if (total === 0) await requirePublishedTag(db, workspaceId, tagId)
  return listJson<Output<'list_published_tag_collections'>>('collections', json, query, total)
}
