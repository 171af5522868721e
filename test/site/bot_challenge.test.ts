import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Challenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  altchaChallenge,
  type BotChallenge,
  type ChallengeUse,
  remoteChallenge,
} from '../../src/adapters/bot_challenge.ts'
import { insertSpentChallenge } from '../../src/queries/site/spent_challenges.ts'
import { startService, type TestService } from '../kit/service.ts'
import { solutionOf, solvedChallenge } from '../kit/solved_challenge.ts'

let service: TestService
let site: string
let challenge: BotChallenge

const spend = (fingerprint: Buffer, expiresAt: Date) =>
  insertSpentChallenge(service.db, fingerprint, expiresAt)

/** The use a solution is presented for, in this workspace. */
function use(changes: Partial<ChallengeUse> = {}): ChallengeUse {
  return { site, action: 'chat', clientIp: '192.0.2.1', now: service.now(), ...changes }
}

beforeAll(async () => {
  service = await startService()
  site = (await service.givenWorkspace(await service.givenPerson())).id
  challenge = altchaChallenge(service.config.secretKey, spend)
})
afterAll(() => service.close())

describe('GET /challenge', () => {
  it('returns a challenge that must not be cached', async () => {
    const answer = await service.api().get(`/challenge?siteKey=${site}`).expect(200)
    expect(answer.headers['cache-control']).toBe('no-store')
    const { parameters } = answer.body as Challenge
    expect(parameters.data).toEqual({ site })
    expect(parameters.expiresAt).toBe(Math.floor(service.now().getTime() / 1000) + 600)
  })

  const refusals: [string, string, Record<string, string>][] = [
    ['', 'no site key', { siteKey: 'Required. Take challengeSiteKey from bootstrap.' }],
    ['?siteKey=ws_none', 'an unknown site', { siteKey: 'There is no such site.' }],
    [
      '?siteKey=ws_none&action=fly',
      'an unknown action',
      { action: 'Must be one of sign_in, chat, contact.' },
    ],
    ['?siteKey=ws_none&colour=red', 'an unknown name', { colour: 'Unknown parameter.' }],
    ['?siteKey=%00', 'no text', { siteKey: 'Contains a character that cannot be stored.' }],
    ['?siteKey=%ff', 'no UTF-8', { siteKey: 'Not valid percent-encoding.' }],
    ['?siteKey=ws_a&siteKey=ws_b', 'two sites', { siteKey: 'Send it only once.' }],
  ]
  it.each(refusals)('with "%s" (%s) says what is wrong', async (query, _what, fieldErrors) => {
    const { body } = await service.api().get(`/challenge${query}`).expect(400)
    expect(body).toMatchObject({ code: 'invalid_input', fieldErrors })
  })

  it('is 404 if a third-party service issues the challenges', async () => {
    const settings = { provider: 'turnstile', siteKey: 'site', secretKey: 'secret' } as const
    const botChallenge = remoteChallenge(settings, spend)
    const other = await startService({ botChallenge })
    await other.api().get(`/challenge?siteKey=${site}`).expect(404)
    await other.close()
  })
})

describe('A challenge', () => {
  it('costs a browser about a thousand attempts of two thousand rounds', async () => {
    const issuedChallenge = (await challenge.issue!(site, undefined, service.now())) as Challenge
    expect(issuedChallenge.parameters.cost).toBe(2000)
    const { counter } = (await solveChallenge({ challenge: issuedChallenge, deriveKey }))!
    expect(counter).toBeGreaterThanOrEqual(500)
    expect(counter).toBeLessThan(1500)
  })
})

