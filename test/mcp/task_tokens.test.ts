import { join } from 'node:path'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { diskMediaStore } from '../../src/adapters/media_store.ts'
import { readDemo, seedDemo } from '../../src/demo/demo.ts'
import { insertUsageEvent } from '../../src/queries/usage_events.ts'
import { bearer } from '../every_operation/fixtures.ts'
import { type Json, message, post, resultOf } from '../kit/agents.ts'
import { productBody } from '../kit/catalogue.ts'
import { startService, type TestService } from '../kit/service.ts'

/** What a model reads to get common work done in the demo shop. */
let service: TestService
let auth: Record<string, string>
let workspaceId: string
beforeAll(async () => {
  service = await startService()
  const { db, config } = service
  await seedDemo(db, config, diskMediaStore(join(config.dataDir, 'media')))
  const demo = readDemo(config)!
  workspaceId = demo.workspaceId
  const { id } = await db
    .selectFrom('accounts')
    .select('id')
    .where('email', '=', demo.accountEmail)
    .executeTakeFirstOrThrow()
  const owner = { accountId: id, email: demo.accountEmail, cookie: '' }
  auth = bearer((await service.givenAgent(owner)).token)
})
afterAll(() => service.close())

const maxTokens = 4000

/** Counts the calls of a task and the tokens of their results. */
function begin() {
  const spent = { calls: 0, tokens: 0 }
  async function call<T = Json>(name: string, args: Json = {}): Promise<T> {
    const params = { name, arguments: { workspaceId, ...args } }
    const { structuredContent } = resultOf(await post(service, message('tools/call', params), auth))
    spent.calls++
    spent.tokens += encode(JSON.stringify(structuredContent)).length
    return structuredContent as T
  }
  return { spent, call }
}

interface Hits {
  hits: { id: string; text: string }[]
}

/** The ids of products that a search finds. */
const productsIn = ({ hits }: Hits) =>
  hits.map(({ id }) => id).filter((id) => id.startsWith('prod_'))

describe('a model', () => {
  test('puts eight products into a new collection with three calls', async () => {
    const { spent, call } = begin()
    const found = await call<Hits>('search_catalogue', { query: { search: 'gül', limit: 8 } })
    const productIds = productsIn(found)
    const { id } = await call<{ id: string }>('create_collection', { data: { name: 'Güller' } })
    const answer = await call('set_collection_products', { id, data: { productIds } })
    expect(answer).toEqual({ id, productIds })
    expect(productIds).toHaveLength(8)
    expect(spent.calls).toBe(3)
    expect(spent.tokens).toBeLessThanOrEqual(maxTokens)
  })

  test('moves a product to the front with one call', async () => {
    const { collections } = await begin().call<{
      collections: { id: string; productIds: string[] }[]
    }>('list_collections', { query: { view: 'summary' } })
    const { id, productIds } = collections.find((each) => each.productIds.length >= 8)!
    const [first, ...others] = productIds.toReversed()
    const order = [first!, ...others.toReversed()]
    const { spent, call } = begin()
    expect(await call('set_collection_products', { id, data: { productIds: order } })).toEqual({
      id,
      productIds: order,
    })
    expect(spent.calls).toBe(1)
    expect(spent.tokens).toBeLessThanOrEqual(maxTokens)
  })

  test('adds stock to a product with a long text without reading or writing the text', async () => {
    const data = productBody({ name: 'Uzun metin', information: 'Bilgi. '.repeat(6000), stock: 5 })
    await begin().call('create_product', { data })
    const { spent, call } = begin()
    const { hits } = await call<Hits>('search_catalogue', { query: { search: 'uzun metin' } })
    const [hit] = hits
    expect(hit!.text).toBe('Uzun metin · A brand · stock 5')
    const patched = await call('patch_product', { id: hit!.id, data: { stock: 15 } })
    expect(patched).toMatchObject({ stock: 15 })
    expect(spent.calls).toBe(2)
    expect(spent.tokens).toBeLessThanOrEqual(200)
  })

  test('learns which products were viewed most with one call', async () => {
    const found = await begin().call<Hits>('search_catalogue', {
      query: { search: 'a', limit: 20 },
    })
    for (const [index, resourceId] of productsIn(found).entries())
      for (let views = 0; views <= index; views++)
        await insertUsageEvent(
          service.db,
          workspaceId,
          { actorType: 'GUEST', userId: null, eventName: 'product.view', resourceId },
          service.now(),
        )
    const { spent, call } = begin()
    const { products } = await call<{ products: { views: number }[] }>('get_product_statistics')
    expect(products[0]!.views).toBe(productsIn(found).length)
    expect(spent.calls).toBe(1)
    expect(spent.tokens).toBeLessThanOrEqual(maxTokens)
  })

  test('finds the products without a picture with one call', async () => {
    const { spent, call } = begin()
    const query = { hasImages: false, view: 'summary' }
    const { products } = await call<{ products: { name: string }[] }>('list_products', { query })
    expect(products.map(({ name }) => name)).toEqual(['Uzun metin'])
    expect(spent.calls).toBe(1)
    expect(spent.tokens).toBeLessThanOrEqual(maxTokens)
  })
})

describe('the tokens of an answer', () => {
  /** Upper bounds of what the demo takes; they may only shrink. */
  const bounds: [string, Json, number][] = [
    ['list_products', { query: { view: 'summary', pageSize: 40 } }, maxTokens],
    ['list_collections', {}, 15_500],
    ['list_collections', { query: { view: 'summary' } }, 2200],
    ['search_catalogue', { query: { search: 'gül', limit: 10 } }, 800],
  ]
  test.each(bounds)('of %s with %j are at most %i', async (name, args, bound) => {
    const { spent, call } = begin()
    await call(name, args)
    expect(spent.tokens).toBeLessThanOrEqual(bound)
  })
})
