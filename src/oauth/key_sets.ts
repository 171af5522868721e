import { createPublicKey, type JsonWebKey } from 'node:crypto'

/** A public key for signatures: the members that are used, and no others. */
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
/** Of an RSA modulus of 8192 bits; more would cost the server and gain the client nothing. */
const maxNumber = 1366
/** What only its owner may know of a key, and the keys that two parties share. */
const secretMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']

const numbersOf: Record<string, readonly ('n' | 'e' | 'x' | 'y')[]> = {
  RSA: ['n', 'e'],
  'EC P-256': ['x', 'y'],
  'OKP Ed25519': ['x'],
}

/**
 * The keys of a set that verify one of our algorithms, or what is wrong with the set, in words. Keys
 * of other kinds are left out, as RFC 7517 asks; a set that gives away a secret is refused.
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

/** Whether somebody published a set of keys, be it one without a key that can be used. */
export function isKeySet(set: unknown): boolean {
  return isObject(set) && Array.isArray(set.keys)
}

function readKey(given: Record<string, unknown>): PublicKey | undefined {
  const kind = given.kty === 'RSA' ? 'RSA' : `${text(given.kty)} ${text(given.crv)}`
  const numbers = numbersOf[kind]
  if (!numbers || (given.use !== undefined && given.use !== 'sig')) return undefined
  const key: PublicKey = { kty: text(given.kty) }
  if (kind !== 'RSA') key.crv = text(given.crv)
  for (const name of numbers) key[name] = text(given[name])
  // A long exponent would make every verification slow.
  if ((key.e?.length ?? 0) > 8 || numbers.some((name) => !isNumber(key[name]))) return undefined
  for (const name of ['kid', 'use', 'alg'] as const)
    if (given[name] !== undefined) key[name] = text(given[name])
  return (key.kid ?? '').length <= maxKeyId && isWhole(key) ? key : undefined
}

/** Whether the numbers make a key; points off the curve and short moduli do not. */
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

/** A member as text that the database can hold. */
function text(value: unknown): string {
  return typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : ''
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