describe('A solved challenge', () => {
  it('is valid once', async () => {
    const token = await solvedChallenge(service, site)
    expect(await challenge.verify(token, use())).toBe(true)
    expect(await challenge.verify(token, use())).toBe(false)
  })

  it('is valid for one of twenty concurrent uses', async () => {
    const token = await solvedChallenge(service, site)
    const uses = await Promise.all(Array.from({ length: 20 }, () => challenge.verify(token, use())))
    expect(uses.filter(Boolean)).toHaveLength(1)
  })

  it('is not valid in another workspace', async () => {
    const token = await solvedChallenge(service, site)
    expect(await challenge.verify(token, use({ site: 'ws_other' }))).toBe(false)
  })

  it('for one action is not valid for another', async () => {
    const token = await solvedChallenge(service, site, 'sign_in')
    expect(await challenge.verify(token, use({ action: 'chat' }))).toBe(false)
    expect(await challenge.verify(token, use({ action: 'sign_in' }))).toBe(true)
  })

  it('expires after ten minutes', async () => {
    const token = await solvedChallenge(service, site)
    const now = new Date(service.now().getTime() + 600_000)
    expect(await challenge.verify(token, use({ now }))).toBe(false)
  })

  it('signed with another secret is refused', async () => {
    const other = altchaChallenge('another secret of thirty-two characters', spend)
    const issuedChallenge = (await other.issue?.(site, undefined, service.now())) as Challenge
    expect(await challenge.verify(await solutionOf(issuedChallenge), use())).toBe(false)
  })

  it('with a forged site is refused', async () => {
    const { body } = await service.api().get(`/challenge?siteKey=${site}`).expect(200)
    const issuedChallenge = body as Challenge
    issuedChallenge.parameters.data = { site: 'ws_other' }
    const token = await solutionOf(issuedChallenge)
    expect(await challenge.verify(token, use({ site: 'ws_other' }))).toBe(false)
  })

  const nonsense = ['', 'no base64 !', btoa('null'), btoa('{}'), btoa('{"challenge":{}}')]
  it.each(nonsense)('is not "%s"', async (token) => {
    expect(await challenge.verify(token, use())).toBe(false)
  })

  const unsigned = [undefined, 7, { length: 64 }, Array.from({ length: 64 }, () => 'a')]
  it.each(unsigned.map((signature) => ({ signature })))('is not %j', async ({ signature }) => {
    const { body } = await service.api().get(`/challenge?siteKey=${site}`).expect(200)
    const payload = { challenge: { ...body, signature }, solution: {} }
    expect(await challenge.verify(btoa(JSON.stringify(payload)), use())).toBe(false)
  })
})

/** A server with the protocol of Turnstile and hCaptcha. */
async function givenVerifier(answer: (form: URLSearchParams) => string) {
  const forms: URLSearchParams[] = []
  const server = createServer((request, response) => {
    void bodyOf(request).then((text) => {
      const form = new URLSearchParams(text)
      forms.push(form)
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(answer(form))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/siteverify`
  return { url, forms, close: () => new Promise((resolve) => server.close(resolve)) }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

describe.each(['turnstile', 'hcaptcha'] as const)('A token of %s', (provider) => {
  const settings = { provider, siteKey: 'our site', secretKey: 'our secret' }

  it('is verified with secret, response and client address, and is valid once', async () => {
    const verifier = await givenVerifier(() => '{"success":true}')
    const remote = remoteChallenge(settings, spend, verifier.url)
    const token = `a token of ${provider}`
    expect(remote.siteKey(site)).toBe('our site')
    expect(await remote.verify(token, use())).toBe(true)
    expect(await remote.verify(token, use())).toBe(false)
    expect(Object.fromEntries(verifier.forms[0]!)).toEqual({
      secret: 'our secret',
      response: token,
      remoteip: '192.0.2.1',
      ...(provider === 'hcaptcha' ? { sitekey: 'our site' } : {}),
    })
    await verifier.close()
  })

  it.each([
    ['that failed', '{"success":false,"error-codes":["timeout-or-duplicate"]}'],
    ['of another action', '{"success":true,"action":"sign_in"}'],
    ['of another workspace', '{"success":true,"cdata":"ws_other"}'],
  ])('%s is refused', async (_what, verdict) => {
    const verifier = await givenVerifier(() => verdict)
    const remote = remoteChallenge(settings, spend, verifier.url)
    expect(await remote.verify('any token', use())).toBe(false)
    await verifier.close()
  })

  it('is 503, not refused, if the provider is unreachable', async () => {
    const verifier = await givenVerifier(() => 'no JSON')
    const remote = remoteChallenge(settings, spend, verifier.url)
    await expect(remote.verify('any token', use())).rejects.toMatchObject({ code: 'unavailable' })
    await verifier.close()
    await expect(remote.verify('any token', use())).rejects.toMatchObject({ code: 'unavailable' })
  })
})
