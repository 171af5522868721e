import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { givenProduct } from '../../kit/catalogue.ts'
import { openConnection } from '../../kit/raw_http.ts'
import { startService, type TestService, unique } from '../../kit/service.ts'
import { cookiesOf, givenOpenShop, type OpenShop, signIn } from './shop_pages.ts'

let service: TestService
let shop: OpenShop
beforeAll(async () => {
  service = await startService({ env: { RATE_LIMIT_PER_MINUTE: '120' } })
  shop = await givenOpenShop(service)
})
afterAll(() => service.close())

test('an address searches a shop sixty times a minute, and reads it as often as it likes', async () => {
  const statuses: number[] = []
  for (let count = 0; count < 61; count++)
    statuses.push((await shop.visit('/search?q=rose')).status)
  expect(statuses).toEqual([...Array.from({ length: 60 }, () => 200), 429])
  const refused = await shop.visit('/search?q=soap')
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '60'])
  expect(refused.text).toContain('There have been many requests from here.')
  expect((await shop.visit('/products')).status).toBe(200)
})

test('a customer who asks too often is told so, and not to sign in', async () => {
  await shop.design({ accessPolicy: { challenge: 'OFF' } })
  const customer = await signIn(service, shop, `${unique('customer')}@example.com`)
  const statuses: number[] = []
  // Two calls each, the profile and the conversations, of thirty a minute.
  for (let count = 0; count < 15; count++)
    statuses.push((await shop.visit('/account', customer)).status)
  const refused = await shop.visit('/account', customer)
  expect([...new Set(statuses)]).toEqual([200])
  expect(refused.status).toBe(429)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect(refused.text).toContain('There have been many requests from here.')
})

describe('the sixty guests an hour of an address', () => {
  const guestOf = async (open: OpenShop, headers: Record<string, string> = {}) => {
    const path = `/v1/workspaces/${open.workspaceId}/experience/bootstrap`
    const answer = await open.visit(path, headers)
    const cookie = cookiesOf(answer)
    return { said: [answer.status, answer.body.code, cookie !== ''], headers: { Cookie: cookie } }
  }
  const [met, refused] = [
    [200, undefined, true],
    [403, 'origin_refused', false],
  ]
  const from = (site: string) => ({ 'Sec-Fetch-Site': site })

  test('are not used up by the pages of other sites, whose pictures name no Origin', async () => {
    const open = await givenOpenShop(service)
    for (let count = 0; count < 30; count++)
      for (const site of ['cross-site', 'same-site'])
        expect((await guestOf(open, from(site))).said).toEqual(refused)
    for (const unknown of ['', 'elsewhere', 'same-origin, none'])
      expect((await guestOf(open, from(unknown))).said).toEqual(refused)
    // All sixty are left to the shop's own scripts, to who types the address, and to older browsers.
    for (let count = 0; count < 20; count++)
      for (const own of [from('same-origin'), from('none'), {}])
        expect((await guestOf(open, own)).said).toEqual(met)
    expect((await guestOf(open, from('same-origin'))).said).toEqual([429, 'rate_limited', false])
  })

  test('know a visitor who has met the shop before, wherever they come from', async () => {
    const open = await givenOpenShop(service)
    const { headers } = await guestOf(open, from('same-origin'))
    const again = await guestOf(open, { ...from('cross-site'), ...headers })
    expect(again.said).toEqual([200, undefined, false])
  })

  test('are met in the widget on pages that the owner lists', async () => {
    const open = await givenOpenShop(service)
    const page = { Origin: 'https://blog.example', 'X-Guest-Device-Id': 'a-device-of-a-tab' }
    const asked = { ...from('cross-site'), ...page }
    expect((await guestOf(open, asked)).said).toEqual(refused)
    await open.design({ embedOrigins: [page.Origin] })
    expect((await guestOf(open, asked)).said).toEqual([200, undefined, false])
  })
})

