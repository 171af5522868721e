import { createPublicKey, type JsonWebKey } from 'node:crypto'

/** A public signature key: only the members we use. */
export interface PublicKey {
  kty: string
  crv?: string
  n?: string
  e?: string
  x?: string
  y?: string
  kid?: string
  use?: string
  alg?: string
}

export const signatureAlgorithms = ['RS256', 'PS256', 'ES256', 'EdDSA']

const maxKeys = 20
const maxKeyId = 200
/** The length of an 8192-bit RSA modulus; more would cost the server without benefit. */
const maxNumber = 1366
/** Members of private and symmetric keys. */
const secretMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']

const numbersOf: Record<string, readonly ('n' | 'e' | 'x' | 'y')[]> = {
  RSA: ['n', 'e'],
  'EC P-256': ['x', 'y'],
  'OKP Ed25519': ['x'],
}

/**
 * The keys of a set that fit one of our algorithms, or a description of what is wrong with the set.
 * Other keys are skipped, as RFC 7517 requires; a set with a secret is refused.
 */
export function readKeySet(set: unknown): { keys: PublicKey[] } | string {
  const keys = isObject(set) ? set.keys : undefined
  if (!Array.isArray(keys)) return 'is not an object with a list of keys'
  if (keys.length > maxKeys) return `has more than ${maxKeys} keys`
  const objects = keys.filter(isObject)
  if (objects.some((key) => secretMembers.some((member) => key[member] !== undefined)))
    return 'holds a private or shared key; publish public keys alone'
  const usable = objects.flatMap((key) => readKey(key) ?? [])
  return usable.length > 0 ? { keys: usable } : 'has no RSA, P-256 or Ed25519 signature key'
}

/** Whether this is a key set, even without a usable key. */
export function isKeySet(set: unknown): boolean {
  return isObject(set) && Array.isArray(set.keys)
}

function readKey(jwk: Record<string, unknown>): PublicKey | undefined {
  const kind = jwk.kty === 'RSA' ? 'RSA' : `${text(jwk.kty)} ${text(jwk.crv)}`
  const numbers = numbersOf[kind]
  if (!numbers || (jwk.use !== undefined && jwk.use !== 'sig')) return undefined
  const key: PublicKey = { kty: text(jwk.kty) }
  if (kind !== 'RSA') key.crv = text(jwk.crv)
  for (const name of numbers) key[name] = text(jwk[name])
  // A long exponent would slow down every verification.
  if ((key.e?.length ?? 0) > 8 || numbers.some((name) => !isNumber(key[name]))) return undefined
  for (const name of ['kid', 'use', 'alg'] as const)
    if (jwk[name] !== undefined) key[name] = text(jwk[name])
  return (key.kid ?? '').length <= maxKeyId && isWhole(key) ? key : undefined
}

/** Whether the numbers form a valid key: not points off the curve or short moduli. */
function isWhole(key: PublicKey): boolean {
  try {
    const { asymmetricKeyDetails } = createPublicKey({ key: key as JsonWebKey, format: 'jwk' })
    return key.kty !== 'RSA' || (asymmetricKeyDetails?.modulusLength ?? 0) >= 2048
  } catch {
    return false
  }
}

function isNumber(value: string | undefined): boolean {
  return value !== undefined && value.length <= maxNumber && /^[\w-]+$/.test(value)
}

/** A member as text that the database can store. */
function text(value: unknown): string {
  return typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : ''
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
