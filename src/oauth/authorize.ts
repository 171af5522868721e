import type { Kysely } from 'kysely'
import { hashToken, newSecret } from '../core/secrets.ts'
import { minute } from '../core/time.ts'
import type { Database } from '../db/schema.ts'
import { type Scope, scopes as knownScopes } from '../generated/operations.ts'
import { insertAuthorizationRequest } from '../queries/agents/authorization_requests.ts'
import { minimalScopes } from '../queries/agents/grants.ts'
import { type ClientMetadata, registeredScopes } from './client_metadata.ts'
import type { Client } from './clients.ts'
import { OAuthError } from './errors.ts'
import { type OAuthParameters, requireParameter, requireUnrepeated } from './parameters.ts'
import { redirectUriFault, redirectUriMatches } from './redirect_uris.ts'

/** How long the person has to decide, including a sign-in by mail. */
export const requestMilliseconds = 15 * minute
const maxState = 2000

/** A validated authorization request. */
interface AuthorizationRequest {
  codeChallenge: string
  scopes: Scope[]
  state: string | undefined
}

/**
 * The verified redirect URI of a request. Until it is known to be the client's, errors are shown to
 * the person and never sent anywhere.
 */
export function redirectUriOf(
  { metadata }: Client,
  parameters: OAuthParameters,
  nativeCallbacks: readonly string[],
): string {
  const redirectUri = requireParameter(parameters, 'redirect_uri')
  const isRegistered = metadata.redirect_uris.some((uri) => redirectUriMatches(redirectUri, uri))
  // Registered URIs may have become disallowed since.
  if (isRegistered && redirectUriFault(redirectUri, nativeCallbacks) === undefined)
    return redirectUri
  throw new OAuthError('invalid_request', 'redirect_uri is not one of those of this client.')
}

/** Validates an authorization request in the order that the RFCs prescribe. */
export function checkAuthorization(
  { metadata }: Client,
  parameters: OAuthParameters,
  resource: string,
): AuthorizationRequest {
  requireUnrepeated(parameters)
  const state = parameters.values.state
  if (state !== undefined && (state.length > maxState || state.includes('\0')))
    throw new OAuthError('invalid_request', `state has more than ${maxState} characters or a NUL.`)
  requireSupported(parameters)
  const codeChallenge = codeChallengeOf(parameters)
  requireResource(parameters, resource)
  const scopes = scopesOf(metadata, parameters)
  if (parameters.values.prompt?.split(' ').includes('none'))
    throw new OAuthError('interaction_required', 'Consent always needs a person at the page.')
  return { codeChallenge, scopes, state }
}

function requireSupported(parameters: OAuthParameters): void {
  if (requireParameter(parameters, 'response_type') !== 'code')
    throw new OAuthError('unsupported_response_type', 'response_type must be code.')
  if ((parameters.values.response_mode ?? 'query') !== 'query')
    throw new OAuthError('invalid_request', 'response_mode must be query.')
  if (parameters.values.request !== undefined)
    throw new OAuthError('request_not_supported', 'Request objects are not supported.')
  if (parameters.values.request_uri !== undefined)
    throw new OAuthError('request_uri_not_supported', 'Request objects are not supported.')
}

/** Without a method RFC 7636 means `plain`, which gives no protection and is refused. */
function codeChallengeOf(parameters: OAuthParameters): string {
  const challenge = requireParameter(parameters, 'code_challenge')
  if (parameters.values.code_challenge_method !== 'S256')
    throw new OAuthError('invalid_request', 'code_challenge_method must be S256.')
  if (!/^[A-Za-z0-9_-]{43}$/.test(challenge))
    throw new OAuthError('invalid_request', 'code_challenge is not a SHA-256 in base64url.')
  return challenge
}

/** Paths below the resource, which offer less. */
const narrowedResources = ['/', '/readonly', '/readonly/']

/** RFC 8707: there is only one resource, so a client may omit it, and may name a path below it. */
export function requireResource(parameters: OAuthParameters, resource: string): void {
  const requested = parameters.values.resource ?? resource
  if (requested !== resource && !narrowedResources.some((path) => requested === resource + path))
    throw new OAuthError('invalid_target', `resource must be ${resource}.`)
}

function scopesOf(metadata: ClientMetadata, parameters: OAuthParameters): Scope[] {
  const requested = knownScopesIn(parameters.values.scope)
  return requested ?? [...(registeredScopes(metadata) ?? minimalScopes)]
}

/**
 * The known scopes of a space-separated list, each once, in the contract's order; undefined if none is
 * known. Agents add scopes of other servers, such as `openid` and `offline_access`, which are ignored, as
 * at registration. The answer states what was granted.
 */
export function knownScopesIn(scope = ''): Scope[] | undefined {
  const names = new Set(scope.split(' '))
  const requested = (Object.keys(knownScopes) as Scope[]).filter((name) => names.has(name))
  return requested.length > 0 ? requested : undefined
}

/** Stores a request until the person decides, bound to the browser with this secret. */
export async function keepRequest(
  db: Kysely<Database>,
  now: Date,
  request: { client: Client; redirectUri: string; details: AuthorizationRequest; browser: string },
): Promise<string> {
  const { client, redirectUri, details, browser } = request
  const id = newSecret()
  await insertAuthorizationRequest(db, {
    ...details,
    idHash: hashToken(id),
    browserHash: hashToken(browser),
    clientId: client.id,
    redirectUri,
    expiresAt: new Date(now.getTime() + requestMilliseconds),
  })
  return id
}

/** Adds the answer's parameters to the redirect URI. The registered part stays byte for byte. */
export function answerUri(redirectUri: string, answer: Record<string, string | undefined>): string {
  const parameters = Object.entries(answer).filter(([, value]) => value !== undefined)
  const query = new URLSearchParams(parameters as [string, string][]).toString()
  const separator = !redirectUri.includes('?') ? '?' : /[?&]$/.test(redirectUri) ? '' : '&'
  return redirectUri + separator + query
}
