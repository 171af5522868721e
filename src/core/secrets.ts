import { createHmac, hash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { limits } from '../generated/limits.ts'
import { ApiError } from './errors.ts'

export type Environment = 'development' | 'production'

/** Prefixes by kind of credential. Each kind is refused at every other door. */
const prefixes = {
  key: 'wsk',
  publishableKey: 'wspk',
  dashboardSession: 'wsd',
  accessToken: 'wsa',
  refreshToken: 'wsr',
  customerSession: 'wsv',
  guest: 'wsg',
  thread: 'wst',
  mediaUpload: 'wsu',
  staffSession: 'wss',
  emailUndo: 'wsb',
  knownBrowser: 'wsn',
  signInLink: 'wsl',
} as const
export type TokenKind = keyof typeof prefixes

const label: Record<Environment, string> = { development: 'dev', production: 'live' }
const form = /^(ws[a-z]{1,2})_(dev|live)_([A-Za-z0-9_-]{43})([A-Za-z0-9_-]{6})$/

/** A new credential: kind, environment, 32 random bytes and a checksum over all of it. */
export function newToken(kind: TokenKind, environment: Environment): string {
  return tokenOf(kind, environment, randomBytes(32))
}

/** A credential derived from another one: the same for every holder of that credential and the parts. */
export function derivedToken(
  kind: TokenKind,
  environment: Environment,
  origin: string,
  parts: string[],
): string {
  const payload = JSON.stringify([kind, ...parts])
  return tokenOf(kind, environment, createHmac('sha256', origin).update(payload).digest())
}

function tokenOf(kind: TokenKind, environment: Environment, bytes: Buffer): string {
  const body = `${prefixes[kind]}_${label[environment]}_${bytes.toString('base64url')}`
  return body + checksum(body)
}

/**
 * Refuses anything that cannot be a credential of this kind and environment, before any lookup. The
 * environment is checked first, so that even a damaged key of the other one gets that error.
 */
export function requireToken(token: string, kind: TokenKind, environment: Environment): void {
  requireEnvironment(token, kind, environment)
  if (!isToken(token, kind, environment))
    throw new ApiError('unauthenticated', 'credentialMalformed')
}

/** Refuses a credential of this kind that was made in the other environment. */
export function requireEnvironment(token: string, kind: TokenKind, environment: Environment): void {
  const other = environment === 'development' ? 'production' : 'development'
  if (token.startsWith(`${prefixes[kind]}_${label[other]}_`))
    throw new ApiError('wrong_environment', ['wrongEnvironment', { environment: other }])
}

/** Whether a text has the form of a credential of this kind and environment. */
export function isToken(token: string, kind: TokenKind, environment: Environment): boolean {
  const parts = form.exec(token)
  const fits = parts !== null && parts[1] === prefixes[kind] && parts[2] === label[environment]
  return fits && checksum(token.slice(0, -6)) === parts[4]
}

/** A single-use secret, valid for minutes and stored by no one: needs no kind or checksum. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** The bearer credential in an `Authorization` header, if any. */
export function bearerOf(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]
}

/** The stored form of a credential. With 256 random bits, it needs no slow hash. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}

/** A guest is a device in one workspace; the integrator chooses its id. */
export interface Guest {
  workspaceId: string
  deviceId: string
}

/**
 * A token that authenticates a guest until it expires. It is not stored: its 32 bytes are the expiry
 * in seconds and a signature over expiry and guest.
 */
export function newGuestToken(
  secretKey: string,
  environment: Environment,
  guest: Guest,
  expiresAt: Date,
): string {
  const expiry = Buffer.alloc(4)
  expiry.writeUInt32BE(Math.floor(expiresAt.getTime() / 1000))
  return tokenOf(
    'guest',
    environment,
    Buffer.concat([expiry, guestSignature(secretKey, guest, expiry)]),
  )
}

/** Expiry of a well-formed guest token; undefined if it is not this guest's. */
export function guestTokenExpiry(secretKey: string, guest: Guest, token: string): Date | undefined {
  const bytes = Buffer.from(token.slice(-49, -6), 'base64url')
  const expiry = bytes.subarray(0, 4)
  if (!timingSafeEqual(bytes.subarray(4), guestSignature(secretKey, guest, expiry)))
    return undefined
  return new Date(expiry.readUInt32BE() * 1000)
}

