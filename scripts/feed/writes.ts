import { callShop, type FeedShop } from './shop.ts'

type Random = (below: number) => number

/** Ids in play, shared by the writers; those that were deleted stay and are refused. */
export interface Known {
  products: string[]
  tags: string[]
  collections: string[]
}

const productOf = (random: Random, tagIds: string[]) => {
  const code = `${random(1e9).toString(36)}-${random(1e9).toString(36)}`
  return {
    name: code,
    brand: 'A brand',
    sku: code,
    barcode: code,
    stock: random(3),
    status: ['ACTIVE', 'INACTIVE', 'DELETED'][random(3)],
    description: '',
    information: '',
    imageIds: [],
    tagIds,
    sales: [],
  }
}

/** One random write; whether it was answered. A call whose service was killed may have been done. */
export async function writeAtRandom(
  api: string,
  shop: FeedShop,
  known: Known,
  random: Random,
): Promise<boolean> {
  const one = (ids: string[]) => ids[random(ids.length)] ?? 'none'
  const [product, tag, collection] = [one(known.products), one(known.tags), one(known.collections)]
  const name = `name ${random(1e9)}`
  const writes: [string, string, object?][] = [
    ['POST', 'products', productOf(random, random(2) === 0 || tag === 'none' ? [] : [tag])],
    ['POST', 'products', productOf(random, [])],
    ['PUT', `products/${product}`, productOf(random, [])],
    ['PATCH', `products/${product}`, { stock: random(5) }],
    ['PATCH', `products/${product}`, { brand: name }],
    ['DELETE', `products/${product}`],
    ['POST', `products/${product}/tags/${tag}`],
    ['DELETE', `products/${product}/tags/${tag}`],
    ['POST', 'tags', { name }],
    ['PUT', `tags/${tag}`, { name }],
    ['DELETE', `tags/${random(4) === 0 ? tag : 'none'}`],
    ['POST', 'collections', { name, description: '', imageId: null, tagIds: [] }],
    ['PATCH', `collections/${collection}`, { name }],
    ['DELETE', `collections/${random(4) === 0 ? collection : 'none'}`],
    ['POST', `collections/${collection}/products/${product}`],
    ['DELETE', `collections/${collection}/products/${product}`],
    ['PUT', 'website', { headline: name }],
  ]
  const [method, path, body] = writes[random(writes.length)]!
  const answer = await callShop(api, shop, path, { method, ...(body ? { body } : {}) })
  if (!answer) return false
  const { id = '' } = answer.json as { id?: string }
  const kinds = { prod_: known.products, tag_: known.tags, coll_: known.collections }
  if (answer.status === 200 && method === 'POST')
    for (const [prefix, ids] of Object.entries(kinds))
      if (id.startsWith(prefix) && !ids.includes(id)) ids.push(id)
  if (answer.status >= 500 && answer.status !== 503) throw new Error(JSON.stringify(answer.json))
  return answer.status < 500
}
