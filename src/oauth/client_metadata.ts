import { publicHttpsFault } from '../core/public_urls.ts'
import { type Scope, scopes } from '../generated/operations.ts'
import { OAuthError } from './errors.ts'
import { type PublicKey, readKeySet } from './key_sets.ts'
import { redirectUriFault } from './redirect_uris.ts'

/** The metadata of a client in the terms of RFC 7591: only the members we use, validated. */
export interface ClientMetadata {
  client_name?: string
  redirect_uris: string[]
  token_endpoint_auth_method: 'none' | 'private_key_jwt'
  grant_types: GrantType[]
  response_types: ['code']
  /** Known scopes, space-separated. */
  scope?: string
  jwks?: { keys: PublicKey[] }
  jwks_uri?: string
  software_id?: string
  software_version?: string
  client_uri?: string
  logo_uri?: string
  tos_uri?: string
  policy_uri?: string
}

type GrantType = (typeof grantTypes)[number]

type RawMetadata = Record<string, unknown>

const grantTypes = ['authorization_code', 'refresh_token'] as const
const pages = ['client_uri', 'logo_uri', 'tos_uri', 'policy_uri'] as const
const names = ['client_name', 'software_id', 'software_version'] as const
const maxName = 200
const maxList = 20
const maxRedirectUris = 10
const maxScope = 2000

/**
 * Reads the metadata that a client registers or publishes. Unused members are ignored, and unsupported
 * values are dropped from a list that keeps at least one other value, as RFC 7591 allows. Anything else
 * that is invalid is refused, with its name and the reason. If a registration asks for a shared secret, the
 * answer states that there is none.
 */
export function readClientMetadata(
  body: unknown,
  { published = false, nativeCallbacks }: { published?: boolean; nativeCallbacks: string[] },
): ClientMetadata {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new OAuthError('invalid_client_metadata', 'Client metadata is a JSON object.')
  const raw = published ? (body as RawMetadata) : withoutSecrets(body as RawMetadata)
  const metadata: ClientMetadata = {
    redirect_uris: redirectUrisOf(raw, nativeCallbacks),
    token_endpoint_auth_method: authMethodOf(raw),
    grant_types: grantTypesOf(raw),
    response_types: responseTypesOf(raw),
    ...keysOf(raw),
  }
  const scope = scopeOf(raw)
  if (scope !== undefined) metadata.scope = scope
  for (const member of names) {
    const name = nameOf(raw, member)
    if (name !== undefined) metadata[member] = name
  }
  for (const member of pages) {
    const page = raw[member] ?? ''
    if (page !== '') metadata[member] = publicUrlOf(raw, member)
  }
  return metadata
}

/** The scopes a client registered for; undefined if it named no known one. */
export function registeredScopes({ scope }: ClientMetadata): Scope[] | undefined {
  return scope === undefined ? undefined : (scope.split(' ') as Scope[])
}

function refusal(member: string, reason: string): OAuthError {
  return new OAuthError('invalid_client_metadata', `${member} ${reason}.`)
}

function redirectUrisOf(
  { redirect_uris: uris }: RawMetadata,
  nativeCallbacks: readonly string[],
): string[] {
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > maxRedirectUris) {
    const reason = `redirect_uris is not a list of 1 to ${maxRedirectUris} URIs.`
    throw new OAuthError('invalid_redirect_uri', reason)
  }
  // Several agents list a custom scheme of their own beside an address that is acceptable.
  const faultOf = (uri: unknown) => redirectUriFault(uri, nativeCallbacks)
  const accepted = (uris as unknown[]).filter((uri) => faultOf(uri) === undefined)
  if (accepted.length === 0) {
    const reason = `redirect_uris[0] ${faultOf(uris[0]) ?? ''}.`
    throw new OAuthError('invalid_redirect_uri', reason)
  }
  return [...new Set(accepted as string[])]
}

