import {
  createLocalJWKSet,
  decodeJwt,
  errors,
  type JWTPayload,
  jwtVerify,
  type JWTVerifyOptions,
} from 'jose'
import type { PublicAnswer } from '../adapters/public_fetch.ts'
import { hashToken } from '../core/secrets.ts'
import { findClientRow, insertAssertion, updateKeySet } from '../queries/agents/oauth_clients.ts'
import {
  ask,
  type Client,
  type findKnownClient,
  freshUntilOf,
  type OAuthParts,
  retryMilliseconds,
} from './clients.ts'
import { OAuthError } from './errors.ts'
import { isKeySet, type PublicKey, readKeySet, signatureAlgorithms } from './key_sets.ts'

/** The parameters of a form; none is repeated. */
export type FormParameters = Readonly<Record<string, string | undefined>>

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const maxLifetimeSeconds = 300
const maxJti = 256
/** Tolerated clock skew of agents. */
const toleranceSeconds = 30

/** Authenticates the client behind a token or revocation request, by its registered method. */
export async function authenticateClient(
  parts: OAuthParts,
  form: FormParameters,
  find: typeof findKnownClient,
): Promise<Client> {
  const { client_assertion: assertion, client_assertion_type: type } = form
  if (assertion === undefined && type === undefined)
    return findPublicClient(parts, form.client_id, find)
  if (assertion === undefined || type !== assertionType)
    throw refusal(`client_assertion goes with the client_assertion_type ${assertionType}`)
  const clientId = claimedClient(assertion)
  if (form.client_id !== undefined && form.client_id !== clientId)
    throw refusal('client_id is not the subject of the assertion')

  const client = await find(parts, clientId)
  if (client.metadata.token_endpoint_auth_method !== 'private_key_jwt')
    throw refusal('this client did not register for private_key_jwt')
  const { jti, exp } = await verifyAssertion(parts, client, assertion)
  // The insert decides: of two concurrent uses of an assertion, one hits the other's row.
  const expiresAt = new Date((exp + toleranceSeconds) * 1000)
  const use = { clientId, jtiHash: hashToken(jti), expiresAt }
  if (!(await insertAssertion(parts.db, use))) throw refusal('the assertion was used before')
  return client
}

async function findPublicClient(
  parts: OAuthParts,
  clientId: string | undefined,
  find: typeof findKnownClient,
): Promise<Client> {
  if (clientId === undefined) throw new OAuthError('invalid_request', 'client_id is missing.')
  const client = await find(parts, clientId)
  if (client.metadata.token_endpoint_auth_method === 'none') return client
  throw refusal('this client authenticates with private_key_jwt; client_assertion is missing')
}

function refusal(reason: string): OAuthError {
  return new OAuthError('invalid_client', `Client authentication failed: ${reason}.`)
}

/** The client that the assertion claims to be from; not yet verified. */
function claimedClient(assertion: string): string {
  try {
    const { sub } = decodeJwt(assertion)
    if (typeof sub === 'string') return sub
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error
  }
  throw refusal('client_assertion is not a JWT with a subject')
}

async function verifyAssertion(
  parts: OAuthParts,
  client: Client,
  assertion: string,
): Promise<{ jti: string; exp: number }> {
  const options: JWTVerifyOptions = {
    issuer: client.id,
    subject: client.id,
    audience: [`${parts.issuer}/oauth/token`, parts.issuer],
    algorithms: signatureAlgorithms,
    requiredClaims: ['exp', 'iat', 'jti'],
    maxTokenAge: maxLifetimeSeconds,
    clockTolerance: toleranceSeconds,
    currentDate: parts.clock(),
  }
  const { jti, exp = 0, iat = 0, aud } = await verifyWithKeys(parts, client, assertion, options)
  if (Array.isArray(aud) && aud.length !== 1) throw refusal('aud has not exactly one value')
  if (exp - iat > maxLifetimeSeconds)
    throw refusal(`the assertion is valid for more than ${maxLifetimeSeconds} seconds`)
  if (typeof jti !== 'string' || jti === '' || jti.length > maxJti)
    throw refusal(`jti is not a string of 1 to ${maxJti} characters`)
  return { jti, exp }
}

