import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { FoundSite } from '../../../src/queries/site/found_sites.ts'
import { findSiteAt } from '../../../src/site/hosts.ts'
import { createSiteFinder } from '../../../src/site/site_finder.ts'
import { givenProduct, type Product } from '../../kit/catalogue.ts'
import { createDatabase, type TestDatabase } from '../../kit/database.ts'
import { startService, type TestService } from '../../kit/service.ts'
import { statementsOf } from '../../kit/statements.ts'
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

test('a page that a change leaves as it was is not compressed again', async () => {
  const [service] = services as [TestService, TestService]
  const host = `${shop.subDomain}.${service.config.siteDomain}`
  const compressed = { 'Accept-Encoding': 'br' }
  const sizeOf = async (path: string) =>
    Number((await visitHost(service, host, path, compressed)).headers['content-length'])
  await shop.api.put(shop.at('workspace')).send({ name: 'Renamed' }).expect(200)
  // The first reader waits for less work, which takes more bytes.
  const first = await sizeOf('/privacy')
  const second = await sizeOf('/privacy')
  expect(second).toBeLessThan(first)
  await givenProduct(shop)
  expect(await sizeOf('/privacy')).toBe(second)
})

test('a page that is kept outlasts the database for a minute, and others say so', async () => {
  const [service] = services as [TestService, TestService]
  const host = `${shop.subDomain}.${service.config.siteDomain}`
  const visit = (path: string) => visitHost(service, host, path)
  const { text } = await visit('/products')
  const operator = new pg.Client(inject('serverUrl'))
  await operator.connect()
  const name = new URL(database.url).pathname.slice(1)
  await operator.query(`alter database ${name} allow_connections false`)
  await operator.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
  )
  const kept = await visit('/products')
  expect([kept.status, kept.text]).toEqual([200, text])
  // It shows nothing but what the kept page read, too.
  expect((await visit('/about')).status).toBe(200)
  const other = await visit('/collections')
  expect([other.status, other.headers['retry-after']]).toEqual([503, '5'])
  expect(other.text).toContain('We will be right back')
  service.advance(61_000)
  expect((await visit('/products')).status).toBe(503)
  await operator.query(`alter database ${name} allow_connections true`)
  await operator.end()
  await expect.poll(async () => (await visit('/about')).status).toBe(200)
})

test('a website is read again only for another version, or another shop at its name', async () => {
  const service = services[0]!
  const find = (name: string, last?: FoundSite) =>
    findSiteAt(service.db, 'shops', `${name}.shops`, { now: service.now(), last }).then(
      (site) => site!,
    )
  const site = await find(shop.subDomain)
  const seen = { ...site, website: { ...site.website, headline: 'As it was seen' } }
  expect(await find(shop.subDomain, seen)).toEqual(seen)
  expect(await find(shop.subDomain, { ...seen, version: '0.0' })).toEqual(site)

  const other = await givenOpenShop(service)
  const { website, version } = await find(other.subDomain)
  expect((await find(other.subDomain, { ...seen, version })).website).toEqual(website)
})

test('visitors who ask at once share a statement, and those who ask later have another', async () => {
  const service = services[0]!
  const clock = () => service.now()
  const finder = createSiteFinder({ db: service.db, clock, siteDomain: 'shops' })
  const ask = () => finder.find(`${shop.subDomain}.shops`)
  await ask()
  const together = await statementsOf(service, () => Promise.all([ask(), ask(), ask()]))
  expect(together).toHaveLength(1)
  const inTurn = await statementsOf(service, async () => [await ask(), await ask()])
  expect(inTurn).toHaveLength(2)
})
