import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import request, { type Test } from 'supertest'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { adjustCredits } from '../../src/domain/credits/wallet.ts'
import { productBody } from '../kit/catalogue.ts'
import { givenScene, type Scene } from '../every_operation/fixtures.ts'
import { startService, type TestService, unique } from '../kit/service.ts'
import { solvedChallenge } from '../kit/solved_challenge.ts'

const root = join(import.meta.dirname, '..', '..')

/** The program in the guide, verbatim. */
function programOf(guide: string): string {
  const [, program = ''] = /```js\n(\/\/ backend\.mjs\n[^]*?)```/.exec(guide) ?? []
  return program
}

const program = programOf(readFileSync(join(root, '.github', 'guides', 'visitors.md'), 'utf8'))

let service: TestService
let scene: Scene
let backend: ChildProcess
let url: string
const printed: string[] = []

beforeAll(async () => {
  service = await startService()
  scene = await givenScene(service)
  const folder = mkdtempSync(join(inject('scratchFolder'), 'backend-'))
  writeFileSync(join(folder, 'backend.mjs'), program)
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  backend = spawn(process.execPath, [join(folder, 'backend.mjs')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      VITRINE_URL: service.urls.api,
      VITRINE_KEY: scene.key,
      WORKSPACE_ID: scene.workspace.id,
    },
  })
  const lines = createInterface({ input: backend.stdout! })
  lines.on('line', (line) => printed.push(line))
  const [first] = (await once(lines, 'line')) as [string]
  url = `http://127.0.0.1:${/^listening on (\d+)$/.exec(first)?.[1]}`
})
afterAll(async () => {
  const ended = once(backend, 'exit')
  backend.kill()
  await ended
  await service.close()
})

/** A browser that keeps the shop's cookie and every response. */
function openBrowser() {
  let cookie = ''
  const seen: string[] = []
  const send = async (call: Test) => {
    const answer = await call.set('Accept-Language', 'tr')
    const [set] = (answer.headers['set-cookie'] as unknown as string[] | undefined) ?? []
    if (set) cookie = set.split(';')[0]!
    seen.push(answer.text, JSON.stringify(answer.headers))
    return { status: answer.status, body: answer.body as Record<string, unknown> }
  }
  return {
    seen,
    cookie: () => cookie,
    get: (path: string) => send(request(url).get(path).set('Cookie', cookie)),
    /** Without a body, a browser sends none. */
    post: (path: string, body?: object) => {
      const call = request(url).post(path).set('Cookie', cookie)
      return send(body ? call.send(body) : call)
    },
  }
}

const credential = /ws[a-z]_(?:dev|live)_/

describe('the backend of the guide for integrators', () => {
  test('has at most 85 lines', () => {
    expect(program.trimEnd().split('\n').length).toBeLessThanOrEqual(85)
  })

  test('isolates visitors per browser, and never exposes a credential', async () => {
    const catalogue = `/v1/workspaces/${scene.workspace.id}/products`
    await service.api(scene.key).post(catalogue).send(productBody()).expect(200)
    const [browser, other] = [openBrowser(), openBrowser()]
    const site = await browser.get('/api/site')
    expect(site.body).toMatchObject({ viewer: { type: 'GUEST' } })
    expect(site.body).not.toHaveProperty('guestToken')
    expect((await browser.get('/api/products')).body).toMatchObject({ pagination: { total: 1 } })

    const email = `${unique('ece')}@example.com`
    const siteKey = String(site.body.challengeSiteKey)
    const challengeToken = await solvedChallenge(service, siteKey, 'sign_in')
    const body = { name: 'Ece', email, challengeToken }
    expect((await browser.post('/api/sign-in/code', body)).status).toBe(202)
    const asGuest = browser.cookie()
    const code = await service.codeFor(email)
    const signedIn = await browser.post('/api/sign-in', { email, code })
    expect(signedIn).toMatchObject({ status: 200, body: { customer: { email } } })
    // Session fixation: a cookie planted before the sign-in is not signed in.
    expect(browser.cookie()).not.toBe(asGuest)

    const wrong = { email, code: '000000' }
    expect((await browser.post('/api/sign-in', wrong)).status).toBe(401)
    expect((await browser.get('/api/site')).body).toMatchObject({
      viewer: { type: 'CUSTOMER', customer: { email } },
    })
    expect((await other.get('/api/site')).body).toMatchObject({ viewer: { type: 'GUEST' } })
    expect((await browser.post('/api/feedback', { message: 'Merhaba' })).status).toBe(204)
    const revocations = async () => {
      const rows = await service.db.selectFrom('customer_sessions').select('revoked_at').execute()
      return rows.map(({ revoked_at: time }) => time !== null)
    }
    expect(await revocations()).toEqual([false])
    expect((await browser.post('/api/sign-out')).status).toBe(204)
    expect(await revocations()).toEqual([true])
    expect((await browser.get('/api/site')).body).toMatchObject({ viewer: { type: 'GUEST' } })

    for (const text of [...browser.seen, ...other.seen, ...printed])
      expect(text).not.toMatch(credential)
    expect(other.seen.join()).not.toContain(email)
    expect(printed.join()).toContain('["X-Visitor-Token","[redacted]"]')
  })

  test('passes the query on', async () => {
    const browser = openBrowser()
    const { body } = await browser.get('/api/products?search=nothing-like-it&pageSize=7')
    expect(body).toMatchObject({ products: [], pagination: { limit: 7, total: 0 } })
  })

  test('chats, and takes pictures of up to 5 MiB with their body', async () => {
    const { workspace, key } = scene
    const website = `/v1/workspaces/${workspace.id}/website`
    const accessPolicy = { challenge: 'OFF' }
    await service.api(key).put(website).send({ accessPolicy }).expect(200)
    const move = { credits: 10, reason: 'For the chats', reference: unique('call') }
    const now = service.now()
    await service.db
      .transaction()
      .execute((trx) => adjustCredits(trx, workspace.id, { ...move, now }))
    const browser = openBrowser()
    await browser.get('/api/site')
    const routine = await browser.post('/api/chat/routine', { message: 'For dry skin' })
    expect(routine).toMatchObject({ status: 200, body: { steps: [], credits: { charged: 0 } } })
    const streamed = await request(url)
      .post('/api/chat/routine')
      .set({ Cookie: browser.cookie(), Accept: 'text/event-stream' })
      .send({ message: 'For dry skin' })
    expect(streamed.headers['content-type']).toBe('text/event-stream; charset=utf-8')
    expect(streamed.text).toContain('event: answer\n')
    const image = 'A'.repeat(4_000_000)
    expect(await browser.post('/api/chat/face', { image })).toMatchObject({
      status: 400,
      body: { code: 'invalid_input' },
    })
    expect(await browser.post('/api/chat/face', { image: image.repeat(2) })).toEqual({
      status: 413,
      body: {},
    })
  })
})
