import { hash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { guestTokenExpiry, newGuestToken, newToken } from '../../src/core/secrets.ts'
import { bearer, givenScene, type Scene } from '../every_operation/fixtures.ts'
import { startService, type TestService, unique } from '../kit/service.ts'
import { givenCustomer, givenGuest, givenThread } from '../kit/visitors.ts'

const day = 24 * 3600_000

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

let scene: Scene
beforeEach(async () => {
  scene = await givenScene(service)
})

type Headers = Record<string, string>

const at = (path: string, place = scene) =>
  `/v1/workspaces/${place.workspace.id}/experience/${path}`
const feedback = async (headers: Headers) => {
  const call = service.api(scene.key).post(at('feedback')).set(headers)
  return outcome(await call.send({ message: 'Good morning' }))
}
const session = async (headers: Headers) =>
  outcome(await service.api(scene.key).get(at('customer/session')).set(headers))
const bootstrap = (headers: Headers, from = service) =>
  from.api(scene.key).get(at('bootstrap')).set(headers)

function outcome({ status, body }: { status: number; body: { code?: string } }): string {
  return status < 400 ? String(status) : `${status} ${body.code}`
}

const damaged = (token: string) => token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A')

describe('the token of a customer', () => {
  test('is refused if it is of another kind or site, ended or unknown', async () => {
    const { owner, key } = scene
    const elsewhere = { ...scene, workspace: await service.givenWorkspace(owner) }
    const stranger = await givenScene(service)
    const here = await givenCustomer(scene)
    const signedOut = await givenCustomer(scene)
    await service.api(key).post(at('customer/logout')).set(signedOut.headers).send({}).expect(204)
    const { token: agent } = await service.givenAgent(owner)
    const wrong: Record<string, [token: string, code: string]> = {
      'a session of another workspace': [(await givenCustomer(elsewhere)).token, 'unauthenticated'],
      'a session of another account': [(await givenCustomer(stranger)).token, 'unauthenticated'],
      'a session of the staff': [scene.staff.cookie.split('=')[1]!, 'unauthenticated'],
      'a refresh token': [newToken('refreshToken', 'development'), 'unauthenticated'],
      "the owner's dashboard session": [owner.cookie.split('=')[1]!, 'unauthenticated'],
      'the key': [key, 'unauthenticated'],
      'an access token': [agent, 'unauthenticated'],
      'a guest token': [givenGuest(scene).token, 'unauthenticated'],
      'a conversation': [(await givenThread(scene, here)).threadId, 'unauthenticated'],
      'an unknown one': [newToken('customerSession', 'development'), 'unauthenticated'],
      'a damaged one': [damaged(here.token), 'unauthenticated'],
      'one of production': [newToken('customerSession', 'production'), 'wrong_environment'],
      'an expired one': [(await givenCustomer(scene, { days: 0 })).token, 'token_expired'],
      'one that was signed out': [signedOut.token, 'token_revoked'],
    }
    const answers: Record<string, string> = {}
    for (const [name, [token]] of Object.entries(wrong)) {
      const headers = { 'X-Visitor-Token': token }
      answers[name] = await session(headers)
      expect(await feedback(headers)).toBe(answers[name])
      expect(outcome(await bootstrap(headers))).toBe(answers[name])
    }
    const expected = Object.entries(wrong).map(([name, [, code]]) => [name, `401 ${code}`])
    expect(answers).toEqual(Object.fromEntries(expected))
    expect(await session(here.headers)).toBe('200')
  })

  test('works only in its own workspace, and for no account', async () => {
    const { token } = await givenCustomer(scene)
    const call = service.api().get(at('customer/session')).set(bearer(token))
    expect(outcome(await call)).toBe('401 unauthenticated')
    expect(outcome(await service.api(token).get('/v1/workspaces'))).toBe('401 unauthenticated')
    const cookie = { cookie: `vitrine_session=${token}` }
    const dashboard = await service.dashboard(cookie).get('/api/session')
    expect(outcome(dashboard)).toBe('401 unauthenticated')
    const staff = { cookie: `vitrine_staff=${token}` }
    const administration = await service.admin(staff).get('/api/admin/session')
    expect(outcome(administration)).toBe('401 unauthenticated')
  })

  test('takes precedence over guest headers, which are not a fallback if it is refused', async () => {
    const customer = await givenCustomer(scene)
    const guest = givenGuest(scene)
    const { body } = await bootstrap({ ...guest.headers, ...customer.headers })
    expect(body.viewer.customer.id).toBe(customer.id)
    const expired = await givenCustomer(scene, { days: 0 })
    const both = { ...guest.headers, ...expired.headers }
    expect(await feedback(both)).toBe('401 token_expired')
    expect(await feedback(guest.headers)).toBe('204')
  })

  test('expires unless it is used', async () => {
    const used = await givenCustomer(scene, { days: 365 })
    const unused = await givenCustomer(scene, { days: 365 })
    service.advance(365 * day - 1)
    const { key } = await service.givenKey(scene.owner)
    scene = { ...scene, key }
    expect(await session(used.headers)).toBe('200')
    service.advance(1)
    expect(await session(used.headers)).toBe('200')
    expect(await session(unused.headers)).toBe('401 token_expired')
  })
})

describe('the token of a guest', () => {
  test('is the one from get_bootstrap, for the same device', async () => {
    const deviceId = unique('device')
    const { body, headers } = await bootstrap({ 'X-Guest-Device-Id': deviceId })
    expect(headers['cache-control']).toBe('no-store')
    expect(headers.etag).toBeUndefined()
    expect(body.guestToken).toMatch(/^wsg_dev_[A-Za-z0-9_-]{49}$/)
    const proven = { 'X-Guest-Device-Id': deviceId, 'X-Guest-Token': body.guestToken as string }
    expect(await feedback(proven)).toBe('204')
    const { status, body: again } = await bootstrap(proven)
    expect([status, again.viewer.type]).toEqual([200, 'GUEST'])
  })

  test('is refused for another device, workspace, service or kind', async () => {
    const elsewhere = { ...scene, workspace: await service.givenWorkspace(scene.owner) }
    const { deviceId, token, headers } = givenGuest(scene)
    const guest = { workspaceId: scene.workspace.id, deviceId }
    const soon = new Date(service.now().getTime() + day)
    const other = newGuestToken('another secret, long enough to be one', 'development', guest, soon)
    const live = newGuestToken(service.config.secretKey, 'production', guest, soon)
    const customer = await givenCustomer(scene)
    const wrong: Record<string, [headers: Headers, code: string]> = {
      'another device': [{ ...headers, 'X-Guest-Device-Id': unique('device') }, 'unauthenticated'],
      'no device': [{ 'X-Guest-Token': token }, 'unauthenticated'],
      'another workspace': [givenGuest(elsewhere, { deviceId }).headers, 'unauthenticated'],
      'another secret': [{ ...headers, 'X-Guest-Token': other }, 'unauthenticated'],
      'a damaged one': [{ ...headers, 'X-Guest-Token': damaged(token) }, 'unauthenticated'],
      'one of production': [{ ...headers, 'X-Guest-Token': live }, 'wrong_environment'],
      'a customer': [{ ...headers, 'X-Guest-Token': customer.token }, 'unauthenticated'],
      'the key': [{ ...headers, 'X-Guest-Token': scene.key }, 'unauthenticated'],
    }
    const answers: Record<string, string> = {}
    for (const [name, [credential]] of Object.entries(wrong)) {
      answers[name] = await feedback(credential)
      expect(outcome(await bootstrap(credential))).toBe(answers[name])
    }
    const expected = Object.entries(wrong).map(([name, [, code]]) => [name, `401 ${code}`])
    expect(answers).toEqual(Object.fromEntries(expected))
    expect(await feedback(headers)).toBe('204')
  })

  test('expires after 90 days unless get_bootstrap renews it, before or after', async () => {
    const deviceId = unique('device')
    const device = { 'X-Guest-Device-Id': deviceId }
    const { guestToken } = (await bootstrap(device)).body as { guestToken: string }
    service.advance(90 * day)
    const { key } = await service.givenKey(scene.owner)
    scene = { ...scene, key }
    const old = { ...device, 'X-Guest-Token': guestToken }
    expect(await feedback(old)).toBe('401 token_expired')
    const { status, body } = await bootstrap(old)
    expect(status).toBe(200)
    expect(await feedback({ ...device, 'X-Guest-Token': body.guestToken })).toBe('204')
  })

  test('is good until the millisecond before its expiry', async () => {
    const guest = givenGuest(scene)
    const { workspace } = scene
    const expiresAt = guestTokenExpiry(
      service.config.secretKey,
      { workspaceId: workspace.id, deviceId: guest.deviceId },
      guest.token,
    )!
    service.advance(expiresAt.getTime() - service.now().getTime() - 1)
    const { key } = await service.givenKey(scene.owner)
    scene = { ...scene, key }
    expect(await feedback(guest.headers)).toBe('204')
    service.advance(1)
    expect(await feedback(guest.headers)).toBe('401 token_expired')
  })

  test('cannot be extended by its holder', async () => {
    const { deviceId, token } = givenGuest(scene, { days: 0 })
    const bytes = Buffer.from(token.slice(-49, -6), 'base64url')
    bytes.writeUInt32BE(bytes.readUInt32BE() + 90 * 24 * 3600)
    const body = token.slice(0, -49) + bytes.toString('base64url')
    const extended = body + hash('sha256', body, 'base64url').slice(0, 6)
    const headers = { 'X-Guest-Device-Id': deviceId, 'X-Guest-Token': extended }
    expect(await feedback(headers)).toBe('401 unauthenticated')
    expect(outcome(await bootstrap(headers))).toBe('401 unauthenticated')
  })

  test('is required: a device id is not enough', async () => {
    expect(await feedback({ 'X-Guest-Device-Id': unique('device') })).toBe('401 visitor_required')
    expect(await feedback({})).toBe('401 visitor_required')
  })
})

describe('a call that needs a customer', () => {
  test('tells a guest to sign in, and any other caller to identify a visitor', async () => {
    expect(await session(givenGuest(scene).headers)).toBe('401 sign_in_required')
    expect(await session({})).toBe('401 visitor_required')
  })
})

describe('the limits of the experience API', () => {
  test('are 600 a minute per key and 30 per visitor, stated in the response headers', async () => {
    const limited = await startService({ env: { RATE_LIMIT_PER_MINUTE: '120' } })
    scene = await givenScene(limited)
    const device = { 'X-Guest-Device-Id': unique('device') }
    const { headers } = await bootstrap(device, limited)
    expect(headers['ratelimit-policy']).toBe('"experience";q=600;w=60, "visitor";q=30;w=60')
    expect(headers.ratelimit).toMatch(/^"experience";r=599;t=60, "visitor";r=29;t=60$/)
    for (let count = 0; count < 29; count++) await bootstrap(device, limited).expect(200)
    const refusal = await bootstrap(device, limited)
    expect(outcome(refusal)).toBe('429 rate_limited')
    expect(refusal.headers['retry-after']).toMatch(/^\d+$/)
    await bootstrap({ 'X-Guest-Device-Id': unique('device') }, limited).expect(200)
    const { headers: own } = await limited.api(scene.key).get('/v1/workspaces').expect(200)
    expect(own['ratelimit-policy']).toBe('"requests";q=120;w=60')
    expect(own.ratelimit).toBe('"requests";r=119;t=60')
    await limited.close()
  })
})
