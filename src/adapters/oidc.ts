import type * as OAuth from 'oauth4webapi'
import { isLoopbackUrl } from '../core/public_urls.ts'
import type { Environment } from '../core/secrets.ts'
import { hour } from '../core/time.ts'

export interface OidcSettings {
  issuer: string
  clientId: string
  clientSecret: string
  redirectUri: string
  environment: Environment
  clock: () => Date
}

/** Binds the issuer's answer to the browser that started the flow: kept in a cookie, used once. */
export interface OidcFlow {
  state: string
  nonce: string
  codeVerifier: string
}

/** The issuer's claims about a person. */
export interface OidcIdentity {
  email: string | undefined
  emailVerified: boolean
  name: string | undefined
}

export interface OidcClient {
  /** Starts a flow; returns it and the URL to send the browser to. */
  start(): Promise<{ url: string; flow: OidcFlow }>
  /** Completes a flow; throws an OidcError unless every check passes. */
  finish(parameters: URLSearchParams, flow: OidcFlow): Promise<OidcIdentity>
}

/**
 * `malformed`: the callback is not an issuer's answer; `declined`: the person or the issuer said no;
 * `unproven`: the code or token is invalid; `misbehaved`: the issuer breaks the protocol, or our
 * registration is wrong; `unavailable`: it does not answer.
 */
export type OidcFailure = 'malformed' | 'declined' | 'unproven' | 'misbehaved' | 'unavailable'

/** The message is for the log: it names the failed check and contains no secret. */
export class OidcError extends Error {
  readonly failure: OidcFailure

  constructor(failure: OidcFailure, message: string) {
    super(message)
    this.failure = failure
  }
}

type Library = typeof OAuth
type Attempt = <T>(
  what: string,
  otherwise: OidcFailure,
  work: (oauth: Library) => Promise<T> | T,
) => Promise<T>

const answerMilliseconds = 5000
const discoveryMilliseconds = hour
/** Tolerance for the issuer's clock. */
const toleranceSeconds = 30

/**
 * A client of one OpenID Connect issuer. The issuer is first contacted by the first flow, so the
 * service starts and runs without it.
 */
export function oidcClient(settings: OidcSettings): OidcClient {
  const issuer = new URL(settings.issuer)
  const insecure = isInsecureAllowed(issuer, settings.environment)
  const discover = createDiscovery(issuer, insecure, settings.clock)

  async function start() {
    const server = await discover()
    return attempt('authorization request', 'misbehaved', async (oauth) => {
      const flow: OidcFlow = {
        state: oauth.generateRandomState(),
        nonce: oauth.generateRandomNonce(),
        codeVerifier: oauth.generateRandomCodeVerifier(),
      }
      const url = new URL(server.authorization_endpoint ?? '')
      oauth.checkProtocol(url, !insecure)
      const parameters = {
        client_id: settings.clientId,
        redirect_uri: settings.redirectUri,
        response_type: 'code',
        scope: 'openid email profile',
        state: flow.state,
        nonce: flow.nonce,
        code_challenge: await oauth.calculatePKCECodeChallenge(flow.codeVerifier),
        code_challenge_method: 'S256',
      }
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
      return { url: url.href, flow }
    })
  }

  async function finish(parameters: URLSearchParams, flow: OidcFlow) {
    const server = await discover()
    const tokens = await redeem(settings, insecure, server, parameters, flow)
    return identify(settings, insecure, server, tokens)
  }

  return { start, finish }
}

/** The issuer's metadata, fetched on first use. Failures are not cached. */
function createDiscovery(
  issuer: URL,
  insecure: boolean,
  clock: () => Date,
): () => Promise<OAuth.AuthorizationServer> {
  let cached: { server: Promise<OAuth.AuthorizationServer>; until: number } | undefined
  return () => {
    const now = clock().getTime()
    if (cached && now < cached.until) return cached.server
    // Concurrent flows share one request.
    const server = attempt('discovery', 'misbehaved', async (oauth) => {
      const response = await oauth.discoveryRequest(issuer, requestOptions(oauth, insecure))
      return oauth.processDiscoveryResponse(issuer, response)
    })
    const entry = { server, until: now + discoveryMilliseconds }
    cached = entry
    server.catch(() => {
      if (cached === entry) cached = undefined
    })
    return server
  }
}

interface Tokens {
  accessToken: string
  claims: OAuth.IDToken
}

/** Exchanges the code and fully validates the ID token, signature included. */
async function redeem(
  settings: OidcSettings,
  insecure: boolean,
  server: OAuth.AuthorizationServer,
  parameters: URLSearchParams,
  flow: OidcFlow,
): Promise<Tokens> {
  const answer = await attempt('authorization response', 'malformed', (oauth) => {
    const answerParameters = oauth.validateAuthResponse(
      server,
      clientOf(oauth, settings),
      parameters,
      flow.state,
    )
    const [code, ...more] = answerParameters.getAll('code')
    if (!code || more.length > 0) throw new OidcError('malformed', 'There is not one code.')
    return answerParameters
  })
  const response = await attempt('token request', 'misbehaved', (oauth) =>
    oauth.authorizationCodeGrantRequest(
      server,
      clientOf(oauth, settings),
      clientAuthentication(oauth, server, settings.clientSecret),
      answer,
      settings.redirectUri,
      flow.codeVerifier,
      requestOptions(oauth, insecure),
    ),
  )
  return attempt('token response', 'unproven', async (oauth) => {
    const checks = { expectedNonce: flow.nonce, requireIdToken: true }
    const client = clientOf(oauth, settings)
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, checks)
    // By default the library relies on TLS and skips the signature.
    const options = requestOptions(oauth, insecure)
    await oauth.validateApplicationLevelSignature(server, response, options)
    const claims = oauth.getValidatedIdTokenClaims(tokens)
    if (!claims) throw new OidcError('unproven', 'There is no ID token.')
    return { accessToken: tokens.access_token, claims }
  })
}

