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

export type GrantType = (typeof grantTypes)[number]

type Given = Record<string, unknown>

const grantTypes = ['authorization_code', 'refresh_token'] as const
const pages = ['client_uri', 'logo_uri', 'tos_uri', 'policy_uri'] as const
const names = ['client_name', 'software_id', 'software_version'] as const
const maxName = 200
const maxList = 20
const maxRedirectUris = 10
const maxScope = 2000

/**
 * Reads the metadata that a client registers or publishes. Unused members are ignored, and
 * unsupported values are dropped from a list that keeps at least one other, as RFC 7591 allows.
 * Anything else invalid is refused with its name and the reason.
 */
export function readClientMetadata(body: unknown): ClientMetadata {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new OAuthError('invalid_client_metadata', 'Client metadata is a JSON object.')
  const given = body as Given
  const metadata: ClientMetadata = {
    redirect_uris: redirectUrisOf(given),
    token_endpoint_auth_method: authMethodOf(given),
    grant_types: grantTypesOf(given),
    response_types: responseTypesOf(given),
    ...keysOf(given),
  }
  const scope = scopeOf(given)
  if (scope !== undefined) metadata.scope = scope
  for (const member of names) {
    const name = nameOf(given, member)
    if (name !== undefined) metadata[member] = name
  }
  for (const member of pages) {
    const page = given[member] ?? ''
    if (page !== '') metadata[member] = publicUrlOf(given, member)
  }
  return metadata
}

/** The scopes a client registered for; undefined if it named no known one. */
export function registeredScopes({ scope }: ClientMetadata): Scope[] | undefined {
  return scope === undefined ? undefined : (scope.split(' ') as Scope[])
}

function refused(member: string, reason: string): OAuthError {
  return new OAuthError('invalid_client_metadata', `${member} ${reason}.`)
}

function redirectUrisOf({ redirect_uris: uris }: Given): string[] {
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > maxRedirectUris) {
    const reason = `redirect_uris is not a list of 1 to ${maxRedirectUris} URIs.`
    throw new OAuthError('invalid_redirect_uri', reason)
  }
  for (const [index, uri] of uris.entries()) {
    const fault = redirectUriFault(uri)
    if (fault !== undefined)
      throw new OAuthError('invalid_redirect_uri', `redirect_uris[${index}] ${fault}.`)
  }
  return [...new Set(uris as string[])]
}

/** The default method is the one without a secret; the answer states it. */
function authMethodOf(given: Given): ClientMetadata['token_endpoint_auth_method'] {
  const method = given.token_endpoint_auth_method ?? 'none'
  if (method === 'none' || method === 'private_key_jwt') return method
  const reason = 'is neither none nor private_key_jwt; this server shares no secrets'
  throw refused('token_endpoint_auth_method', reason)
}

function grantTypesOf(given: Given): GrantType[] {
  const listed = stringsOf(given, 'grant_types') ?? grantTypes
  const supported = grantTypes.filter((type) => listed.includes(type))
  if (!supported.includes('authorization_code'))
    throw refused('grant_types', 'does not have authorization_code')
  return supported
}

function responseTypesOf(given: Given): ['code'] {
  const listed = stringsOf(given, 'response_types') ?? ['code']
  if (!listed.includes('code')) throw refused('response_types', 'does not have code')
  return ['code']
}

function stringsOf(given: Given, member: string): string[] | undefined {
  const list = given[member] ?? undefined
  if (list === undefined) return undefined
  const fits = Array.isArray(list) && list.length <= maxList
  if (!fits || !list.every((item) => typeof item === 'string'))
    throw refused(member, `is not a list of at most ${maxList} strings`)
  return list
}

/**
 * Agents register with every scope they may ever want, including those of other servers. Keep the
 * known ones, so that an unknown scope does not prevent a connection.
 */
function scopeOf(given: Given): string | undefined {
  const scope = given.scope ?? ''
  if (typeof scope !== 'string' || scope.length > maxScope)
    throw refused('scope', `is not a string of at most ${maxScope} characters`)
  const asked = new Set(scope.split(' '))
  const known = Object.keys(scopes).filter((name) => asked.has(name))
  return known.length > 0 ? known.join(' ') : undefined
}

/** The keys of a client that signs; for other methods none are needed or stored. */
function keysOf(given: Given): Pick<ClientMetadata, 'jwks' | 'jwks_uri'> {
  const [set, uri] = [given.jwks ?? undefined, given.jwks_uri ?? undefined]
  if (set !== undefined && uri !== undefined) throw refused('jwks', 'and jwks_uri exclude another')
  if (authMethodOf(given) === 'none') return {}
  if (uri !== undefined) return { jwks_uri: publicUrlOf(given, 'jwks_uri', { usualPort: true }) }
  if (set === undefined) throw refused('jwks', 'or jwks_uri is needed for private_key_jwt')
  const keys = readKeySet(set)
  if (typeof keys === 'string') throw refused('jwks', keys)
  return { jwks: keys }
}

/**
 * A name for people to read. Control and bidirectional characters are refused, because they could
 * make it display as something else.
 */
function nameOf(given: Given, member: string): string | undefined {
  const name = given[member] ?? ''
  if (typeof name !== 'string' || name.length > maxName)
    throw refused(member, `is not a string of at most ${maxName} characters`)
  if (!name.isWellFormed() || /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(name))
    throw refused(member, 'has control characters')
  return name.trim() || undefined
}

function publicUrlOf(given: Given, member: string, { usualPort = false } = {}): string {
  const url = given[member]
  const fault = publicHttpsFault(url)
  if (fault !== undefined) throw refused(member, fault)
  if (usualPort && new URL(url as string).port !== '') throw refused(member, 'has a port')
  return url as string
}
