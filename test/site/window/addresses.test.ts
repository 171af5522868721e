import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { givenProduct } from '../../kit/catalogue.ts'
import { startService, type TestService, unique } from '../../kit/service.ts'
import { givenOpenShop, type OpenShop, visitHost } from './shop_pages.ts'

let service: TestService
let shop: OpenShop
beforeAll(async () => {
  service = await startService()
  shop = await givenOpenShop(service)
  await givenProduct(shop, { name: 'Rose balm' })
})
afterAll(() => service.close())

describe('the host of a request', () => {
  test('names the shop', async () => {
    const page = await shop.visit('/')
    expect(page.status).toBe(200)
    expect(page.text).toContain('Rose balm')
  })

  test.each([
    'localhost:3003',
    'nobody-has-this.localhost:3003',
    'a.SHOP.localhost:3003',
    'SHOP.localhost',
    'SHOP.localhost:3003.evil.example',
    'SHOP.localhost:3003.',
    'evil.example',
    '127.0.0.1',
  ])('leads nowhere if it is %s, and is not repeated', async (pattern) => {
    const host = pattern.replace('SHOP', shop.subDomain)
    const forged = { 'X-Forwarded-Host': `${shop.subDomain}.localhost:3003` }
    const page = await visitHost(service, host, '/', forged)
    expect(page.status).toBe(404)
    expect(page.headers['x-robots-tag']).toBe('noindex')
    for (const secret of ['Rose balm', 'A workspace', host]) expect(page.text).not.toContain(secret)
  })

  test('is only known in small letters', async () => {
    const host = `${shop.subDomain.toUpperCase()}.localhost:3003`
    expect((await visitHost(service, host, '/')).status).toBe(404)
  })
})

describe('a shop that has moved to another subdomain', () => {
  test('sends visitors of the old one on for 30 days', async () => {
    const moved = await givenOpenShop(service)
    const subDomain = unique('moved')
    const path = moved.at('workspace')
    await moved.api.put(path).send({ subDomain }).expect(200)
    const { status, headers } = await moved.visit('/products?page=2')
    expect(status).toBe(308)
    expect(headers['location']).toBe(`http://${subDomain}.localhost:3003/products?page=2`)
    expect((await visitHost(service, `${subDomain}.localhost:3003`, '/')).status).toBe(200)
    service.advance(31 * 24 * 3600_000)
    expect((await moved.visit('/')).status).toBe(404)
  })
})

describe('an unknown path', () => {
  test.each(['/nothing', '/p/nothing', '/c/nothing', '/t/tag_nothing', '/out/nothing/0'])(
    '%s is 404 with a search',
    async (path) => {
      const page = await shop.visit(path)
      expect(page.status).toBe(404)
      expect(page.text).toContain('action="/search"')
      expect(page.text).toContain('<meta name="robots" content="noindex">')
    },
  )

  test.each(['/products?page=2', '/products?page=0', '/products?page=x', '/products?page=1e3'])(
    '%s is 404: there is no such page of the list',
    async (path) => expect((await shop.visit(path)).status).toBe(404),
  )

  test('is refused for other methods than reading', async () => {
    const request = fetch(`${service.urls.site}/products`, { method: 'POST' })
    const { status, headers } = await request
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })
})

describe('a sale link', () => {
  const clicks = async () => {
    await service.app.figures.flush()
    const rows = await service.db
      .selectFrom('site_counts')
      .select(['kind', 'name', 'count'])
      .where('workspace_id', '=', shop.workspaceId)
      .where('kind', 'in', ['click', 'shop'])
      .orderBy('kind')
      .execute()
    return rows.map(({ name, count }) => [name, count])
  }

  test('leaves the shop by its place, and counts the click of a person', async () => {
    const sales = [
      { name: 'Market', link: 'https://market.example/balm?a=1' },
      { name: 'Other', link: 'https://other.example/x' },
    ]
    const { slug } = await givenProduct(shop, { sales })
    const page = await shop.visit(`/p/${slug}`)
    expect(page.text).toContain(`href="/out/${slug}/1" rel="nofollow noopener"`)
    expect(page.text).toContain('market.example')
    const out = await shop.visit(`/out/${slug}/0`)
    expect([out.status, out.headers['location']]).toEqual([302, sales[0]!.link])
    // The seller learns from which shop they come.
    expect(out.headers['referrer-policy']).toBe('strict-origin-when-cross-origin')
    const counted = [
      [slug, 1],
      ['market.example', 1],
    ]
    expect(await clicks()).toEqual(counted)
    await shop.visit(`/out/${slug}/1`, { 'User-Agent': 'Googlebot/2.1' })
    await shop.visit(`/out/${slug}/1`, { 'Sec-Purpose': 'prefetch' })
    expect(await clicks()).toEqual(counted)
    for (const place of ['2', '-1', '00', 'x', '0/1'])
      expect((await shop.visit(`/out/${slug}/${place}`)).status).toBe(404)
  })

  test('of an unpublished product leads nowhere', async () => {
    const sales = [{ name: 'Other', link: 'https://market.example/draft' }]
    const { slug } = await givenProduct(shop, { sales, status: 'INACTIVE' })
    expect((await shop.visit(`/out/${slug}/0`)).status).toBe(404)
  })
})

describe('a form that is sent to an address almost like its own', () => {
  test.each(['/Sign-In', '/sign-in/', '/ACCOUNT', '/feedback/', '/Report'])(
    '%s is answered',
    async (path) => {
      expect((await shop.send(path, { step: 'code' })).status).toBe(404)
    },
  )
})
