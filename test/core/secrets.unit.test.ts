import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  guestTokenExpiry,
  hashOneTimeCode,
  hashToken,
  isThreadOf,
  isToken,
  newGuestToken,
  newOneTimeCode,
  newThreadToken,
  newToken,
  requireToken,
  tokenPrefix,
} from '../../src/core/secrets.ts'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const refusal = (code: string) => expect.objectContaining({ code, status: 401 })
const judge = (token: string) => () => requireToken(token, 'key', 'development')

describe('a credential', () => {
  test('states its kind and environment, and contains 32 random bytes and a checksum', () => {
    expect(newToken('key', 'development')).toMatch(/^wsk_dev_[A-Za-z0-9_-]{49}$/)
    expect(newToken('key', 'production')).toMatch(/^wsk_live_[A-Za-z0-9_-]{49}$/)
    expect(newToken('dashboardSession', 'development')).toMatch(/^wsd_dev_[A-Za-z0-9_-]{49}$/)
    expect(newToken('mediaUpload', 'development')).toMatch(/^wsu_dev_[A-Za-z0-9_-]{49}$/)
  })

  test('is new every time and always well-formed', () => {
    const tokens = Array.from({ length: 500 }, () => newToken('key', 'development'))
    expect(new Set(tokens).size).toBe(500)
    for (const token of tokens) expect(judge(token)).not.toThrow()
  })

  test('with any one character changed is refused', () => {
    const token = newToken('key', 'development')
    for (let at = 0; at < token.length; at++) {
      const other = alphabet[(alphabet.indexOf(token[at]!) + 1) % alphabet.length]!
      expect(judge(token.slice(0, at) + other + token.slice(at + 1))).toThrow(
        refusal('unauthenticated'),
      )
    }
  })

  test('that is too short, too long, empty or padded is refused', () => {
    const token = newToken('key', 'development')
    for (const damaged of [token.slice(0, -1), `${token}A`, '', ` ${token}`, `${token}\n`])
      expect(judge(damaged)).toThrow(refusal('unauthenticated'))
    expect(judge(token.toUpperCase())).toThrow(refusal('unauthenticated'))
    expect(judge(`wsk_dev_${'a'.repeat(100_000)}`)).toThrow(refusal('unauthenticated'))
  })

  test('of another kind is refused', () => {
    expect(judge(newToken('dashboardSession', 'development'))).toThrow(refusal('unauthenticated'))
    const key = newToken('key', 'development')
    expect(() => requireToken(key, 'dashboardSession', 'development')).toThrow(
      refusal('unauthenticated'),
    )
    expect(judge(key.replace('wsk_', 'wsd_'))).toThrow(refusal('unauthenticated'))
  })

  test('of the other environment is refused as such, even if damaged', () => {
    expect(judge(newToken('key', 'production'))).toThrow(refusal('wrong_environment'))
    expect(judge('wsk_live_')).toThrow(refusal('wrong_environment'))
    expect(() => requireToken(newToken('key', 'development'), 'key', 'production')).toThrow(
      refusal('wrong_environment'),
    )
  })

  test('of another kind and environment is refused for its kind', () => {
    expect(judge(newToken('dashboardSession', 'production'))).toThrow(refusal('unauthenticated'))
    expect(judge('wsk_test_x')).toThrow(refusal('unauthenticated'))
  })

  test('is stored as its SHA-256 hash and shown by its prefix', () => {
    expect(hashToken('wsk_dev_example').toString('hex')).toBe(
      'a658cbae1d9fd06c6add5566af88841301c5e0eba0d69fa59916119d02010aeb',
    )
    const token = newToken('key', 'development')
    expect(tokenPrefix(token)).toBe(token.slice(0, 12))
  })
})

/** The credential with some of its bytes changed and its checksum made good, which needs no secret. */
function forged(token: string, change: (bytes: Buffer) => void): string {
  const bytes = Buffer.from(token.slice(-49, -6), 'base64url')
  change(bytes)
  const body = token.slice(0, -49) + bytes.toString('base64url')
  return body + createHash('sha256').update(body).digest('base64url').slice(0, 6)
}

describe("a guest's token", () => {
  const guest = { workspaceId: 'ws_one', deviceId: 'device one' }
  const expiresAt = new Date('2030-01-01T00:00:00.000Z')
  const token = newGuestToken('secret', 'development', guest, expiresAt)

  test('says when it expires, to the guest it was made for and no other', () => {
    expect(guestTokenExpiry('secret', guest, token)).toEqual(expiresAt)
    for (const other of [
      { ...guest, workspaceId: 'ws_two' },
      { ...guest, deviceId: 'device two' },
    ])
      expect(guestTokenExpiry('secret', other, token)).toBeUndefined()
    expect(guestTokenExpiry('another secret', guest, token)).toBeUndefined()
  })

  test('cannot be extended: its signature covers its expiry', () => {
    const extended = forged(token, (bytes) => bytes.writeUInt32BE(bytes.readUInt32BE() + 1))
    expect(isToken(extended, 'guest', 'development')).toBe(true)
    expect(guestTokenExpiry('secret', guest, extended)).toBeUndefined()
  })
})

describe("a thread's id", () => {
  const owner = { workspaceId: 'ws_one', visitorId: 'gst_one' }
  const thread = newThreadToken('secret', 'development', owner)
  const isOwn = (id: string, secretKey = 'secret', of = owner) =>
    isThreadOf(secretKey, 'development', of, id)

  test('is signed for its workspace and visitor', () => {
    expect(isOwn(thread)).toBe(true)
    expect(isOwn(thread, 'secret', { ...owner, workspaceId: 'ws_two' })).toBe(false)
    expect(isOwn(thread, 'secret', { ...owner, visitorId: 'gst_two' })).toBe(false)
    expect(isOwn(thread, 'another secret')).toBe(false)
    expect(isThreadOf('secret', 'production', owner, thread)).toBe(false)
  })

  test.each([0, 15, 16, 31])('with its byte %i changed belongs to nobody', (at) => {
    const changed = forged(thread, (bytes) => bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at))
    expect(isToken(changed, 'thread', 'development')).toBe(true)
    expect(isOwn(changed)).toBe(false)
  })
})

describe('a one-time code', () => {
  test('is six digits, leading zeros included', () => {
    const codes = Array.from({ length: 2000 }, newOneTimeCode)
    for (const code of codes) expect(code).toMatch(/^[0-9]{6}$/)
    expect(new Set(codes).size).toBeGreaterThan(1900)
  })

  test("is hashed with the service's key and everything it is valid for", () => {
    const hash = (key: string, ...parts: string[]) => hashOneTimeCode(key, parts).toString('hex')
    const one = hash('key', 'sign_in', '', 'a@example.com', '123456')
    expect(one).toMatch(/^[0-9a-f]{64}$/)
    expect(hash('key', 'sign_in', '', 'a@example.com', '123456')).toBe(one)
    expect(hash('other', 'sign_in', '', 'a@example.com', '123456')).not.toBe(one)
    expect(hash('key', 'billing_email', '', 'a@example.com', '123456')).not.toBe(one)
    // Different lists of parts never give the same input.
    expect(hash('key', 'ab', 'c')).not.toBe(hash('key', 'a', 'bc'))
  })
})