/**
 * RFC 7591 lets the server replace what a client asks for. Clients that ask for a secret also work without
 * one.
 */
function withoutSecrets(raw: RawMetadata): RawMetadata {
  const method = raw.token_endpoint_auth_method
  const asksForSecret = method === 'client_secret_post' || method === 'client_secret_basic'
  return asksForSecret ? { ...raw, token_endpoint_auth_method: 'none' } : raw
}

/** The default method is the one without a secret; the answer states it. */
function authMethodOf(raw: RawMetadata): ClientMetadata['token_endpoint_auth_method'] {
  const method = raw.token_endpoint_auth_method ?? 'none'
  if (method === 'none' || method === 'private_key_jwt') return method
  const reason = 'is neither none nor private_key_jwt; this server shares no secrets'
  throw refusal('token_endpoint_auth_method', reason)
}

function grantTypesOf(raw: RawMetadata): GrantType[] {
  const types = stringsOf(raw, 'grant_types') ?? grantTypes
  const supported = grantTypes.filter((type) => types.includes(type))
  if (!supported.includes('authorization_code'))
    throw refusal('grant_types', 'does not have authorization_code')
  return supported
}

function responseTypesOf(raw: RawMetadata): ['code'] {
  const types = stringsOf(raw, 'response_types') ?? ['code']
  if (!types.includes('code')) throw refusal('response_types', 'does not have code')
  return ['code']
}

function stringsOf(raw: RawMetadata, member: string): string[] | undefined {
  const list = raw[member] ?? undefined
  if (list === undefined) return undefined
  const fits = Array.isArray(list) && list.length <= maxList
  if (!fits || !list.every((item) => typeof item === 'string'))
    throw refusal(member, `is not a list of at most ${maxList} strings`)
  return list
}

/**
 * Agents register with every scope they may ever want, including those of other servers. Keep the
 * known ones, so that an unknown scope does not prevent a connection.
 */
function scopeOf(raw: RawMetadata): string | undefined {
  const scope = raw.scope ?? ''
  if (typeof scope !== 'string' || scope.length > maxScope)
    throw refusal('scope', `is not a string of at most ${maxScope} characters`)
  const requested = new Set(scope.split(' '))
  const supported = Object.keys(scopes).filter((name) => requested.has(name))
  return supported.length > 0 ? supported.join(' ') : undefined
}

/** The keys of a client that signs; for other methods none are needed or stored. */
function keysOf(raw: RawMetadata): Pick<ClientMetadata, 'jwks' | 'jwks_uri'> {
  const [set, uri] = [raw.jwks ?? undefined, raw.jwks_uri ?? undefined]
  if (set !== undefined && uri !== undefined) throw refusal('jwks', 'and jwks_uri exclude another')
  if (authMethodOf(raw) === 'none') return {}
  if (uri !== undefined) return { jwks_uri: publicUrlOf(raw, 'jwks_uri', { usualPort: true }) }
  if (set === undefined) throw refusal('jwks', 'or jwks_uri is needed for private_key_jwt')
  const keys = readKeySet(set)
  if (typeof keys === 'string') throw refusal('jwks', keys)
  return { jwks: keys }
}

/**
 * A name for people to read. Control and bidirectional characters are refused, because they could
 * make it display as something else.
 */
function nameOf(raw: RawMetadata, member: string): string | undefined {
  const name = raw[member] ?? ''
  if (typeof name !== 'string' || name.length > maxName)
    throw refusal(member, `is not a string of at most ${maxName} characters`)
  if (!name.isWellFormed() || /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(name))
    throw refusal(member, 'has control characters')
  return name.trim() || undefined
}

function publicUrlOf(raw: RawMetadata, member: string, { usualPort = false } = {}): string {
  const url = raw[member]
  const fault = publicHttpsFault(url)
  if (fault !== undefined) throw refusal(member, fault)
  if (usualPort && new URL(url as string).port !== '') throw refusal(member, 'has a port')
  return url as string
}
