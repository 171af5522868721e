import { afterAll, beforeAll, expect, test } from 'vitest'
import { givenProduct, type Product } from '../../kit/catalogue.ts'
import { createDatabase, type TestDatabase } from '../../kit/database.ts'
import { startService, type TestService } from '../../kit/service.ts'
import { givenOpenShop, type OpenShop, visitHost } from './shop_pages.ts'

let database: TestDatabase
let services: TestService[]
let shop: OpenShop
let product: Product
beforeAll(async () => {
  database = await createDatabase()
  services = [
    await startService({ databaseUrl: database.url }),
    await startService({ databaseUrl: database.url }),
  ]
  shop = await givenOpenShop(services[0]!)
  product = await givenProduct(shop)
})
afterAll(async () => {
  for (const service of services) await service.close()
  await database.drop()
})

const rounds = 15

/** A write of each kind that a page shows, and the page that shows its words. */
const writes: ((words: string) => Promise<string>)[] = [
  async (words) => {
    const change = { name: words }
    await shop.api
      .patch(shop.at(`products/${product.id}`))
      .send(change)
      .expect(200)
    return '/products'
  },
  async (words) => {
    await shop.design({ headline: words })
    return '/'
  },
  async (words) => {
    await shop.api.put(shop.at('workspace')).send({ name: words }).expect(200)
    return '/privacy'
  },
  async (words) => {
    const library = { questions: [{ text: words }] }
    await shop.api.put(shop.at('questions')).send(library).expect(200)
    return '/faq'
  },
]

test('a read after an acknowledged write never shows the old, in any process', async () => {
  const host = `${shop.subDomain}.${services[0]!.config.siteDomain}`
  const pages = ['/', '/products', '/privacy', `/p/${product.slug}`]
  // Readers beside the writes fill what the processes keep.
  let isWriting = true
  const readers = services.map(async (service) => {
    for (let read = 0; isWriting; read++) {
      const { status } = await visitHost(service, host, pages[read % pages.length]!)
      expect(status).toBe(200)
    }
  })
  const stale: string[] = []
  for (let round = 0; round < rounds; round++)
    for (const [kind, write] of writes.entries()) {
      const words = `round-${round}-${kind}-end`
      const path = await write(words)
      for (const service of services) {
        const { text } = await visitHost(service, host, path)
        if (!text.includes(words)) stale.push(`${path} ${words}`)
      }
    }
  isWriting = false
  await Promise.all(readers)
  expect(stale).toEqual([])
})
