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

/** What ties the issuer's answer to the browser that asked: kept there, and used once. */
export interface OidcFlow {
  state: string
  nonce: string
  codeVerifier: string
}

/** What the issuer says about a person. */
export interface OidcIdentity {
  email: string | undefined
  emailVerified: boolean
  name: string | undefined
}

export interface OidcClient {
  /** A new flow, and where the browser goes with it. */
  start(): Promise<{ url: string; flow: OidcFlow }>
  /** Who came back with these parameters; throws an OidcError unless everything is proven. */
  finish(parameters: URLSearchParams, flow: OidcFlow): Promise<OidcIdentity>
}

/**
 * `malformed`: the browser brought no answer of the issuer's; `declined`: the person or the issuer
 * said no; `unproven`: the code or the token does not hold; `misbehaved`: the issuer's answer is no
 * answer of its protocol, or our registration there is wrong; `unavailable`: it does not answer.
 */
export type OidcFailure = 'malformed' | 'declined' | 'unproven' | 'misbehaved' | 'unavailable'

/** Its message is for the log: it names the check that failed and holds no secret. */
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
/** Clocks of issuers may be off by this much. */
const toleranceSeconds = 30

/**
 * A client of one OpenID Connect issuer. Nothing is asked of the issuer before the first flow, so
 * that the service starts and runs without it.
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

/** The issuer's metadata, asked for at first use. A failure is not kept: the next flow asks again. */
function createDiscovery(
  issuer: URL,
  insecure: boolean,
  clock: () => Date,
): () => Promise<OAuth.AuthorizationServer> {
  let known: { server: Promise<OAuth.AuthorizationServer>; until: number } | undefined
  return () => {
    const now = clock().getTime()
    if (known && now < known.until) return known.server
    // Flows that start while the question is open share its answer.
    const server = attempt('discovery', 'misbehaved', async (oauth) => {
      const response = await oauth.discoveryRequest(issuer, requestOptions(oauth, insecure))
      return oauth.processDiscoveryResponse(issuer, response)
    })
    const asked = { server, until: now + discoveryMilliseconds }
    known = asked
    server.catch(() => {
      if (known === asked) known = undefined
    })
    return server
  }
}

interface Tokens {
  accessToken: string
  claims: OAuth.IDToken
}

/** Exchanges the code, and lets the ID token pass only with every check, its signature included. */
async function redeem(
  settings: OidcSettings,
  insecure: boolean,
  server: OAuth.AuthorizationServer,
  parameters: URLSearchParams,
  flow: OidcFlow,
): Promise<Tokens> {
  const answer = await attempt('authorization response', 'malformed', (oauth) => {
    const checked = oauth.validateAuthResponse(
      server,
      clientOf(oauth, settings),
      parameters,
      flow.state,
    )
    const [code, ...more] = checked.getAll('code')
    if (!code || more.length > 0) throw new OidcError('malformed', 'There is not one code.')
    return checked
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
    // The library leaves the signature to TLS unless it is asked to check it.
    const options = requestOptions(oauth, insecure)
    await oauth.validateApplicationLevelSignature(server, response, options)
    const claims = oauth.getValidatedIdTokenClaims(tokens)
    if (!claims) throw new OidcError('unproven', 'There is no ID token.')
    return { accessToken: tokens.access_token, claims }
  })
}

/**
 * Issuers may keep the address out of the ID token and answer it at UserInfo alone. An address and
 * whether it is verified always come from one source.
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
    // Some issuers write the boolean as text.
    emailVerified: verified === true || verified === 'true',
    name: typeof name === 'string' ? name : undefined,
  }
}

function clientOf(oauth: Library, { clientId }: OidcSettings): OAuth.Client {
  return { client_id: clientId, [oauth.clockTolerance]: toleranceSeconds }
}

/** Basic is what an issuer supports that does not say. */
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

/** Plain http reaches an issuer on the developer's own machine and no other. */
function isInsecureAllowed(url: URL, environment: Environment): boolean {
  return environment === 'development' && url.protocol === 'http:' && isLoopbackUrl(url.href)
}

/** Runs one step with the library, and says of its failure which step it was and whose fault. */
const attempt: Attempt = async (what, otherwise, work) => {
  // Loading it costs more than ten milliseconds, and a process may never need it.
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

/** How `fetch` says that there was no answer, or only a part of one, in time. */
function isUnanswered({ name, message }: Error): boolean {
  const broken = name === 'TypeError' && (message === 'fetch failed' || message === 'terminated')
  return broken || name === 'TimeoutError'
}

/** The status of a response that the library could not take for an answer. */
function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined
  if ('status' in error && typeof error.status === 'number') return error.status
  return error.cause instanceof Response ? error.cause.status : undefined
}

/** The library's own message names the check; its causes hold values, of which only codes are told. */
function descriptionOf(oauth: Library, error: unknown): string {
  const causes = causesOf(error)
  const codes = causes.map((cause) => ('code' in cause ? cause.code : undefined))
  const named =
    error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError
  const parts = [
    causes[0]?.message,
    codes.find((code) => typeof code === 'string'),
    named ? error.error.slice(0, 60) : undefined,
    statusOf(error),
  ]
  return parts.filter((part) => part !== undefined).join(', ')
}
