import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signedText } from '../../../src/core/secrets.ts'
import { givenProduct } from '../../kit/catalogue.ts'
import { startService, type TestService } from '../../kit/service.ts'
import { givenOpenShop, type OpenShop } from './shop_pages.ts'

let service: TestService
let shop: OpenShop
let sibling: OpenShop
beforeAll(async () => {
  service = await startService()
  shop = await givenOpenShop(service)
  sibling = await givenOpenShop(service)
  await givenProduct(shop, { name: 'Rose balm' })
})
afterAll(() => service.close())

/** What the owner's dashboard gets signed for changes that are not stored. */
async function draftOf({ person, workspaceId }: OpenShop, change: object): Promise<string> {
  const path = `/api/workspaces/${workspaceId}/website/preview`
  const { body } = await service.dashboard(person).post(path).send(change).expect(200)
  return body.draft as string
}

/** Posts a draft as the dashboard does, from its own origin into a frame. */
const preview = (to: OpenShop, form: object) =>
  to.send('/preview', form, { Origin: service.config.dashboardUrl })

const words = { headline: 'Words that are not stored' }

describe('the preview of a website', () => {
  test('is the home page of the draft, which only the dashboard frames and no cache keeps', async () => {
    const { status, text, headers } = await preview(shop, { draft: await draftOf(shop, words) })
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    for (const shown of [words.headline, 'Rose balm', '<base target="_blank">'])
      expect(text).toContain(shown)
    const policy = String(headers['content-security-policy']).split('; ')
    expect(policy.filter((rule) => rule.startsWith('frame-ancestors'))).toEqual([
      `frame-ancestors ${service.config.dashboardUrl}`,
    ])
    expect(policy).toEqual(expect.arrayContaining(["default-src 'none'", "script-src 'self'"]))
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
    for (const header of ['x-frame-options', 'set-cookie', 'etag'])
      expect([header, headers[header]]).toEqual([header, undefined])
    expect((await shop.visit('/')).text).not.toContain(words.headline)
  })

  test('is nothing that a page elsewhere could lead visitors to', async () => {
    const draft = await draftOf(shop, words)
    const to = (where: string) =>
      shop.send(
        '/preview',
        { draft },
        { Origin: 'https://elsewhere.example', 'Sec-Fetch-Dest': where },
      )
    const [led, framed] = [await to('document'), await to('iframe')]
    expect([led.status, framed.status]).toEqual([400, 200])
    expect(led.text).not.toContain(words.headline)
  })

  test('is as strict as the page itself in all else', async () => {
    const { headers } = await preview(shop, { draft: await draftOf(shop, {}) })
    const page = await shop.visit('/')
    const rulesOf = (text: unknown) =>
      String(text)
        .split('; ')
        .filter((rule) => !/^(frame-ancestors|style-src) /.test(rule))
    const policies = [headers, page.headers].map((each) => rulesOf(each['content-security-policy']))
    expect(policies[0]).toEqual(policies[1])
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'")
  })

  test('ends ten minutes after it was asked for', async () => {
    const draft = await draftOf(shop, words)
    service.advance(10 * 60_000 - 1)
    expect((await preview(shop, { draft })).status).toBe(200)
    service.advance(1)
    const ended = await preview(shop, { draft })
    expect([ended.status, ended.headers['cache-control']]).toEqual([400, 'no-store'])
    expect(ended.text).not.toContain(words.headline)
    expect((await preview(shop, { draft: await draftOf(shop, words) })).status).toBe(200)
  })

  test('is of its own shop alone', async () => {
    const draft = await draftOf(shop, words)
    const elsewhere = await preview(sibling, { draft })
    expect(elsewhere.status).toBe(400)
    for (const told of [words.headline, 'Rose balm']) expect(elsewhere.text).not.toContain(told)
  })

  test('is refused for what is not as it was signed', async () => {
    const draft = await draftOf(shop, words)
    const [body = '', signature = ''] = draft.split('.')
    const changed = Buffer.from(body, 'base64url').toString().replace('not stored', 'not ours!!')
    const encoded = Buffer.from(changed).toString('base64url')
    const { secretKey } = service.config
    const forms = [
      { draft: `${encoded}.${signature}` },
      { draft: body },
      { draft: `${body}.` },
      { draft: `${body}.${'A'.repeat(signature.length)}` },
      { draft: `${draft}A` },
      { draft: '' },
      {},
      // What is signed for something else is no draft.
      {
        draft: signedText(secretKey, 'another purpose', Buffer.from(body, 'base64url').toString()),
      },
      { draft: signedText(`${secretKey}!`, 'website draft', changed) },
    ]
    for (const form of forms) {
      const { status, text, headers } = await preview(shop, form)
      expect([form, status, headers['x-robots-tag']]).toEqual([form, 400, 'noindex'])
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
      expect(text).not.toContain('not ours')
    }
    expect((await preview(shop, { draft })).status).toBe(200)
  })

  test('is refused where the form is larger than a website can be', async () => {
    const { status } = await preview(shop, { draft: 'A'.repeat(256 * 1024) })
    expect(status).toBe(413)
  })

  test('shows shops that are closed, hidden or for customers', async () => {
    const open = { visibility: 'PUBLIC' }
    for (const visibility of ['CLOSED', 'SIGN_IN']) {
      await shop.design({ accessPolicy: { visibility } })
      const { status, text } = await preview(shop, { draft: await draftOf(shop, words) })
      expect([visibility, status]).toEqual([visibility, 200])
      expect(text).toContain('Rose balm')
    }
    await shop.design({ accessPolicy: open })
    const set = (isVisible: boolean) =>
      shop.api.put(shop.at('workspace')).send({ isVisible }).expect(200)
    await set(false)
    expect((await preview(shop, { draft: await draftOf(shop, words) })).status).toBe(200)
    await set(true)
  })

  test('is 404 with nothing of a shop that is suspended, and of names that nobody has', async () => {
    const draft = await draftOf(shop, words)
    const admin = service.admin(await service.givenStaff())
    const set = (status: string) =>
      admin.put(`/api/admin/workspaces/${shop.workspaceId}/status`).send({ status }).expect(200)
    await set('SUSPENDED')
    const suspended = await preview(shop, { draft })
    expect(suspended.status).toBe(404)
    for (const told of [words.headline, 'Rose balm', 'A workspace'])
      expect(suspended.text).not.toContain(told)
    await set('ACTIVE')
    const nobody = { Host: `nobody.${service.config.siteDomain}` }
    const nowhere = await shop.send('/preview', { draft }, nobody)
    expect([nowhere.status, nowhere.text]).toEqual([404, suspended.text])
  })

  test('is drawn for a form alone', async () => {
    expect((await shop.visit(`/preview?draft=${await draftOf(shop, words)}`)).status).toBe(404)
  })
})