/** If the key is unknown, it may be new: a published key set is then fetched again. */
async function verifyWithKeys(
  parts: OAuthParts,
  client: Client,
  assertion: string,
  options: JWTVerifyOptions,
): Promise<JWTPayload> {
  const { jwks, jwks_uri: uri } = client.metadata
  const keys = jwks?.keys ?? (await publishedKeys(parts, client.id, uri ?? '', 'stored'))
  try {
    return await verify(assertion, keys, options)
  } catch (error) {
    if (!isUnknownKey(error) || uri === undefined) throw failureOf(error)
  }
  const newest = await publishedKeys(parts, client.id, uri, 'newest')
  return verify(assertion, newest, options).catch((error: unknown) => {
    throw failureOf(error)
  })
}

async function verify(
  assertion: string,
  keys: PublicKey[],
  options: JWTVerifyOptions,
): Promise<JWTPayload> {
  const set = createLocalJWKSet({ keys })
  try {
    return (await jwtVerify(assertion, set, options)).payload
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error
    // Without a key id several keys may match; try each of them.
    for await (const key of error) {
      const result = await jwtVerify(assertion, key, options).catch(ignoreSignature)
      if (result) return result.payload
    }
    throw new errors.JWSSignatureVerificationFailed()
  }
}

function ignoreSignature(error: unknown): undefined {
  if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error
}

function isUnknownKey(error: unknown): boolean {
  return (
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWSSignatureVerificationFailed
  )
}

/** Names the claim that failed; for any other failure, gives no details. */
function failureOf(error: unknown): unknown {
  if (error instanceof errors.JWTExpired) return refusal('the assertion has expired')
  if (error instanceof errors.JWTClaimValidationFailed)
    return refusal(`the claim ${error.claim} is missing or not as it must be`)
  if (error instanceof errors.JOSEAlgNotAllowed)
    return refusal(`the algorithm is none of ${signatureAlgorithms.join(', ')}`)
  // A key that fits no algorithm causes an error of the library or the platform.
  const unreadable = error instanceof errors.JOSEError || error instanceof TypeError
  return unreadable ? refusal('the assertion is not signed by a key of this client') : error
}

/** A key set as last fetched, or as of the last attempt. */
interface StoredKeySet {
  uri: string
  keys: PublicKey[]
  triedAt: string
  freshUntil: string
}

/**
 * The keys that a client publishes at its `jwks_uri`. Stored with the client, like its document, and used
 * while its host is down. Fetched at most once a minute, however often clients call.
 */
async function publishedKeys(
  parts: OAuthParts,
  clientId: string,
  uri: string,
  version: 'stored' | 'newest',
): Promise<PublicKey[]> {
  const row = await findClientRow(parts.db, clientId)
  const keySet = row?.keySet as StoredKeySet | null | undefined
  const stored = keySet?.uri === uri ? keySet : undefined
  const now = parts.clock()
  const isFresh = stored && version === 'stored' && now < new Date(stored.freshUntil)
  const wasTried = stored && now.getTime() < Date.parse(stored.triedAt) + retryMilliseconds
  if (stored && (isFresh || wasTried)) return requireKeys(stored.keys)
  // Never fetch from a blocked source; use what is stored.
  if (row?.sourceStatus === 'BLOCKED') return requireKeys(stored?.keys ?? [])

  const answer = await ask(parts, uri)
  if (answer === 'busy') return requireKeys(stored?.keys ?? [])
  const fetched = answer?.status === 200 ? readKeySet(answer.body) : undefined
  const renewed = typeof fetched === 'object'
  const fallback = answer && isWithdrawal(answer) ? [] : (stored?.keys ?? [])
  const keys = renewed ? fetched.keys : fallback
  const freshUntil = renewed ? freshUntilOf(answer?.freshSeconds, now) : now
  await updateKeySet(parts.db, clientId, { uri, keys, triedAt: now, freshUntil })
  return requireKeys(keys)
}

/**
 * Whether a working host says that the keys have changed or are gone. A client that withdraws a stolen key
 * must be able to rely on us dropping it.
 */
function isWithdrawal({ status, body }: PublicAnswer): boolean {
  if (status === 200) return isKeySet(body)
  const isTemporary = status === 408 || status === 429
  return status >= 400 && status < 500 && !isTemporary
}

/** Not `invalid_client`: the client is still registered and may retry. */
function requireKeys(keys: PublicKey[]): PublicKey[] {
  if (keys.length > 0) return keys
  const description = 'jwks_uri answers no public keys. Try again.'
  const retryAfter = retryMilliseconds / 1000
  throw new OAuthError('temporarily_unavailable', description, { retryAfter })
}
