import { exampleOf } from '../../src/core/examples.ts'
import type { components } from '../../src/generated/types.ts'
import type { Input, OperationId } from '../../src/operation.ts'
import type { Shop } from './seed.ts'
import { searches } from './vocabulary.ts'

/** A read with constant input. */
export interface FixedRead<Id extends OperationId = OperationId> {
  name: string
  operationId: Id
  path: string
  /** Headers in addition to the key. */
  headers?: Record<string, string>
  input: Input<Id>
}

export const pageSize = 20

type ListQuery = Input<'list_products'>['query']

/** The fixed reads of the bench, as paths and as input for the handler. */
export function fixedReads(shop: Shop, products: number): FixedRead[] {
  const { workspaceId } = shop
  const path = { workspaceId }
  const list = (name: string, query: Partial<ListQuery>): FixedRead<'list_products'> => {
    const search = new URLSearchParams(query as Record<string, string>).toString()
    return {
      name,
      operationId: 'list_products',
      path: `${productPath(workspaceId)}${search && `?${search}`}`,
      input: { path, query: { ...listDefaults, ...query }, body: undefined as never },
    }
  }
  const collections: FixedRead<'list_collections'> = {
    name: 'list_collections',
    operationId: 'list_collections',
    path: `/v1/workspaces/${workspaceId}/collections`,
    input: {
      path,
      query: { page: 1, pageSize, search: '', view: 'full' },
      body: undefined as never,
    },
  }
  const published: FixedRead<'list_published_products'> = {
    name: 'list, published',
    operationId: 'list_published_products',
    path: publishedPath(workspaceId),
    headers: visitorHeaders(shop),
    input: { path, query: { page: 1, pageSize, search: '' }, body: undefined as never },
  }
  return [
    list('list', {}),
    published,
    list('last page', { page: Math.ceil(products / pageSize) }),
    list('search, a common word', { search: searches.common }),
    list('search, a rare word', { search: searches.rare }),
    list('search, two characters', { search: searches.two }),
    collections,
  ] as FixedRead[]
}

const listDefaults: ListQuery = {
  page: 1,
  pageSize,
  search: '',
  view: 'full',
}

export function productPath(workspaceId: string, id = ''): string {
  return `/v1/workspaces/${workspaceId}/products${id && `/${id}`}`
}

/** The catalogue as the backend of a site reads it for a visitor. */
export function publishedPath(workspaceId: string, id = ''): string {
  return `/v1/workspaces/${workspaceId}/experience/products${id && `/${id}`}`
}

export function visitorHeaders({ visitorToken }: Shop): Record<string, string> {
  return { 'X-Visitor-Token': visitorToken }
}

/**
 * A product like the seeded ones, with a unique name, SKU and barcode. `n` selects the images:
 * writers that use the same image wait for each other.
 */
export function newProduct(
  { imageIds, tagIds }: Shop,
  mark: string,
  n = 0,
): components['schemas']['ProductCreate'] {
  return {
    ...exampleOf('ProductCreate'),
    name: `Gentle Rose Cream 50 ml ${mark}`,
    brand: 'Anatolia',
    sku: `NEW-${mark}`,
    barcode: `B${mark}`,
    stock: 12,
    status: 'ACTIVE',
    description: 'Gentle and light, with Rose for every day of the year.',
    information: 'Store in a cool, dry place.',
    imageIds: [imageIds[n % imageIds.length]!, imageIds[(n + 13) % imageIds.length]!],
    tagIds: tagIds.slice(0, 3),
    sales: [],
  }
}
