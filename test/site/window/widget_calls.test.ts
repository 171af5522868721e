import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { components } from '../../../src/generated/types.ts'
import { movePages } from '../../../src/queries/catalogue/feed.ts'
import { givenProduct } from '../../kit/catalogue.ts'
import { startService, type TestService } from '../../kit/service.ts'
import { cookiesOf, givenOpenShop, type OpenShop } from './shop_pages.ts'

const host = 'https://blog.example'

let service: TestService
let shop: OpenShop
let slug: string
beforeAll(async () => {
  service = await startService()
  shop = await givenOpenShop(service)
  slug = (await givenProduct(shop, { name: 'Rose balm' })).slug
  await shop.design({ embedOrigins: [host, 'https://news.example'] })
})
afterAll(() => service.close())

const bootstrap = async (headers: Record<string, string>) => {
  const path = `/v1/workspaces/${shop.workspaceId}/experience/bootstrap`
  const answer = await shop.visit(path, headers)
  return { answer, body: answer.body as components['schemas']['Bootstrap'] }
}

describe('what the widget reads of a product', () => {
  test('is told apart by caches, whoever asks first', async () => {
    for (const origin of [undefined, shop.url, host]) {
      const { status, headers } = await shop.visit(
        `/widget/${slug}`,
        origin ? { Origin: origin } : {},
      )
      expect(status).toBe(200)
      expect(headers['vary']).toBe('Origin, Accept-Encoding')
      expect(headers['access-control-allow-origin']).toBe(origin === host ? host : undefined)
    }
  })

  test('is refused to pages that the owner does not list, in words that they can read', async () => {
    for (const origin of ['https://evil.example', 'null']) {
      const { status, headers, body } = await shop.visit(`/widget/${slug}`, { Origin: origin })
      expect([status, body.code]).toEqual([403, 'origin_refused'])
      expect(body.message).toBe(
        `Pages of ${origin} may not show the widget of this shop. ` +
          'Add this origin to embedOrigins of the website.',
      )
      expect(headers['access-control-allow-origin']).toBe(origin)
      expect(headers['vary']).toMatch(/^Origin/)
      expect(headers['cache-control']).toBe('no-store')
    }
  })

  test('leads to the shop where the product is unknown, and to its page where nothing is asked', async () => {
    const unknown = await shop.visit('/widget/nothing-here', { Origin: host })
    expect([unknown.status, unknown.headers['access-control-allow-origin']]).toEqual([404, host])
    expect(unknown.body.away).toMatchObject({ path: '/', label: expect.any(String) })
    expect(unknown.body.away.says).toBe('The shop does not show this product at the moment.')
    const { body: usual } = await shop.api.get(shop.at('ai-settings')).expect(200)
    const off = { ...usual, fastEnabled: false, comprehensiveEnabled: false }
    await shop.api.put(shop.at('ai-settings')).send(off).expect(200)
    const { status, body } = await shop.visit(`/widget/${slug}`, { Origin: host })
    expect(status).toBe(200)
    expect(body.away).toEqual({
      says: 'The assistant is not answering at the moment.',
      path: `/p/${slug}`,
      label: 'Rose balm',
    })
    await shop.api.put(shop.at('ai-settings')).send(usual).expect(200)
  })
})

describe('the widget of a shop that offers the comprehensive mode alone', () => {
  test('asks in that mode', async () => {
    const levelOf = async () => (await shop.visit(`/widget/${slug}`)).body.level
    const settings = shop.at('ai-settings')
    const { body: usual } = await shop.api.get(settings).expect(200)
    expect(await levelOf()).toBe('LOW')
    const changed = { ...usual, fastEnabled: false, comprehensiveEnabled: true }
    await shop.api.put(settings).send(changed).expect(200)
    expect(await levelOf()).toBe('MEDIUM')
    await shop.api.put(settings).send(usual).expect(200)
  })
})

describe('a guest of the widget', () => {
  test('is another one on each page that shows it', async () => {
    const device = { 'X-Guest-Device-Id': 'a-device-of-a-tab' }
    const { body } = await bootstrap({ Origin: host, ...device })
    const token = { ...device, 'X-Guest-Token': body.guestToken ?? '' }
    const chat = (headers: Record<string, string>) =>
      shop.call('chat/product', { message: 'Hello', productId: 'prod_x' }, { ...token, ...headers })
    const codeOf = async (headers: Record<string, string>) => (await chat(headers)).body.code
    // Known, and then refused for the product.
    expect(await codeOf({ Origin: host })).toBe('invalid_input')
    expect(await codeOf({ Origin: 'https://news.example' })).toBe('visitor_required')
    expect(await codeOf({ Origin: 'null' })).toBe('origin_refused')
    // The token is none of a cookie, and of no backend's guest either.
    expect(await codeOf({})).toBe('visitor_required')
    const backend = await shop.api.get(shop.at('experience/threads')).set(token)
    expect(backend.status).toBe(401)
  })
})

describe('a visitor of the shop itself', () => {
  test('is known by the cookie where the owner lists the address that the shop has now', async () => {
    // As where a domain that shows the widget becomes the shop's own.
    await service.db
      .updateTable('websites')
      .set({ embed_origins: JSON.stringify([shop.url]) })
      .where('workspace_id', '=', shop.workspaceId)
      .execute()
    await service.db.transaction().execute((trx) => movePages(trx, shop.workspaceId))
    const { answer } = await bootstrap({ Origin: shop.url })
    const question = { message: 'Hello', productId: 'prod_x' }
    const asked = await shop.call('chat/product', question, { Cookie: cookiesOf(answer) })
    // Known, and then refused for the product.
    expect(asked.body.code).toBe('invalid_input')
  })

  test('gets no token for a device that the call names', async () => {
    const named = { 'X-Guest-Device-Id': 'a-device-of-a-backend' }
    const { answer, body } = await bootstrap(named)
    expect(body.guestToken).toBe(null)
    const known = await bootstrap({ ...named, Cookie: cookiesOf(answer) })
    expect([known.body.guestToken, known.answer.headers['set-cookie']]).toEqual([null, undefined])
  })
})
