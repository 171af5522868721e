import type { AddressInfo } from 'node:net'
import { simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Mailer, smtpMailer } from '../../src/adapters/mailer.ts'
import { type Product, productBody } from '../kit/catalogue.ts'
import { givenScene, type Scene } from '../every_operation/fixtures.ts'
import { startService, type TestService, unique } from '../kit/service.ts'
import { solvedChallenge } from '../kit/solved_challenge.ts'
import { givenGuest } from '../kit/visitors.ts'

/** Every mail the server received. */
const mails: { to: string; subject: string; text: string }[] = []

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData(stream, session, done) {
    void simpleParser(stream).then(({ subject = '', text = '' }) => {
      mails.push({ to: session.envelope.rcptTo[0]?.address ?? '', subject, text })
      done()
    })
  },
})

let mailer: Mailer
let service: TestService
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const { port } = server.server.address() as AddressInfo
  mailer = smtpMailer(`smtp://127.0.0.1:${port}`, 'Vitrine <no-reply@vitrine.example>')
  service = await startService({ mailer })
})
afterAll(async () => {
  await service.close()
  await mailer.close()
  await new Promise<void>((resolve) => server.close(() => resolve()))
})

type Headers = Record<string, string>

/** The calls a backend makes for one visitor. */
function backendOf({ workspace, key }: Pick<Scene, 'workspace' | 'key'>, headers: Headers) {
  const at = (path: string) => `/v1/workspaces/${workspace.id}/experience/${path}`
  const api = service.api(key)
  return {
    get: (path: string) => api.get(at(path)).set(headers),
    post: (path: string, body: object = {}) => api.post(at(path)).set(headers).send(body),
    put: (path: string, body: object) => api.put(at(path)).set(headers).send(body),
  }
}

async function givenProduct(
  { workspace, key }: Scene,
  status: Product['status'],
): Promise<Product> {
  const call = service.api(key).post(`/v1/workspaces/${workspace.id}/products`)
  return (await call.send(productBody({ status })).expect(200)).body as Product
}

describe('one visitor', () => {
  test('arrives as a guest, signs in, sends feedback and leaves, unseen by others', async () => {
    const scene = await givenScene(service)
    const email = `${unique('ece')}@example.com`
    const device = { 'X-Guest-Device-Id': unique('device') }

    const greeting = await backendOf(scene, device).get('bootstrap').expect(200)
    expect(greeting.body.viewer).toEqual({ type: 'GUEST', customer: null, remainingRequests: 5 })
    const proven = { ...device, 'X-Guest-Token': greeting.body.guestToken as string }
    const guest = backendOf(scene, { ...proven, 'Accept-Language': 'tr' })
    const { id: productId, name } = await givenProduct(scene, 'ACTIVE')
    await givenProduct(scene, 'INACTIVE')
    const { body: list } = await guest.get('products').expect(200)
    expect(list.products.map((product: { name: string }) => product.name)).toEqual([name])
    expect((await guest.get(`products/${productId}`).expect(200)).body.name).toBe(name)
    await guest.post('events', { name: 'PRODUCT_VIEW', productId }).expect(202)
    await guest.post('feedback', { message: 'Written as a guest' }).expect(204)

    const siteKey = greeting.body.challengeSiteKey as string
    const challengeToken = await solvedChallenge(service, siteKey, 'sign_in')
    const body = { name: 'Ece Demir', email, phone: '+905551234567', challengeToken }
    await guest.post('customer/otp/request', body).expect(202)
    await service.app.outbox.flush()
    const [mail] = mails.filter(({ to }) => to === email)
    expect(mail?.subject).toBe('A workspace giriş kodunuz')
    const code = mail?.text.match(/\b\d{6}\b/)?.[0] ?? ''
    const signIn = await guest.post('customer/otp/verify', { email, code }).expect(200)
    const { token, customer: profile } = signIn.body as {
      token: string
      customer: { id: string }
    }

    const customer = backendOf(scene, { 'X-Visitor-Token': token })
    expect((await customer.get('bootstrap')).body.viewer).toEqual({
      type: 'CUSTOMER',
      customer: profile,
      remainingRequests: 30,
    })
    const { body: current } = await customer.get('customer/profile').expect(200)
    expect(current).toEqual(profile)
    const update = { name: 'Ece Yılmaz', email, phone: null, language: 'en' }
    await customer.put('customer/profile', update).expect(200)
    await customer.post('feedback', { message: 'Written as a customer' }).expect(204)
    service.advance(24 * 3600_000)
    const refreshed = await customer.post('customer/refresh').expect(200)
    expect(refreshed.body.token).toBe(token)
    expect(refreshed.body.sessionExpiresAt > signIn.body.sessionExpiresAt).toBe(true)

    await expectNothingOf(scene, { token, email, id: profile.id, proven })

    await customer.post('customer/logout').expect(204)
    await customer.get('customer/session').expect(401)
    expect((await guest.get('bootstrap').expect(200)).body.viewer.type).toBe('GUEST')
  })
})

interface Traces {
  token: string
  email: string
  id: string
  proven: Headers
}

/** Checks that a second visitor, workspace or account learns nothing about the first. */
async function expectNothingOf(scene: Scene, traces: Traces): Promise<void> {
  const { token, email, id, proven } = traces
  const secondWorkspace = { ...scene, workspace: await service.givenWorkspace(scene.owner) }
  const secondAccount = await givenScene(service)
  const seen: string[] = []
  for (const place of [scene, secondWorkspace, secondAccount]) {
    const visitor = backendOf(place, givenGuest(place).headers)
    seen.push((await visitor.get('bootstrap').expect(200)).text)
    seen.push((await visitor.get('customer/session').expect(401)).text)
  }
  for (const place of [secondWorkspace, secondAccount]) {
    for (const headers of [{ 'X-Visitor-Token': token }, proven]) {
      const intruder = backendOf(place, headers)
      for (const path of ['bootstrap', 'customer/session', 'customer/profile'])
        seen.push((await intruder.get(path).expect(401)).text)
      await intruder.post('feedback', { message: 'x' }).expect(401)
    }
    const path = `/v1/workspaces/${place.workspace.id}/feedback`
    const { body } = await service.api(place.key).get(path).expect(200)
    expect(body.pagination.total).toBe(0)
  }
  // Another account's key does not open this workspace, whatever the visitor.
  const stranger = { workspace: scene.workspace, key: secondAccount.key }
  const intruder = backendOf(stranger, { 'X-Visitor-Token': token })
  seen.push((await intruder.get('customer/profile').expect(403)).text)
  for (const mark of [email, id, token, 'Ece', 'Written as'])
    expect(seen.join('\n')).not.toContain(mark)
  // The shop itself can read its feedback.
  const path = `/v1/workspaces/${scene.workspace.id}/feedback`
  const { body } = await service.api(scene.key).get(path).expect(200)
  expect(body.feedbacks.map(({ userId }: { userId: string | null }) => userId)).toEqual([id, null])
}
