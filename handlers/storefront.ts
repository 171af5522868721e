import { type PageRequest, listJson } from '../src/core/paging.ts'
import type { Handler, Output } from '../src/operation.ts'
import { listProducts } from '../src/queries/catalogue/product_lists.ts'
import {
  getPublishedProduct,
  getPublishedProductBySlug,
  listPublishedCollectionProducts,
  listPublishedCollections,
  listPublishedTags,
  requirePublishedTag,
} from '../src/queries/catalogue/published.ts'

const stretch = ({ page, pageSize, search }: PageRequest & { search: string }) => {
  return { search, limit: pageSize, offset: (page - 1) * pageSize }
}

export const list_published_products: Handler<'list_published_products'> = async (
  { path, query },
  { db },
) => {
  const { products, total } = await listProducts(
    db,
    path.workspaceId,
    { ...published, search: query.search },
    { ...query, sort: '-createdAt', view: 'full' },
  )
  return listJson<Output<'list_published_products'>>('products', products, query, total)
}

const published = { status: 'ACTIVE', stock: undefined, tagId: undefined, collectionId: undefined }

export const get_published_product: Handler<'get_published_product'> = ({ path }, { db }) =>
  getPublishedProduct(db, path.workspaceId, path.productId)

export const get_published_product_by_slug: Handler<'get_published_product_by_slug'> = (
  { path },
  { db },
) => getPublishedProductBySlug(db, path.workspaceId, path.productSlug)

export const list_published_collections: Handler<'list_published_collections'> = async (
  { path, query },
  { db },
) => {
  const { workspaceId } = path
  const wanted = stretch(query)
  const { json, total } = await listPublishedCollections(db, workspaceId, wanted)
  return listJson<Output<'list_published_collections'>>('collections', json, query, total)
}

export const list_published_collection_products: Handler<
  'list_published_collection_products'
> = async ({ path, query }, { db }) => {
  const { workspaceId, collectionId } = path
  const { json, total } = await listPublishedCollectionProducts(
    db,
    workspaceId,
    collectionId,
    stretch(query),
  )
  return listJson<Output<'list_published_collection_products'>>('products', json, query, total)
}

export const list_published_tags: Handler<'list_published_tags'> = async (
  { path, query },
  { db },
) => {
  const { json, total } = await listPublishedTags(db, path.workspaceId, stretch(query))
  return listJson<Output<'list_published_tags'>>('tags', json, query, total)
}

export const list_published_tag_products: Handler<'list_published_tag_products'> = async (
  { path, query },
  { db },
) => {
  const { workspaceId, tagId } = path
  const { products, total } = await listProducts(
    db,
    workspaceId,
    { ...published, search: query.search, tagId },
    { ...query, sort: '-createdAt', view: 'full' },
  )
  // A tag with a product on this page is there; only an empty list leaves a doubt.
  if (total === 0) await requirePublishedTag(db, workspaceId, tagId)
  return listJson<Output<'list_published_tag_products'>>('products', products, query, total)
}

export const list_published_tag_collections: Handler<'list_published_tag_collections'> = async (
  { path, query },
  { db },
) => {
  const { workspaceId, tagId } = path
  const wanted = { ...stretch(query), tagId }
  const { json, total } = await listPublishedCollections(db, workspaceId, wanted)
  if (total === 0) await requirePublishedTag(db, workspaceId, tagId)
  return listJson<Output<'list_published_tag_collections'>>('collections', json, query, total)
}
