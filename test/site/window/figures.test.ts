import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { adjustCredits } from '../../../src/domain/credits/wallet.ts'
import { deleteExpired } from '../../../src/queries/upkeep/expiry.ts'
import { deleteOldSiteCounts } from '../../../src/queries/upkeep/retention.ts'
import { givenProduct } from '../../kit/catalogue.ts'
import { createDatabase } from '../../kit/database.ts'
import { startService, type TestService, unique } from '../../kit/service.ts'
import { write } from '../../kit/wallets.ts'
import { cookiesOf, givenOpenShop, type OpenShop, signIn } from './shop_pages.ts'

const day = 24 * 3600_000

let service: TestService
let shop: OpenShop
let productId: string
let slug: string
beforeAll(async () => {
  service = await startService()
})
beforeEach(async () => {
  shop = await givenOpenShop(service)
  const sales = [{ name: 'Market', link: 'https://www.market.example/balm' }]
  ;({ id: productId, slug } = await givenProduct(shop, { name: 'Rose balm', sales }))
})
afterAll(() => service.close())

const dateAt = (days: number) =>
  new Date(service.now().getTime() - days * day).toISOString().slice(0, 10)

async function inDashboard(name: string, from = dateAt(0)) {
  await service.app.figures.flush()
  const path = `/api/workspaces/${shop.workspaceId}/${name}?from=${from}&to=${dateAt(0)}`
  return (await service.dashboard(shop.person).get(path).expect(200)).body
}
const figuresOf = () => inDashboard('site-figures')
const insightsOf = async () => (await inDashboard('insights')).figures

const phone = { 'User-Agent': 'Mozilla/5.0 (Phone)' }

describe('get_site_figures', () => {
  test('tells what was read, from where, what was searched in vain and where people went', async () => {
    await shop.visit('/', { Referer: 'https://www.search.example/?q=private+words' })
    await shop.visit(`/p/${slug}`, { Referer: `${shop.url}/` })
    await shop.visit(`/p/${slug}`, phone)
    await shop.visit('/search?q=rose')
    await shop.visit('/search?q=Lavender%20oil')
    await shop.visit('/search?q=lavender%20oil', phone)
    await shop.visit(`/out/${slug}/0`)
    expect(await figuresOf()).toEqual({
      from: dateAt(0),
      to: dateAt(0),
      pages: [
        { name: '/search', title: null, count: 3 },
        { name: `/p/${slug}`, title: 'Rose balm', count: 2 },
        { name: '/', title: null, count: 1 },
      ],
      referrers: [{ name: 'search.example', count: 1 }],
      missed: [{ name: 'lavender oil', count: 2 }],
      shops: [{ name: 'www.market.example', count: 1 }],
    })
    expect(await insightsOf()).toMatchObject({ visits: 2, views: 2, clicks: 1 })
    const statistics = await shop.api.get(shop.at('usage/products')).expect(200)
    expect(statistics.body.products).toMatchObject([{ name: 'Rose balm', views: 2, questions: 0 }])
  })

  test('counts a page that a browser has, and no programs, files and pages that are not there', async () => {
    const { headers } = await shop.visit(`/p/${slug}`)
    const again = await shop.visit(`/p/${slug}`, { 'If-None-Match': headers.etag! })
    expect(again.status).toBe(304)
    for (const path of ['/robots.txt', '/products.json', '/p/none', '/feedback'])
      await shop.visit(path)
    await shop.visit('/', { 'User-Agent': 'Googlebot/2.1' })
    await shop.visit('/', { 'Sec-Purpose': 'prefetch' })
    expect((await figuresOf()).pages).toEqual([
      { name: `/p/${slug}`, title: 'Rose balm', count: 2 },
    ])
  })

  test('names the collections and tags that were read, and none that is gone', async () => {
    const collection = (
      await shop.api.post(shop.at('collections')).send({ name: 'Gifts' }).expect(200)
    ).body
    const tag = (await shop.api.post(shop.at('tags')).send({ name: 'Vegan' }).expect(200)).body
    const product = await givenProduct(shop, { tagIds: [tag.id] })
    for (const path of [`/c/${collection.slug}`, `/t/${tag.id}`, `/p/${product.slug}`])
      await shop.visit(path)
    await shop.api.delete(shop.at(`products/${product.id}`)).expect(200)
    expect((await figuresOf()).pages).toEqual([
      { name: `/c/${collection.slug}`, title: 'Gifts', count: 1 },
      { name: `/p/${product.slug}`, title: null, count: 1 },
      { name: `/t/${tag.id}`, title: 'Vegan', count: 1 },
    ])
  })

  test('keeps as many made-up words a day as anyone reads', async () => {
    const reader = { workspaceId: shop.workspaceId, address: '192.0.2.1' }
    for (let index = 0; index < 230; index++)
      service.app.figures.note({ ...reader, userAgent: `Browser ${index}` }, [
        ['missed', `nothing ${index}`],
      ])
    await service.app.figures.flush()
    const rows = await service.db
      .selectFrom('site_counts')
      .select('name')
      .where('workspace_id', '=', shop.workspaceId)
      .where('kind', '=', 'missed')
      .execute()
    expect(rows).toHaveLength(200)
  })
})

