import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { givenProduct } from '../../kit/catalogue.ts'
import { startService, type TestService, unique } from '../../kit/service.ts'
import { givenOpenShop, type OpenShop, textOf } from './shop_pages.ts'

let service: TestService
let shop: OpenShop
beforeAll(async () => {
  service = await startService()
  shop = await givenOpenShop(service)
  for (const name of ['Rose balm', 'Rose soap', 'Olive soap']) await givenProduct(shop, { name })
  await shop.design({
    headline: 'A secret headline',
    contactEmail: 'hello@example.com',
    seo: { title: 'A secret title', description: 'A secret description' },
  })
})
afterAll(() => service.close())

const paths = [
  '/',
  '/products',
  '/search?q=rose',
  '/robots.txt',
  '/sitemap.xml',
  '/products.json',
  '/llms.txt',
]

/** Visits every kind of page, and returns their only status. */
async function statusOfAll(words: string[], without: string[]): Promise<number> {
  const { products } = (await shop.api.get(shop.at('products'))).body
  const statuses = new Set<number>()
  for (const path of [...paths, `/p/${products[0].slug}`, `/out/${products[0].slug}/0`]) {
    const page = await shop.visit(path)
    statuses.add(page.status)
    expect(page.headers['x-robots-tag']).toBe('noindex')
    expect(page.headers['cache-control']).toBe('no-store')
    // The form to sign in leads back to what was asked for.
    const text = textOf(page).replace(`name="to" value="${path}"`, '')
    for (const word of words) expect(text).toContain(word)
    for (const word of [...without, 'Rose', 'soap', 'secret'])
      expect([path, word, text.includes(word)]).toEqual([path, word, false])
  }
  expect(statuses.size).toBe(1)
  return [...statuses][0]!
}

const workspace = (change: object) => shop.api.put(shop.at('workspace')).send(change).expect(200)

