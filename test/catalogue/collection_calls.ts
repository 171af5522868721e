import { sql } from 'kysely'
import { expect } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import type { components } from '../../src/generated/types.ts'
import { type Collection, type Product, type Shop } from '../kit/catalogue.ts'
import { unique } from '../kit/service.ts'

type CollectionList = components['schemas']['CollectionList']
type CollectionProduct = components['schemas']['CollectionProduct']
type CollectionProductList = components['schemas']['CollectionProductList']
type Query = Record<string, string>

export const read = async (shop: Shop, id: string) =>
  (await shop.api.get(shop.at(`collections/${id}`))).body as Collection
export const addProduct = (shop: Shop, id: string, productId: string) =>
  shop.api.post(shop.at(`collections/${id}/products/${productId}`))
export const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id)

export async function list(shop: Shop, query: Query = {}): Promise<CollectionList> {
  const answer = await shop.api.get(shop.at('collections')).query(query)
  expect(answer.status).toBe(200)
  return answer.body as CollectionList
}

export async function listProducts(shop: Shop, id: string, query: Query = {}) {
  const answer = await shop.api.get(shop.at(`collections/${id}/products`)).query(query)
  expect(answer.status).toBe(200)
  return answer.body as CollectionProductList
}

/** The product as a collection shows it. */
export function summaryOf(product: Product): CollectionProduct {
  const { id, name, brand, slug, sku, stock, status, images, tags, createdAt, updatedAt } = product
  return { id, name, brand, slug, sku, stock, status, images, tags, createdAt, updatedAt }
}

/** Fills a collection directly in the database. */
export async function fill(
  { service, workspaceId }: Pick<Shop, 'service' | 'workspaceId'>,
  collectionId: string,
  count: number,
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId('prod'))
  const base = unique('filling')
  await sql`
    insert into products (id, workspace_id, name, brand, slug, description, information, sales, sku,
      barcode, stock, status, name_key, sku_key, barcode_key, search, created_at, updated_at)
    select id, ${workspaceId}, ${base} || place, 'b', ${base} || place, '', '', '[]', place, place,
      1, 'ACTIVE', sha256((${base} || place)::bytea), sha256((${base} || place)::bytea),
      sha256((${base} || place)::bytea), ${base} || place, ${service.now()}, ${service.now()}
    from unnest(${ids}::text[]) with ordinality as given (id, place)`.execute(service.db)
  await sql`insert into collection_products (workspace_id, collection_id, product_id, position)
    select ${workspaceId}, ${collectionId}, id, place from unnest(${ids}::text[]) with ordinality as g (id, place)
    `.execute(service.db)
  return ids
}