describe('figures', () => {
  const namesOf = async (kind: string) => {
    await service.app.figures.flush()
    const rows = await service.db
      .selectFrom('site_counts')
      .select(['name', 'count'])
      .where('workspace_id', '=', shop.workspaceId)
      .where('kind', '=', kind)
      .execute()
    return rows.map(({ name, count }) => [name, count])
  }

  test('are cut between characters', async () => {
    await shop.visit(`/search?q=${encodeURIComponent(`q${'😀'.repeat(60)}`)}`)
    expect(await namesOf('missed')).toEqual([[`q${'😀'.repeat(59)}`, 1]])
  })

  test('that the database refuses are given up, and no later ones with them', async () => {
    const nobody = { workspaceId: 'ws_none', address: '192.0.2.1', userAgent: 'Browser' }
    service.app.figures.note(nobody, [['page', '/']])
    await service.app.figures.flush()
    await shop.visit('/about')
    expect(await namesOf('page')).toEqual([['/about', 1]])
  })

  test('take a program for no more visitors than an address may have', async () => {
    const reader = { workspaceId: shop.workspaceId, address: '192.0.2.1' }
    const note = (browser: number) =>
      service.app.figures.note({ ...reader, userAgent: `Browser ${browser}` }, [['page', '/']])
    for (let browser = 0; browser < 290; browser++) note(browser)
    await service.app.figures.flush()
    for (let browser = 280; browser < 320; browser++) note(browser)
    expect(await namesOf('visitor')).toEqual([['', 300]])
    expect(await namesOf('page')).toEqual([['/', 330]])
    const elsewhere = { ...reader, address: '192.0.2.2', userAgent: 'Browser' }
    service.app.figures.note(elsewhere, [['page', '/']])
    expect(await namesOf('visitor')).toEqual([['', 301]])
  })
})

describe("the shop's time zone", () => {
  const inShop = async (dates: string) => {
    await service.app.figures.flush()
    const read = async (path: string) =>
      (await service.dashboard(shop.person).get(path).expect(200)).body
    const days = `from=${dates}&to=${dates}&days=SHOP`
    const at = `/api/workspaces/${shop.workspaceId}`
    const { figures } = await read(`${at}/insights?${days}`)
    const { pages } = await read(`${at}/site-figures?${days}`)
    const { products } = (await shop.api.get(shop.at(`usage/products?${days}`)).expect(200)).body
    return { visits: figures.visits, views: figures.views, pages, products }
  }

  test('dates what happens on its pages, while counters stay in UTC', async () => {
    const timeZone = 'Pacific/Kiritimati'
    const zone = `/api/workspaces/${shop.workspaceId}/time-zone`
    await service.dashboard(shop.person).put(zone).send({ timeZone }).expect(200)
    // From here on it is tomorrow there: 14 hours ahead.
    service.advance(day - (service.now().getTime() % day) - 3600_000)
    await shop.visit(`/p/${slug}`)
    const page = { name: `/p/${slug}`, title: 'Rose balm', count: 1 }
    expect(await inShop(dateAt(-1))).toMatchObject({
      visits: 1,
      views: 1,
      pages: [page],
      products: [{ views: 1 }],
    })
    expect(await inShop(dateAt(0))).toEqual({ visits: 0, views: 0, pages: [], products: [] })
    expect((await figuresOf()).pages).toEqual([page])
    const old = { before: new Date(service.now().getTime() + 3 * day), wordsBefore: service.now() }
    await deleteOldSiteCounts(service.db, old)
    expect(await inShop(dateAt(-1))).toEqual({ visits: 0, views: 0, pages: [], products: [] })
  })
})

describe('clicks after an answer of the assistant', () => {
  const laptop = { 'User-Agent': 'Mozilla/5.0 (Laptop)' }

  /** Asks about the product in the shop's chat, as its page does. */
  async function ask(browser: Record<string, string>) {
    const start = await shop.visit(
      `/v1/workspaces/${shop.workspaceId}/experience/bootstrap`,
      browser,
    )
    const question = { productId, message: 'What is it made of?' }
    const as = { ...browser, Cookie: cookiesOf(start) }
    const answer = await shop.call('chat/product', question, as)
    expect(answer.status).toBe(200)
  }

  beforeEach(async () => {
    await shop.design({ accessPolicy: { challenge: 'OFF' } })
    const gift = { credits: 10, reason: 'A gift', reference: unique('gift'), now: service.now() }
    await write(service, (trx) => adjustCredits(trx, shop.workspaceId, gift))
  })

  test('are those of visitors who were answered before, on the same day', async () => {
    await shop.visit(`/p/${slug}`, phone)
    await shop.visit(`/out/${slug}/0`, phone)
    await ask(phone)
    expect(await insightsOf()).toMatchObject({ visits: 1, clicks: 1, clicksAfterAnswers: 0 })
    await shop.visit(`/p/${slug}`, phone)
    await shop.visit(`/out/${slug}/0`, phone)
    await shop.visit(`/out/${slug}/0`, laptop)
    expect(await insightsOf()).toMatchObject({ visits: 2, clicks: 3, clicksAfterAnswers: 1 })
    service.advance(day)
    await shop.visit(`/out/${slug}/0`, phone)
    expect(await insightsOf()).toMatchObject({ visits: 1, clicks: 1, clicksAfterAnswers: 0 })
  })

  test('are told apart by order where answer and clicks are written together', async () => {
    const reader = { workspaceId: shop.workspaceId, address: '192.0.2.1', userAgent: 'Browser' }
    const { figures } = service.app
    figures.note(reader, [['click', slug]])
    figures.noteAnswer(reader)
    figures.note(reader, [['click', slug]])
    figures.note(reader, [['click', slug]])
    expect(await insightsOf()).toMatchObject({ visits: 1, clicks: 3, clicksAfterAnswers: 2 })
  })

  test('are not those of a visitor whom the assistant refused', async () => {
    await shop.visit(`/p/${slug}`, phone)
    const refused = await shop.call('chat/product', {}, phone)
    expect(refused.status).toBe(400)
    await shop.visit(`/out/${slug}/0`, phone)
    expect(await insightsOf()).toMatchObject({ clicks: 1, clicksAfterAnswers: 0 })
  })
})