test('more clicks of an address lead on, but are not counted', async () => {
  const sales = [{ name: 'Shop', link: 'https://shop.example/rose' }]
  const { slug } = await givenProduct(shop, { name: 'Rose balm', sales })
  // Several people: one address is not believed so many clicks a second.
  const visitAs = (count: number) =>
    shop.visit(`/out/${slug}/0`, { 'User-Agent': `Browser ${count % 10}` })
  for (let count = 0; count < 62; count++) expect((await visitAs(count)).status).toBe(302)
  await service.app.figures.flush()
  const counted = await service.db
    .selectFrom('site_counts')
    .select('count')
    .where('workspace_id', '=', shop.workspaceId)
    .where('kind', '=', 'click')
    .execute()
  expect(counted).toEqual([{ count: 60 }])
})

test('a stranger who asks for codes leaves those of the address to its owner', async () => {
  const env = { TRUST_PROXY: '1', RATE_LIMIT_PER_MINUTE: '120' }
  const trusting = await startService({ env })
  const open = await givenOpenShop(trusting)
  await open.design({ accessPolicy: { challenge: 'OFF' } })
  const form = { step: 'code', name: 'Ece', email: `${unique('visitor')}@example.com` }
  const ask = async (address: string) => {
    trusting.advance(60_000)
    return (await open.send('/sign-in', form, { 'X-Forwarded-For': address })).status
  }
  for (let count = 0; count < 5; count++) expect(await ask('203.0.113.7')).toBe(303)
  expect(await ask('203.0.113.7')).toBe(429)
  expect(await ask('198.51.100.2')).toBe(303)
  await trusting.close()
})

test('reports are limited by address and by shop, and what was typed is kept', async () => {
  const trusting = await startService({ env: { TRUST_PROXY: '1', RATE_LIMIT_PER_MINUTE: '120' } })
  const [first, second] = [await givenOpenShop(trusting), await givenOpenShop(trusting)]
  const send = (to: OpenShop, address: string, change: object = {}) => {
    const email = `${unique('visitor')}@example.com`
    const report = { name: 'Ece', email, message: 'It pretends to be a bank.', ...change }
    return to.send('/report', report, { 'X-Forwarded-For': address })
  }
  for (let count = 0; count < 5; count++) {
    // What is refused for its content counts against neither.
    expect((await send(first, '203.0.113.1', { email: 'ece' })).status).toBe(400)
    expect((await send(first, '203.0.113.1')).status).toBe(303)
  }
  const refused = await send(first, '203.0.113.1', { message: 'A sixth.' })
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '3600'])
  expect(refused.text).toContain(
    'There have been many reports just now. What you wrote is still here: send it again in 60 minutes.',
  )
  expect(refused.text).toContain('>A sixth.</textarea>')
  expect((await send(second, '203.0.113.1')).status).toBe(303)
  for (let count = 5; count < 30; count++)
    expect((await send(first, `198.51.100.${count}`)).status).toBe(303)
  expect((await send(first, '198.51.100.99')).status).toBe(429)
  expect((await send(second, '198.51.100.99')).status).toBe(303)
  await trusting.close()
})

test('forms that never end leave room for those of other addresses', async () => {
  const trusting = await startService({ env: { TRUST_PROXY: '1' } })
  const open = await givenOpenShop(trusting)
  const beginOf = (address: string) => {
    const host = `Host: ${new URL(open.url).host}\r\nX-Forwarded-For: ${address}`
    const type = 'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 250000'
    return `POST /preview HTTP/1.1\r\n${host}\r\n${type}\r\n\r\ndraft=`
  }
  const connections = await Promise.all(
    Array.from({ length: 80 }, () => openConnection(trusting.urls.site)),
  )
  const answers: Promise<number>[] = []
  for (const connection of connections) {
    connection.send(`${beginOf('203.0.113.7')}${'a'.repeat(240_000)}`)
    answers.push(connection.answer().then(({ status }) => status))
  }
  // One of them is refused before its end: the address has its share.
  expect(await Promise.any(answers)).toBe(503)
  const other = await openConnection(trusting.urls.site)
  other.send(`${beginOf('203.0.113.8')}${'a'.repeat(249_994)}`)
  expect((await other.answer()).status).toBe(400)
  for (const connection of [...connections, other]) connection.close()
  await Promise.allSettled(answers)
  await trusting.close()
})
