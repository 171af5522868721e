import { createHmac, hash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { limits } from '../generated/limits.ts'
import { ApiError } from './errors.ts'

export type Environment = 'development' | 'production'

/** What a credential opens. Each kind has a prefix of its own and is refused at every other door. */
const prefixes = {
  key: 'wsk',
  dashboardSession: 'wsd',
  accessToken: 'wsa',
  refreshToken: 'wsr',
  customerSession: 'wsv',
  guest: 'wsg',
  thread: 'wst',
  mediaUpload: 'wsu',
  staffSession: 'wss',
} as const
export type TokenKind = keyof typeof prefixes

const label: Record<Environment, string> = { development: 'dev', production: 'live' }
const form = /^(ws[a-z])_(dev|live)_([A-Za-z0-9_-]{43})([A-Za-z0-9_-]{6})$/

/** A new credential: its kind, its environment, 32 random bytes and a checksum over all of them. */
export function newToken(kind: TokenKind, environment: Environment): string {
  return tokenOf(kind, environment, randomBytes(32))
}

function tokenOf(kind: TokenKind, environment: Environment, bytes: Buffer): string {
  const body = `${prefixes[kind]}_${label[environment]}_${bytes.toString('base64url')}`
  return body + checksum(body)
}

/**
 * Refuses what cannot be a credential of this kind and environment, before anything is looked up.
 * The environment is judged first, so that a key sent to the wrong one says so even when damaged.
 */
export function requireToken(token: string, kind: TokenKind, environment: Environment): void {
  const other = environment === 'development' ? 'production' : 'development'
  if (token.startsWith(`${prefixes[kind]}_${label[other]}_`))
    throw new ApiError('wrong_environment', `This credential belongs to the ${other} environment.`)
  if (!isToken(token, kind, environment))
    throw new ApiError('unauthenticated', 'The credential is malformed or of another kind.')
}

/** Whether this can be a credential of this kind and environment, by its form alone. */
export function isToken(token: string, kind: TokenKind, environment: Environment): boolean {
  const parts = form.exec(token)
  const fits = parts !== null && parts[1] === prefixes[kind] && parts[2] === label[environment]
  return fits && checksum(token.slice(0, -6)) === parts[4]
}

/** A secret for one use and a few minutes: nobody keeps it, so it needs neither kind nor checksum. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** The credential in an `Authorization` header; undefined where there is none. */
export function bearerOf(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]
}

/** What is stored of a credential. Its 256 random bits need no slow hash. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}

/** A guest is a device of the integrator's own naming, known to one workspace. */
export interface Guest {
  workspaceId: string
  deviceId: string
}

/**
 * A token that proves a guest until it expires. Nothing of it is stored: its 32 bytes are the
 * second of its expiry and a signature over that and the guest.
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

/** When a guest's token, of the right form, expires; undefined for the token of any other guest. */
export function guestTokenExpiry(secretKey: string, guest: Guest, token: string): Date | undefined {
  const bytes = Buffer.from(token.slice(-49, -6), 'base64url')
  const expiry = bytes.subarray(0, 4)
  if (!timingSafeEqual(bytes.subarray(4), guestSignature(secretKey, guest, expiry)))
    return undefined
  return new Date(expiry.readUInt32BE() * 1000)
}

function guestSignature(secretKey: string, guest: Guest, expiry: Buffer): Buffer {
  const { workspaceId, deviceId } = guest
  const signed = JSON.stringify(['guest', workspaceId, deviceId, expiry.readUInt32BE()])
  return createHmac('sha256', secretKey).update(signed).digest().subarray(0, 28)
}

/** Whose conversation it is. */
export interface ThreadOwner {
  workspaceId: string
  visitorId: string
}

/** A conversation's id: 16 random bytes, signed for its workspace and visitor. */
export function newThreadToken(
  secretKey: string,
  environment: Environment,
  owner: ThreadOwner,
): string {
  const random = randomBytes(16)
  const signature = threadSignature(secretKey, owner, random)
  return tokenOf('thread', environment, Buffer.concat([random, signature]))
}

/** Whether this is the id of a conversation of this workspace and visitor, by its signature alone. */
export function isThreadOf(
  secretKey: string,
  environment: Environment,
  owner: ThreadOwner,
  token: string,
): boolean {
  if (!isToken(token, 'thread', environment)) return false
  const bytes = Buffer.from(token.slice(-49, -6), 'base64url')
  const signature = threadSignature(secretKey, owner, bytes.subarray(0, 16))
  return timingSafeEqual(bytes.subarray(16), signature)
}

function threadSignature(secretKey: string, owner: ThreadOwner, random: Buffer): Buffer {
  const { workspaceId, visitorId } = owner
  const signed = JSON.stringify(['thread', workspaceId, visitorId, random.toString('base64url')])
  return createHmac('sha256', secretKey).update(signed).digest().subarray(0, 16)
}

/** How a credential begins: enough to recognise it, too little to use it. */
export function tokenPrefix(token: string): string {
  return token.slice(0, 12)
}

export function newOneTimeCode(): string {
  const digits = limits.OneTimeCode.maxLength
  return randomInt(10 ** digits)
    .toString()
    .padStart(digits, '0')
}

/** Six digits can be tried out offline, so their hash is keyed with the service's secret. */
export function hashOneTimeCode(secretKey: string, parts: string[]): Buffer {
  return createHmac('sha256', secretKey).update(JSON.stringify(parts)).digest()
}

function checksum(body: string): string {
  return hash('sha256', body, 'base64url').slice(0, 6)
}
