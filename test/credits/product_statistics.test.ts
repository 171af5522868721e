import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import type { components } from '../../src/generated/types.ts'
import { insertUsageEvent, type UsageEvent } from '../../src/queries/credits/usage_events.ts'
import { givenProduct, givenShop } from '../kit/catalogue.ts'
import { startService, type TestService } from '../kit/service.ts'

type Statistics = components['schemas']['ProductStatistics']

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const day = 24 * 3600_000
const daysAgo = (days: number) => new Date(service.now().getTime() - days * day)
const dateOf = (time: Date) => time.toISOString().slice(0, 10)

describe('get_product_statistics', () => {
  test('counts views and questions of each product, the most viewed first', async () => {
    const shop = await givenShop(service)
    const product = await givenProduct(shop, { name: 'Rose balm' })
    const gone = newId('prod')
    const record = (
      eventName: UsageEvent['eventName'],
      resourceId: string,
      time: Date,
      details?: UsageEvent['details'],
    ) =>
      insertUsageEvent(
        service.db,
        shop.workspaceId,
        {
          actorType: 'GUEST',
          userId: null,
          eventName,
          resourceType: 'product',
          resourceId,
          ...(details && { details }),
        },
        time,
      )
    for (const [eventName, id] of [
      ['product.view', gone],
      ['product.view', product.id],
      ['product.view', product.id],
      ['chat.product', product.id],
      ['collection.view', product.id],
    ] as const)
      await record(eventName, id, service.now())
    await record('chat.product', product.id, service.now(), { isUnanswered: true })
    for (const days of [40, 41]) await record('product.view', gone, daysAgo(days))

    const read = async (query = '') =>
      (await shop.api.get(shop.at(`usage/products${query}`)).expect(200)).body as Statistics
    const rose = {
      productId: product.id,
      name: 'Rose balm',
      views: 2,
      questions: 2,
      unanswered: 1,
    }
    const deleted = { productId: gone, name: null, views: 1, questions: 0, unanswered: 0 }
    const { products, pagination, from, to } = await read()
    expect(products).toEqual([rose, deleted])
    expect(pagination.total).toBe(2)
    expect([from, to]).toEqual([dateOf(daysAgo(29)), dateOf(service.now())])
    expect((await read('?page=2&pageSize=1')).products).toEqual([deleted])
    const longer = await read(`?from=${dateOf(daysAgo(50))}`)
    expect(longer.products).toEqual([{ ...deleted, views: 3 }, rose])
    const other = await givenShop(service)
    const empty = await other.api.get(other.at('usage/products')).expect(200)
    expect((empty.body as Statistics).products).toEqual([])
  })
})