function guestSignature(secretKey: string, guest: Guest, expiry: Buffer): Buffer {
  const { workspaceId, deviceId } = guest
  const payload = JSON.stringify(['guest', workspaceId, deviceId, expiry.readUInt32BE()])
  return createHmac('sha256', secretKey).update(payload).digest().subarray(0, 28)
}

/** The visitor that a thread belongs to. */
export interface ThreadOwner {
  workspaceId: string
  visitorId: string
}

/** A thread's id: a seed of 16 random bytes, signed for its workspace and visitor. */
export function newThreadToken(
  secretKey: string,
  environment: Environment,
  owner: ThreadOwner,
): string {
  return threadToken(secretKey, environment, owner, randomBytes(threadSeedBytes))
}

const threadSeedBytes = 16

/** The id of the thread with this seed. */
export function threadToken(
  secretKey: string,
  environment: Environment,
  owner: ThreadOwner,
  seed: Buffer,
): string {
  const signature = threadSignature(secretKey, owner, seed)
  return tokenOf('thread', environment, Buffer.concat([seed, signature]))
}

/** The seed in the id of a thread. */
export function threadSeed(token: string): Buffer {
  return Buffer.from(token.slice(-49, -6), 'base64url').subarray(0, threadSeedBytes)
}

/** Whether the signature makes this the id of a thread of this workspace and visitor. */
export function isThreadOf(
  secretKey: string,
  environment: Environment,
  owner: ThreadOwner,
  token: string,
): boolean {
  if (!isToken(token, 'thread', environment)) return false
  const bytes = Buffer.from(token.slice(-49, -6), 'base64url')
  const signature = threadSignature(secretKey, owner, threadSeed(token))
  return timingSafeEqual(bytes.subarray(threadSeedBytes), signature)
}

function threadSignature(secretKey: string, owner: ThreadOwner, random: Buffer): Buffer {
  const { workspaceId, visitorId } = owner
  const payload = JSON.stringify(['thread', workspaceId, visitorId, random.toString('base64url')])
  return createHmac('sha256', secretKey).update(payload).digest().subarray(0, 16)
}

/** A text that only this service can have signed, for one purpose. It is readable by all. */
export function signedText(secretKey: string, purpose: string, text: string): string {
  const signature = createHmac('sha256', secretKey)
    .update(JSON.stringify([purpose, text]))
    .digest()
  return `${Buffer.from(text).toString('base64url')}.${signature.toString('base64url')}`
}

/** The text that was signed for this purpose; undefined if it was not. */
export function verifiedText(
  secretKey: string,
  purpose: string,
  signed: string,
): string | undefined {
  const text = Buffer.from(signed.split('.')[0] ?? '', 'base64url').toString()
  const expected = Buffer.from(signedText(secretKey, purpose, text))
  const given = Buffer.from(signed)
  return given.length === expected.length && timingSafeEqual(given, expected) ? text : undefined
}

/** The first characters of a credential: enough to recognise it, too few to use it. */
export function tokenPrefix(token: string): string {
  return token.slice(0, 12)
}

export function newOneTimeCode(): string {
  const digits = limits.OneTimeCode.maxLength
  return randomInt(10 ** digits)
    .toString()
    .padStart(digits, '0')
}

/** Six digits can be brute-forced offline, so the hash is keyed with the service's secret. */
export function hashOneTimeCode(secretKey: string, parts: string[]): Buffer {
  return createHmac('sha256', secretKey).update(JSON.stringify(parts)).digest()
}

/** Stands for an address that is not kept. Addresses can be guessed, so the hash is keyed, too. */
export function hashAddress(secretKey: string, parts: string[]): Buffer {
  return createHmac('sha256', secretKey)
    .update(JSON.stringify(['address', ...parts]))
    .digest()
}

function checksum(body: string): string {
  return hash('sha256', body, 'base64url').slice(0, 6)
}