describe('visitors of a day', () => {
  const visitors = async () => {
    await service.app.figures.flush()
    const rows = await service.db
      .selectFrom('site_visitors')
      .select(['day', 'visitor'])
      .where('workspace_id', '=', shop.workspaceId)
      .execute()
    return rows.map(({ visitor }) => visitor.toString('hex'))
  }

  test('are counted once, without a cookie, and nobody knows them the day after', async () => {
    for (const path of ['/', '/products', '/about'])
      expect((await shop.visit(path)).headers['set-cookie']).toBeUndefined()
    const [first, ...others] = await visitors()
    expect(others).toEqual([])
    expect((await insightsOf()).visits).toBe(1)
    service.advance(day)
    await shop.visit('/')
    const known = await visitors()
    expect(known).toHaveLength(2)
    expect(new Set(known).size).toBe(2)
    expect((await inDashboard('insights', dateAt(1))).figures.visits).toBe(2)
    await deleteExpired(service.db, service.now())
    expect(await visitors()).toEqual(known.filter((visitor) => visitor !== first))
    const salts = await service.db.selectFrom('site_salts').select('day').execute()
    expect(salts).toHaveLength(1)
    expect((await inDashboard('insights', dateAt(1))).figures.visits).toBe(2)
  })

  test('are told apart by the beginning of what their browsers call themselves', async () => {
    const named = (end: string) => ({ 'User-Agent': `Mozilla/5.0 ${'x'.repeat(5000)} ${end}` })
    for (const end of ['one', 'two', 'three']) await shop.visit('/', named(end))
    expect(await insightsOf()).toMatchObject({ visits: 1 })
  })

  test('are counted once where they also ask', async () => {
    await shop.visit('/')
    const path = `/v1/workspaces/${shop.workspaceId}/experience/bootstrap`
    expect((await shop.visit(path)).status).toBe(200)
    expect((await insightsOf()).visits).toBe(1)
  })

  test('are forgotten with a customer who wants to be', async () => {
    await shop.design({ accessPolicy: { challenge: 'OFF' } })
    const session = await signIn(service, shop, 'ece@example.com')
    await shop.visit('/', session)
    expect(await visitors()).toHaveLength(1)
    const gone = await shop.send(
      '/account',
      { step: 'delete' },
      { ...session, 'User-Agent': 'Mozilla/5.0' },
    )
    expect(gone.status).toBe(303)
    expect(await visitors()).toEqual([])
  })
})

test('what was counted is kept as long as events, and words of visitors as long as conversations', async () => {
  await shop.visit('/search?q=lavender')
  await service.app.figures.flush()
  const remove = (before: number, wordsBefore: number) =>
    deleteOldSiteCounts(service.db, {
      before: new Date(service.now().getTime() + before * day),
      wordsBefore: new Date(service.now().getTime() + wordsBefore * day),
    })
  const lists = async () => {
    const { pages, missed } = await figuresOf()
    return [pages.length, missed.length]
  }
  await remove(0, 0)
  expect(await lists()).toEqual([1, 1])
  await remove(0, 1)
  expect(await lists()).toEqual([1, 0])
  await remove(1, 1)
  expect(await lists()).toEqual([0, 0])
})

test('a clean stop loses nothing', async () => {
  const database = await createDatabase()
  const first = await startService({ databaseUrl: database.url })
  const open = await givenOpenShop(first)
  for (const agent of ['A', 'B', 'C']) await open.visit('/', { 'User-Agent': agent })
  await first.close()
  const second = await startService({ databaseUrl: database.url })
  const rows = await second.db.selectFrom('site_counts').select(['kind', 'count']).execute()
  expect(rows.sort((a, b) => (a.kind < b.kind ? -1 : 1))).toEqual([
    { kind: 'page', count: 3 },
    { kind: 'visitor', count: 3 },
  ])
  await second.close()
  await database.drop()
})
