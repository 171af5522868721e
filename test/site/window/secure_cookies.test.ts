import { afterAll, beforeAll, expect, test } from 'vitest'
import { startService, type TestService, unique } from '../../kit/service.ts'
import { production } from '../../settings/problems.ts'
import { cookiesOf, givenOpenShop, type OpenShop } from './shop_pages.ts'

/* Cookies of shops on https, as in production. */

let service: TestService
let shop: OpenShop
let origin: string
beforeAll(async () => {
  service = await startService({ env: { ...production, SITE_DOMAIN: 'shops.example' } })
  shop = await givenOpenShop(service)
  await shop.design({ accessPolicy: { challenge: 'OFF' } })
  origin = `https://${shop.subDomain}.shops.example`
})
afterAll(() => service.close())

/** The cookies of an answer, by name, with their attributes. */
function setBy({ headers }: { headers: Record<string, unknown> }): Map<string, string[]> {
  const all = (headers['set-cookie'] ?? []) as string[]
  const parts = all.map((cookie) => cookie.split('; '))
  return new Map(parts.map(([pair = '', ...rest]) => [pair.split('=')[0]!, rest]))
}

/** Browsers take a cookie with this prefix from its own host alone, on https, and send it nowhere else. */
const hostOnly = expect.arrayContaining(['Path=/', 'HttpOnly', 'Secure', 'SameSite=Lax'])

test('a guest is known by a cookie that only the shop’s own host can set', async () => {
  const bootstrap = await shop.visit(`/v1/workspaces/${shop.workspaceId}/experience/bootstrap`)
  const cookies = setBy(bootstrap)
  expect([...cookies]).toEqual([['__Host-vitrine_guest', hostOnly]])
  expect(JSON.stringify([...cookies])).not.toContain('Domain')
  const ask = (Cookie: string) =>
    shop.call('chat/product', { message: 'Hello', productId: 'prod_x' }, { Origin: origin, Cookie })
  const cookie = cookiesOf(bootstrap)
  // Known, and then refused for the product.
  expect((await ask(cookie)).body.code).toBe('invalid_input')
  // Without the prefix, a sibling could have set it.
  expect((await ask(cookie.replace('__Host-', ''))).body.code).toBe('visitor_required')
})

test('a customer is known by such a cookie, too', async () => {
  const email = `${unique('visitor')}@example.com`
  const send = (form: object, Cookie = '') =>
    shop.send('/sign-in', form, { Origin: origin, ...(Cookie ? { Cookie } : {}) })
  const asked = await send({ step: 'code', name: 'Ece Demir', email })
  expect(asked.status).toBe(303)
  const code = await service.codeFor(email)
  const signed = await send({ step: 'session', code }, cookiesOf(asked))
  for (const answer of [asked, signed])
    for (const [name, attributes] of setBy(answer)) {
      expect(name).toMatch(/^__Host-vitrine_/)
      expect(attributes).toEqual(hostOnly)
      expect(attributes.join()).not.toContain('Domain')
    }
  expect([...setBy(signed).keys()]).toContain('__Host-vitrine_customer')
  const session = cookiesOf(signed)
  expect((await shop.visit('/account', { Cookie: session })).text).toContain(email)
  const planted = session.replaceAll('__Host-', '')
  expect((await shop.visit('/account', { Cookie: planted })).text).not.toContain(email)
})

test('pages set no cookie while a visitor reads', async () => {
  for (const path of ['/', '/products', '/search?q=a', '/privacy', '/sign-in'])
    expect([path, [...setBy(await shop.visit(path))]]).toEqual([path, []])
})
