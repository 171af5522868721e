import type { components } from '../../src/generated/types.ts'
import type { Input, OperationId } from '../../src/operation.ts'
import type { Shop } from './seed.ts'
import { searches } from './vocabulary.ts'

/** A read that is the same every time. */
export interface FixedRead<Id extends OperationId = OperationId> {
  name: string
  operationId: Id
  path: string
  input: Input<Id>
}

export const pageSize = 20

type ListQuery = Input<'list_products'>['query']

/** The fixed reads of the bench, as addresses and as what the handler is given for them. */
export function fixedReads({ workspaceId }: Shop, products: number): FixedRead[] {
  const path = { workspaceId }
  const list = (name: string, query: Partial<ListQuery>): FixedRead<'list_products'> => {
    const search = new URLSearchParams(query as Record<string, string>).toString()
    return {
      ...{ name, operationId: 'list_products' },
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
  return [
    list('list', {}),
    list('last page', { page: Math.ceil(products / pageSize) }),
    list('search, a common word', { search: searches.common }),
    list('search, a rare word', { search: searches.rare }),
    list('search, two characters', { search: searches.two }),
    collections,
  ] as FixedRead[]
}

const listDefaults: ListQuery = {
  ...{ page: 1, pageSize, search: '' },
  ...{ sort: '-createdAt', view: 'full' },
}

export function productPath(workspaceId: string, id = ''): string {
  return `/v1/workspaces/${workspaceId}/products${id && `/${id}`}`
}

/**
 * A product like those of the seed, under a name, SKU and barcode of its own. Its number chooses
 * the images: writers that use the same image wait for each other.
 */
export function newProduct(
  { imageIds, tagIds }: Shop,
  mark: string,
  n = 0,
): components['schemas']['ProductCreate'] {
  return {
    ...{ name: `Gentle Rose Cream 50 ml ${mark}`, brand: 'Anatolia', sku: `NEW-${mark}` },
    ...{ barcode: `B${mark}`, stock: 12, status: 'ACTIVE' },
    description: 'Gentle and light, with Rose for every day of the year.',
    information: 'Store in a cool, dry place.',
    imageIds: [imageIds[n % imageIds.length]!, imageIds[(n + 13) % imageIds.length]!],
    tagIds: tagIds.slice(0, 3),
    sales: [],
  }
}