describe('a shop that is not open', () => {
  test('is 403 with its name and contact if it is hidden', async () => {
    await workspace({ isVisible: false })
    expect(await statusOfAll(['A workspace', 'hello@example.com'], [])).toBe(403)
    await workspace({ isVisible: true })
  })

  test('is 403 with its name and contact if it is closed', async () => {
    await shop.design({ accessPolicy: { visibility: 'CLOSED' } })
    expect(await statusOfAll(['A workspace', 'hello@example.com'], [])).toBe(403)
  })

  test('is 401 without a word of the catalogue if customers must sign in', async () => {
    await shop.design({ accessPolicy: { visibility: 'SIGN_IN' } })
    expect(await statusOfAll(['A workspace'], [])).toBe(401)
    await shop.design({ accessPolicy: { visibility: 'PUBLIC' } })
    expect((await shop.visit('/')).status).toBe(200)
  })

  test('takes no forms of strangers if customers must sign in, and draws none of its pages for them', async () => {
    await shop.design({ accessPolicy: { visibility: 'SIGN_IN' } })
    for (const path of ['/feedback', '/account']) {
      const page = await shop.send(path, { message: '' })
      expect([path, page.status]).toEqual([path, 401])
      for (const word of ['secret', 'href="/products"']) expect(page.text).not.toContain(word)
    }
    expect((await shop.send('/feedback', { message: 'I was here.' })).status).toBe(401)
    expect((await shop.api.get(shop.at('feedback'))).body.feedbacks).toEqual([])
    await shop.design({ accessPolicy: { visibility: 'PUBLIC' } })
  })

  test.each(['SIGN_IN', 'CLOSED', 'hidden'])(
    'can be reported by strangers, without a word of the catalogue, if it is %s',
    async (how) => {
      if (how === 'hidden') await workspace({ isVisible: false })
      else await shop.design({ accessPolicy: { visibility: how } })
      const notice = await shop.visit('/products')
      expect(notice.text).toContain('<a href="/report" rel="nofollow">Report this shop</a>')
      const form = await shop.visit('/report')
      const email = `${unique('visitor')}@example.com`
      const report = { name: 'Ece', email, message: `It is ${how}, and pretends to be a bank.` }
      const refused = await shop.send('/report', { ...report, email: '' })
      const sent = await shop.send('/report', report)
      const thanks = await shop.visit(String(sent.headers.location))
      expect([form, refused, sent, thanks].map(({ status }) => status)).toEqual([
        200, 400, 303, 200,
      ])
      expect(thanks.text).toContain('We will look at it.')
      expect(refused.text).toContain(report.message)
      for (const { text, headers } of [form, refused, thanks]) {
        expect(text).toContain('<h1>Report A workspace</h1>')
        for (const word of ['Rose', 'soap', 'secret', 'hello@', '/products', '<script'])
          expect([word, text.includes(word)]).toEqual([word, false])
        expect([headers['cache-control'], headers['x-robots-tag']]).toEqual(['no-store', 'noindex'])
      }
      const admin = service.admin(await service.givenStaff())
      const { contactRequests } = (await admin.get('/api/admin/contact-requests').expect(200)).body
      expect(contactRequests[0].message).toBe(
        `${shop.url}\n${shop.workspaceId}\n\n${report.message}`,
      )
      await workspace({ isVisible: true })
      await shop.design({ accessPolicy: { visibility: 'PUBLIC' } })
    },
  )

  test('does not tell strangers its website by a call of a page instead', async () => {
    const bootstrap = `/v1/workspaces/${shop.workspaceId}/experience/bootstrap`
    const isTold = async () => {
      const { status, text, headers } = await shop.visit(bootstrap)
      expect(text.includes('secret')).toBe(status === 200)
      expect(headers['set-cookie'] === undefined).toBe(status !== 200)
      return status
    }
    expect(await isTold()).toBe(200)
    await workspace({ isVisible: false })
    expect(await isTold()).toBe(401)
    await workspace({ isVisible: true })
    for (const visibility of ['CLOSED', 'SIGN_IN']) {
      await shop.design({ accessPolicy: { visibility } })
      expect([visibility, await isTold()]).toEqual([visibility, 401])
    }
    await shop.design({ accessPolicy: { visibility: 'PUBLIC' } })
  })

  test('is 403 with nothing of it if staff have suspended it, or all its owners', async () => {
    const admin = service.admin(await service.givenStaff())
    const set = (path: string, status: string) => admin.put(path).send({ status }).expect(200)
    await set(`/api/admin/workspaces/${shop.workspaceId}/status`, 'SUSPENDED')
    expect((await shop.visit('/')).status).toBe(403)
    const suspended = await shop.visit('/products')
    const report = await shop.visit('/report')
    expect(report.status).toBe(403)
    for (const word of ['A workspace', 'hello@', 'Rose', '/report'])
      for (const { text } of [suspended, report]) expect(text).not.toContain(word)
    await set(`/api/admin/workspaces/${shop.workspaceId}/status`, 'ACTIVE')
    expect((await shop.visit('/')).status).toBe(200)
    await set(`/api/admin/accounts/${shop.person.accountId}/status`, 'SUSPENDED')
    expect((await shop.visit('/')).status).toBe(403)
    await set(`/api/admin/accounts/${shop.person.accountId}/status`, 'ACTIVE')
    expect((await shop.visit('/')).status).toBe(200)
  })
})

describe('a new shop', () => {
  test('is not listed by search engines until it has three products', async () => {
    const fresh = await givenOpenShop(service)
    const isListed = async () => {
      const { text, headers } = await fresh.visit('/')
      const says = text.includes('content="noindex"')
      expect(headers['x-robots-tag'] === 'noindex').toBe(says)
      return !says
    }
    for (const expected of [false, false, false, true]) {
      expect(await isListed()).toBe(expected)
      await givenProduct(fresh)
    }
    for (const path of ['/robots.txt', '/sitemap.xml'])
      expect((await fresh.visit(path)).status).toBe(200)
  })
})
