import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

/** The issuer's behaviour; an empty object is a correct issuer. */
export interface Behaviour {
  /** Claims of the ID token; undefined ones are left out. */
  claims?: Record<string, unknown>
  /** Claims from UserInfo beside `sub`; if absent, the metadata has no such endpoint. */
  userInfo?: Record<string, unknown>
  /** Signs with an unpublished key, under the key id of a published one. */
  foreignKey?: boolean
  /** Sends an unsigned token, with the algorithm "none". */
  unsigned?: boolean
  /** Sends the browser back with this error. */
  error?: string
  /** Parameters of the redirect to the client; undefined ones are left out. */
  callback?: Record<string, string | undefined>
  /** Answers the token request with this status and error, or never. */
  token?: { status: number; error?: string } | 'silence'
  metadata?: Record<string, unknown>
  /** Closes every connection immediately. */
  down?: boolean
}

export interface Issuer {
  url: string
  clientId: string
  clientSecret: string
  behave(behaviour: Behaviour): void
  /** All requested paths, in order. */
  requested(): string[]
  /** Every secret sent over the wire: codes, tokens, verifiers. */
  secrets(): string[]
  close(): Promise<void>
}

interface Grant {
  redirectUri: string
  challenge: string
  nonce: string
}

interface State {
  url: string
  behaviour: Behaviour
  grants: Map<string, Grant>
  keys: Awaited<ReturnType<typeof createKeys>>
  secrets: string[]
}

export const clientId = 'vitrine dashboard'
// Contains characters that a client must encode in its Basic header.
export const clientSecret = 'a secret: of+the/issuer%20 äö'

/** An OpenID Connect issuer on loopback that signs in every browser. */
export async function startIssuer(): Promise<Issuer> {
  const requested: string[] = []
  const state: State = {
    url: '',
    behaviour: {},
    grants: new Map<string, Grant>(),
    secrets: [] as string[],
    keys: await createKeys(),
  }
  const server = createServer((request, response) => {
    if (state.behaviour.down) return void request.socket.destroy()
    const url = new URL(request.url ?? '/', state.url)
    requested.push(url.pathname)
    void route(state, url, request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: state.url,
    clientId,
    clientSecret,
    behave: (behaviour) => {
      state.behaviour = behaviour
    },
    requested: () => requested,
    secrets: () => state.secrets,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function createKeys() {
  const [own, foreign] = [await generateKeyPair('ES256'), await generateKeyPair('ES256')]
  const published = { ...(await exportJWK(own.publicKey)), kid: 'one', use: 'sig', alg: 'ES256' }
  return { own: own.privateKey, foreign: foreign.privateKey, published }
}

async function route(
  state: State,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  switch (url.pathname) {
    case '/.well-known/openid-configuration':
      return json(response, 200, metadataOf(state))
    case '/authorize':
      return authorize(state, url.searchParams, response)
    case '/token':
      return token(state, request, response)
    case '/jwks':
      return json(response, 200, { keys: [state.keys.published] })
    case '/userinfo':
      return userInfo(state, request, response)
    default:
      return json(response, 404, {})
  }
}

function metadataOf({ url, behaviour }: State) {
  return {
    issuer: url,
    authorization_endpoint: `${url}/authorize?tenant=one`,
    token_endpoint: `${url}/token`,
    jwks_uri: `${url}/jwks`,
    ...(behaviour.userInfo ? { userinfo_endpoint: `${url}/userinfo` } : {}),
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
    authorization_response_iss_parameter_supported: true,
    ...behaviour.metadata,
  }
}

/** Refuses a request that lacks anything a careful client sends. */
function authorize(state: State, parameters: URLSearchParams, response: ServerResponse): void {
  const get = (name: string) => parameters.get(name) ?? ''
  const complete =
    get('tenant') === 'one' &&
    get('client_id') === clientId &&
    get('response_type') === 'code' &&
    get('scope') === 'openid email profile' &&
    get('code_challenge_method') === 'S256' &&
    ['state', 'nonce', 'code_challenge'].every((name) => get(name).length === 43)
  if (!complete) return json(response, 400, { error: 'invalid_request' })

  const code = randomBytes(16).toString('base64url')
  const [redirectUri, challenge, nonce] = [get('redirect_uri'), get('code_challenge'), get('nonce')]
  state.grants.set(code, { redirectUri, challenge, nonce })
  state.secrets.push(code)
  const { error, callback } = state.behaviour
  const answer = { ...(error ? { error } : { code }), state: get('state'), iss: state.url }
  const back = new URL(redirectUri)
  for (const [name, value] of Object.entries({ ...answer, ...callback }))
    if (value !== undefined) back.searchParams.set(name, value)
  response.writeHead(302, { Location: back.href }).end()
}

async function token(
  state: State,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = new URLSearchParams(await text(request))
  const { token: fault } = state.behaviour
  if (fault === 'silence') return
  if (fault) return json(response, fault.status, fault.error ? { error: fault.error } : {})
  if (!isAuthenticated(state, request, body))
    return json(response, 400, { error: 'invalid_client' })

  const verifier = body.get('code_verifier') ?? ''
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const grant = state.grants.get(body.get('code') ?? '')
  state.grants.delete(body.get('code') ?? '')
  const valid = grant?.challenge === challenge && grant.redirectUri === body.get('redirect_uri')
  if (!grant || !valid) return json(response, 400, { error: 'invalid_grant' })

  const accessToken = randomBytes(16).toString('base64url')
  const idToken = await idTokenFor(state, grant)
  state.secrets.push(verifier, accessToken, idToken)
  const answer = { access_token: accessToken, token_type: 'Bearer', id_token: idToken }
  json(response, 200, { ...answer, expires_in: 60 })
}

/** Accepts only the method that the metadata states; Basic by default. */
function isAuthenticated(
  { behaviour }: State,
  { headers }: IncomingMessage,
  body: URLSearchParams,
): boolean {
  const methods = behaviour.metadata?.token_endpoint_auth_methods_supported
  const inBody = body.get('client_id') === clientId && body.get('client_secret') === clientSecret
  if (Array.isArray(methods) && !methods.includes('client_secret_basic')) return inBody
  const basic = /^Basic (.+)$/.exec(headers.authorization ?? '')?.[1] ?? ''
  const [id, secret] = Buffer.from(basic, 'base64').toString().split(':').map(formDecoded)
  return id === clientId && secret === clientSecret && !body.has('client_secret')
}

function formDecoded(encoded: string): string {
  return decodeURIComponent(encoded.replaceAll('+', ' '))
}

function idTokenFor({ url, behaviour, keys }: State, { nonce }: Grant): Promise<string> | string {
  const now = Math.floor(Date.now() / 1000)
  const claims = {
    iss: url,
    aud: clientId,
    sub: 'someone',
    nonce,
    iat: now,
    exp: now + 300,
    ...behaviour.claims,
  }
  if (behaviour.unsigned)
    return `${encoded({ alg: 'none' })}.${encoded(claims)}.${encoded('nothing')}`
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'ES256', kid: 'one' })
    .sign(behaviour.foreignKey ? keys.foreign : keys.own)
}

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function userInfo(
  { behaviour, secrets }: State,
  { headers }: IncomingMessage,
  response: ServerResponse,
): void {
  const accessToken = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1]
  if (accessToken === undefined || !secrets.includes(accessToken)) return json(response, 401, {})
  json(response, 200, { sub: 'someone', ...behaviour.userInfo })
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}