/**
 * Some issuers return the address only from UserInfo. The address and its verified flag must come
 * from the same source.
 */
async function identify(
  settings: OidcSettings,
  insecure: boolean,
  server: OAuth.AuthorizationServer,
  { accessToken, claims }: Tokens,
): Promise<OidcIdentity> {
  const complete = claims.email !== undefined && claims.email_verified !== undefined
  if (complete || server.userinfo_endpoint === undefined) return identityOf(claims)
  return attempt('UserInfo', 'unproven', async (oauth) => {
    const client = clientOf(oauth, settings)
    const options = requestOptions(oauth, insecure)
    const response = await oauth.userInfoRequest(server, client, accessToken, options)
    return identityOf(await oauth.processUserInfoResponse(server, client, claims.sub, response))
  })
}

function identityOf(claims: Record<string, unknown>): OidcIdentity {
  const { email, email_verified: verified, name } = claims
  return {
    email: typeof email === 'string' ? email : undefined,
    // Some issuers send the boolean as a string.
    emailVerified: verified === true || verified === 'true',
    name: typeof name === 'string' ? name : undefined,
  }
}

function clientOf(oauth: Library, { clientId }: OidcSettings): OAuth.Client {
  return { client_id: clientId, [oauth.clockTolerance]: toleranceSeconds }
}

/** client_secret_basic is the default of an issuer that lists no methods. */
function clientAuthentication(
  oauth: Library,
  { token_endpoint_auth_methods_supported: methods }: OAuth.AuthorizationServer,
  secret: string,
): OAuth.ClientAuth {
  if (!methods || methods.includes('client_secret_basic')) return oauth.ClientSecretBasic(secret)
  if (methods.includes('client_secret_post')) return oauth.ClientSecretPost(secret)
  throw new OidcError('misbehaved', 'The issuer takes no client secret.')
}

function requestOptions(oauth: Library, insecure: boolean) {
  return {
    signal: () => AbortSignal.timeout(answerMilliseconds),
    [oauth.allowInsecureRequests]: insecure,
  }
}

/** Plain http is allowed only to an issuer on loopback. */
function isInsecureAllowed(url: URL, environment: Environment): boolean {
  return environment === 'development' && url.protocol === 'http:' && isLoopbackUrl(url.href)
}

/** Runs one step with the library and classifies its failure: which step, whose fault. */
const attempt: Attempt = async (what, otherwise, work) => {
  // Takes over 10 ms to load, and a process may never need it.
  const oauth = await import('oauth4webapi')
  try {
    return await work(oauth)
  } catch (error) {
    const failure = failureOf(oauth, error, otherwise)
    throw new OidcError(failure, `${what}: ${descriptionOf(oauth, error)}`)
  }
}

const declining = ['access_denied', 'login_required', 'consent_required', 'interaction_required']
const outages = ['temporarily_unavailable', 'server_error']

function failureOf(oauth: Library, error: unknown, otherwise: OidcFailure): OidcFailure {
  if (error instanceof OidcError) return error.failure
  if (causesOf(error).some(isUnanswered)) return 'unavailable'
  if (error instanceof oauth.AuthorizationResponseError) {
    if (declining.includes(error.error)) return 'declined'
    return outages.includes(error.error) ? 'unavailable' : 'misbehaved'
  }
  if (error instanceof oauth.ResponseBodyError && error.error === 'invalid_grant') return 'unproven'
  const status = statusOf(error)
  if (status === undefined) return otherwise
  return status >= 500 || status === 429 ? 'unavailable' : 'misbehaved'
}

function causesOf(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : []
}

/** How `fetch` reports a missing or incomplete answer. */
function isUnanswered({ name, message }: Error): boolean {
  const broken = name === 'TypeError' && (message === 'fetch failed' || message === 'terminated')
  return broken || name === 'TimeoutError'
}

/** The status of a response that the library rejected. */
function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined
  if ('status' in error && typeof error.status === 'number') return error.status
  return error.cause instanceof Response ? error.cause.status : undefined
}

/** The library's message names the check. Its causes contain values, so only codes are logged. */
function descriptionOf(oauth: Library, error: unknown): string {
  const causes = causesOf(error)
  const codes = causes.map((cause) => ('code' in cause ? cause.code : undefined))
  const hasErrorCode =
    error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError
  const parts = [
    causes[0]?.message,
    codes.find((code) => typeof code === 'string'),
    hasErrorCode ? error.error.slice(0, 60) : undefined,
    statusOf(error),
  ]
  return parts.filter((part) => part !== undefined).join(', ')
}
