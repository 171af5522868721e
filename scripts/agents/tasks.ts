/** What a task sees of the shop: tools, and what to tell the service beside them. */
export interface Shop {
  call: <T = Json>(tool: string, args?: Json) => Promise<T>
  /** Lets visitors view these products so often. */
  view: (productId: string, times: number) => Promise<void>
  /** Addresses of three pictures. */
  pictures: string[]
}

export type Json = Record<string, unknown>

/** Work that an owner asks of a model, done with the calls that the instructions lead it to. */
export interface Task {
  name: string
  /** Limits: no more than these are needed. */
  calls: number
  tokens: number
  /** Whether it is about whole texts, which weigh what they weigh. */
  readsTexts?: true
  /** Prepares the shop; not counted. */
  given?: (shop: Shop) => Promise<unknown>
  /** Does the work; throws if it did not succeed. */
  run: (shop: Shop, given: unknown) => Promise<void>
}

interface Hits {
  hits: { id: string; text: string }[]
}

interface Collections {
  collections: { id: string; productIds: string[] }[]
}

/** What a task may make a model read, unless it is about whole texts. */
export const maxTokens = 4000

const productBody = (index: number, changes: Json = {}) => ({
  name: `Imported soap ${index}`,
  brand: 'Gül Evi',
  sku: `SOAP-${index}`,
  barcode: `86900099${index}`,
  stock: 10,
  status: 'INACTIVE',
  information: 'Ingredients: olive oil, rose water. Store in a dry place.',
  ...changes,
})

function require(isDone: boolean, what: string): void {
  if (!isDone) throw new Error(`The task did not succeed: ${what}.`)
}

const productsIn = ({ hits }: Hits) =>
  hits.map(({ id }) => id).filter((id) => id.startsWith('prod_'))

/** The collections, the largest first. */
async function bySize({ call }: Shop): Promise<Collections['collections']> {
  const query = { view: 'summary' }
  const { collections } = await call<Collections>('list_collections', { query })
  return collections.toSorted((a, b) => b.productIds.length - a.productIds.length)
}

export const tasks: Task[] = [
  {
    name: 'eight rose products in a new collection, two inactive',
    calls: 4,
    tokens: maxTokens,
    async run({ call }) {
      const query = { search: 'gül', limit: 8 }
      const productIds = productsIn(await call<Hits>('search_catalogue', { query }))
      const collection = await call('create_collection', { data: { name: 'Güller', productIds } })
      require((collection.productIds as string[]).length === 8, 'eight products in it')
      for (const id of productIds.slice(0, 2)) {
        const { status } = await call('patch_product', { id, data: { status: 'INACTIVE' } })
        require(status === 'INACTIVE', 'two inactive')
      }
    },
  },
  {
    name: 'ten more in stock of a product with a text of 40 kB',
    calls: 2,
    tokens: 200,
    given: ({ call }) => {
      const information = 'Bilgi. '.repeat(6000)
      return call('create_product', { data: productBody(0, { name: 'Uzun metin', information }) })
    },
    async run({ call }) {
      const found = await call<Hits>('search_catalogue', { query: { search: 'uzun metin' } })
      const data = { stock: 20 }
      const { stock } = await call('patch_product', { id: found.hits[0]!.id, data })
      require(stock === 20, 'twenty in stock')
    },
  },
  {
    name: 'the last product of a collection to its front',
    calls: 1,
    tokens: 400,
    given: bySize,
    async run({ call }, given) {
      const [{ id, productIds }] = given as [Collections['collections'][number]]
      const order = [productIds.at(-1)!, ...productIds.slice(0, -1)]
      const answer = await call('set_collection_products', { id, data: { productIds: order } })
      require(String(answer.productIds) === String(order), 'the new order')
    },
  },
  {
    name: 'one more product in a small collection',
    calls: 1,
    tokens: 200,
    async given(shop) {
      const { id, productIds } = (await bySize(shop)).at(-1)!
      const { products } = await shop.call<{ products: { id: string }[] }>('list_products', {
        query: { view: 'summary', pageSize: 40 },
      })
      return { id, productId: products.find((product) => !productIds.includes(product.id))!.id }
    },
    async run({ call }, given) {
      const { id, productId } = given as { id: string; productId: string }
      const { productIds } = await call('add_collection_product', { id, productId })
      require((productIds as string[]).at(-1) === productId, 'the product at the end')
    },
  },
  {
    name: 'the most viewed products of the last week, 300 views',
    calls: 1,
    tokens: maxTokens,
    async given({ call, view }) {
      const query = { search: 'a', limit: 24 }
      const ids = productsIn(await call<Hits>('search_catalogue', { query }))
      for (const [index, id] of ids.entries()) await view(id, index + 1)
      return ids.length
    },
    async run({ call }, given) {
      const from = new Date(Date.now() - 6 * 24 * 3600_000).toISOString().slice(0, 10)
      const { products } = await call<{ products: { views: number }[] }>('get_product_statistics', {
        query: { from },
      })
      require(products[0]!.views === given, 'the most viewed first')
    },
  },
  {
    name: 'the products without a picture',
    calls: 1,
    tokens: maxTokens,
    async run({ call }) {
      const query = { hasImages: false, view: 'summary' }
      const { products } = await call<{ products: { name: string }[] }>('list_products', { query })
      require(products.some(({ name }) => name === 'Uzun metin'), 'the one without a picture')
    },
  },
  {
    name: 'twenty new products',
    calls: 20,
    tokens: maxTokens,
    async run({ call }) {
      for (let index = 1; index <= 20; index++) {
        const { id } = await call('create_product', { data: productBody(index) })
        require(typeof id === 'string', 'a product')
      }
    },
  },
  {
    name: 'three pictures for five products',
    calls: 8,
    tokens: 1200,
    async given({ call }) {
      return productsIn(
        await call<Hits>('search_catalogue', { query: { search: 'soap', limit: 5 } }),
      )
    },
    async run({ call, pictures }, given) {
      const imageIds: string[] = []
      for (const sourceUrl of pictures)
        imageIds.push(String((await call('import_media', { data: { sourceUrl } })).id))
      for (const [index, id] of (given as string[]).entries())
        await call('patch_product', { id, data: { imageIds: [imageIds[index % 3]] } })
      require((given as string[]).length === 5, 'five products')
    },
  },
  {
    name: 'another name for a tag',
    calls: 2,
    tokens: 300,
    async run({ call }) {
      const { hits } = await call<Hits>('search_catalogue', {
        query: { search: 'hediye', limit: 3 },
      })
      const { id } = hits.find((hit) => hit.id.startsWith('tag_'))!
      const { name } = await call('update_tag', { id, data: { name: 'Hediyelik' } })
      require(name === 'Hediyelik', 'the new name')
    },
  },
  {
    name: 'another name for a collection of 53 products',
    calls: 2,
    tokens: 500,
    async given({ call }) {
      const query = { view: 'summary', pageSize: 53 }
      const { products } = await call<{ products: { id: string }[] }>('list_products', { query })
      const productIds = products.map(({ id }) => id)
      require(productIds.length === 53, 'fifty-three products')
      return call('create_collection', { data: { name: 'Kampanya', productIds } })
    },
    async run({ call }) {
      const query = { search: 'kampanya', limit: 3 }
      const { hits } = await call<Hits>('search_catalogue', { query })
      const { id } = hits.find((hit) => hit.id.startsWith('coll_'))!
      const { name } = await call('patch_collection', { id, data: { name: 'İndirim' } })
      require(name === 'İndirim', 'the new name')
    },
  },
  {
    name: 'another colour of the site',
    calls: 1,
    tokens: 500,
    async run({ call }) {
      const data = { theme: { primaryColor: '#9d174d' } }
      const { theme } = await call<{ theme: Json }>('update_website', { data })
      require(theme.primaryColor === '#9d174d', 'the new colour')
    },
  },
  {
    name: 'the credits that are left',
    calls: 1,
    tokens: 100,
    async run({ call }) {
      require((await call('get_wallet')).available === 500, 'five hundred credits')
    },
  },
  {
    name: 'the images that nothing uses',
    calls: 1,
    tokens: 500,
    async run({ call }) {
      const { media } = await call<{ media: Json[] }>('list_media', { query: { usage: 'UNUSED' } })
      require(Array.isArray(media), 'a list')
    },
  },
  {
    name: 'the descriptions of 500 products, to translate them',
    calls: 5,
    tokens: 45_000,
    readsTexts: true,
    async given({ call }) {
      const query = { fields: ['description'], sort: 'createdAt', pageSize: 40 }
      const { products } = await call<{ products: { description: string }[] }>('list_products', {
        query,
      })
      const copy = (index: number) => {
        const { description } = products[index % products.length]!
        const data = productBody(1000 + index, { name: `Copy ${index}`, description })
        return call('create_product', { data })
      }
      for (let index = 0; index < 460; index += 10)
        await Promise.all(Array.from({ length: 10 }, (_, offset) => copy(index + offset)))
    },
    async run({ call }) {
      const texts = new Map<string, string>()
      for (let page = 1; page <= 5; page++) {
        const query = { fields: ['description'], page, pageSize: 100 }
        const { products } = await call<{ products: { id: string; description: string }[] }>(
          'list_products',
          { query },
        )
        for (const { id, description } of products) texts.set(id, description)
      }
      require(texts.size === 500, 'five hundred products')
    },
  },
  {
    name: 'what changed yesterday, and by whom',
    calls: 1,
    tokens: 1000,
    async given({ call }) {
      const query = { view: 'summary', pageSize: 12 }
      const { products } = await call<{ products: { id: string }[] }>('list_products', { query })
      for (const { id } of products.slice(0, 8))
        await call('patch_product', { id, data: { stock: 77 } })
      await call('delete_product', { id: products[8]!.id })
    },
    async run({ call }) {
      // The shop is new: what was yesterday in a real one is today here.
      const from = new Date().toISOString().slice(0, 10)
      const query = { from, groupBy: 'actor' }
      const { groups } = await call<{ groups: Json[] }>('list_activity', { query })
      const parts = JSON.stringify(groups)
      require(groups.some(({ type }) => type === 'API_KEY' || type === 'AGENT'), 'an actor')
      require(parts.includes('"delete_product"') && parts.includes('"patch_product"'), 'the deeds')
    },
  },
]
