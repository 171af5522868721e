import express, { type Request, type Response, type Router } from 'express'
import { ApiError } from '../../core/errors.ts'
import { newSecret } from '../../core/secrets.ts'
import { rateLimits } from '../../core/rate_limits.ts'
import {
  answerUri,
  checkAuthorization,
  keepRequest,
  redirectUriOf,
  requestMilliseconds,
} from '../../oauth/authorize.ts'
import { authenticateClient } from '../../oauth/client_assertions.ts'
import {
  type Client,
  findClient,
  findKnownClient,
  findRevokingClient,
  type OAuthParts,
  registerClient,
} from '../../oauth/clients.ts'
import { completeConsent, notThisBrowser } from '../../oauth/consent.ts'
import { OAuthError } from '../../oauth/errors.ts'
import { signatureAlgorithms } from '../../oauth/key_sets.ts'
import { type OAuthParameters, requireParameter } from '../../oauth/parameters.ts'
import {
  answerTokenRequest,
  comesFirst,
  findConnection,
  revokeToken,
  type TokenParts,
} from '../../oauth/tokens.ts'
import { ownCookie } from '../http/cookies.ts'
import { pageIcon, pageStyle } from '../pages/html.ts'
import { mcpPaths, narrowedSearch, toolSetAt } from '../mcp/narrowing.ts'
import { createHostedAddresses } from './hosted_addresses.ts'
import { queryOf, readForm, seeOther, servePerson, serveProgram } from './wire.ts'
import { exchangeOf, serveGet } from '../pages/pages.ts'
import type { OwnCookie, Service } from '../call/call.ts'
import { consumeLimit } from '../call/limits.ts'
import { maxBodyBytes, readJsonBody } from '../call/request_parts.ts'

/** The parts of the authorization server that its endpoints share. */
interface Server extends Omit<OAuthParts, 'publicFetch' | 'admitStranger'> {
  service: Service
  /** The only audience of tokens: the MCP endpoint. */
  resource: string
  browserCookie: OwnCookie
  isHosted: (address: string) => Promise<boolean>
}

/**
 * The authorization server on the API origin. All URLs it emits come from the settings, never from
 * the Host header, which the client controls.
 */
export function createOAuthPages(service: Service): Router {
  const { db, config, log } = service
  const issuer = config.baseUrl
  const server: Server = {
    service,
    db,
    issuer,
    log,
    takesDocuments: config.clientMetadataDocuments,
    nativeCallbacks: config.nativeCallbacks,
    resource: `${issuer}/mcp`,
    clock: () => service.clock(),
    browserCookie: ownCookie('vitrine_browser', issuer),
    isHosted: createHostedAddresses(db, () => service.clock()),
  }
  const pages = express.Router()
  serveMetadata(pages, server)
  for (const { path, handler } of [pageStyle, pageIcon]) serveGet(pages, path, handler)
  servePerson(pages, '/oauth/authorize', 'GET', (...call) => authorize(server, ...call))
  servePerson(pages, '/oauth/authorize/complete', 'GET', (...call) => complete(server, ...call))
  serveProgram(pages, '/oauth/token', 'POST', (...call) => issueTokens(server, ...call))
  serveProgram(pages, '/oauth/register', 'POST', (...call) => register(server, ...call))
  serveProgram(pages, '/oauth/revoke', 'POST', (...call) => revoke(server, ...call))
  return pages
}

/** RFC 8414 and RFC 9728 metadata, also at the alternative paths where some clients look for it. */
function serveMetadata(pages: Router, { issuer, takesDocuments }: Server): void {
  const methods = ['none', 'private_key_jwt']
  const authorizationServer = {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    registration_endpoint: `${issuer}/oauth/register`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    // Some clients request every scope listed, so list only those that a tool needs.
    scopes_supported: toolSetAt('').scopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: methods,
    token_endpoint_auth_signing_alg_values_supported: signatureAlgorithms,
    revocation_endpoint_auth_methods_supported: methods,
    revocation_endpoint_auth_signing_alg_values_supported: signatureAlgorithms,
    client_id_metadata_document_supported: takesDocuments,
    authorization_response_iss_parameter_supported: true,
    protected_resources: [...mcpPaths].map((path) => `${issuer}${path}`),
  }
  const protectedResource = (path: string) => ({
    resource: `${issuer}${path}`,
    authorization_servers: [issuer],
    scopes_supported: toolSetAt(narrowedSearch(path, '')).scopes,
    bearer_methods_supported: ['header'],
    resource_name: 'Vitrine',
  })
  const serve = (path: string, document: object) =>
    serveGet(pages, `/.well-known/${path}`, (_request, response) => {
      response.set('Cache-Control', 'public, max-age=300').json(document)
    })
  for (const suffix of ['', ...mcpPaths])
    serve(`oauth-authorization-server${suffix}`, authorizationServer)
  serve('oauth-protected-resource', protectedResource('/mcp'))
  for (const path of mcpPaths) serve(`oauth-protected-resource${path}`, protectedResource(path))
}

/** The OAuth parts for one client address, to which all fetches are attributed. */
function partsFor(server: Server, clientIp: string): OAuthParts {
  return {
    ...server,
    publicFetch: (url) => server.service.publicFetch(url, clientIp),
    // An unknown metadata document creates a client, so it counts like a registration.
    admitStranger: () => consumeAddressLimit(server, clientIp, 'registrations'),
  }
}

const addressLimits = {
  registrations: {
    usual: rateLimits.registrationsOfClient,
    hosted: rateLimits.registrationsOfHost,
  },
  tokens: { usual: rateLimits.tokensOfClient, hosted: rateLimits.tokensOfHost },
}

/**
 * Consumes a limit by address. A hosted agent calls for all its users from few addresses, so an address
 * used by several accounts gets a larger limit once the usual one is used up.
 */
async function consumeAddressLimit(
  { service, isHosted }: Server,
  address: string,
  kind: keyof typeof addressLimits,
): Promise<void> {
  const { usual, hosted } = addressLimits[kind]
  try {
    await consumeLimit(service, usual, address)
  } catch (error) {
    const isUsedUp = error instanceof ApiError && error.code === 'rate_limited'
    if (!isUsedUp || !(await isHosted(address))) throw error
    await consumeLimit(service, hosted, address)
  }
}

/** RFC 6749, 4.1.1. Errors go to the client only once its redirect URI is verified. */
async function authorize(server: Server, request: Request, response: Response): Promise<void> {
  const { clientIp } = exchangeOf(response)
  await consumeLimit(server.service, rateLimits.authorizationsOfClient, clientIp)
  const parameters = queryOf(request)
  const clientId = requireParameter(parameters, 'client_id')
  const client = await findClient(partsFor(server, clientIp), clientId)
  const redirectUri = redirectUriOf(client, parameters, server.nativeCallbacks)
  const authorization = authorizationOrError(server, client, parameters)
  if (authorization instanceof OAuthError) {
    const { code: error, description: error_description } = authorization
    const state = parameters.repeated.has('state') ? undefined : parameters.values.state
    const answer = { error, error_description, state, iss: server.issuer }
    return seeOther(response, answerUri(redirectUri, answer))
  }
  const cookie = server.browserCookie.read(request.headers.cookie)
  const browser = cookie !== undefined && /^[\w-]{43}$/.test(cookie) ? cookie : newSecret()
  const now = server.clock()
  const authorizationRequest = { client, redirectUri, details: authorization, browser }
  const id = await keepRequest(server.db, now, authorizationRequest)
  const maxAge = requestMilliseconds / 1000
  response.append('Set-Cookie', server.browserCookie.set(browser, { maxAge }))
  seeOther(response, `${server.service.config.dashboardUrl}/consent/${id}`)
}

function authorizationOrError({ resource }: Server, client: Client, parameters: OAuthParameters) {
  try {
    return checkAuthorization(client, parameters, resource)
  } catch (error) {
    if (error instanceof OAuthError) return error
    throw error
  }
}

/**
 * The return from the consent page, valid only in the browser that started and for the account that
 * decided.
 */
async function complete(server: Server, request: Request, response: Response): Promise<void> {
  const parameters = queryOf(request)
  const requestId = requireParameter(parameters, 'request')
  const ticket = requireParameter(parameters, 'ticket')
  const browser = server.browserCookie.read(request.headers.cookie)
  if (browser === undefined) throw notThisBrowser()
  const parts = { ...server, now: server.clock() }
  const uri = await completeConsent(parts, { requestId, ticket, browser })
  server.service.outbox.kick()
  seeOther(response, uri)
}

async function issueTokens(server: Server, request: Request, response: Response): Promise<void> {
  const read = await readClientForm(server, request, response, findKnownClient)
  const { form, client, cameFirst } = read
  const parts: TokenParts = {
    ...tokenParts(server),
    address: exchangeOf(response).clientIp,
    cameFirst,
    isGone: () => response.destroyed,
  }
  response.json(await answerTokenRequest(parts, client, form))
}

async function revoke(server: Server, request: Request, response: Response): Promise<void> {
  const { form, client } = await readClientForm(server, request, response, findRevokingClient)
  await revokeToken(tokenParts(server), client, form)
  response.status(200).end()
}

/** Reads the form of an authenticated client and consumes rate limits. */
async function readClientForm(
  server: Server,
  request: Request,
  response: Response,
  find: typeof findKnownClient,
): Promise<{ form: OAuthParameters; client: Client; cameFirst: boolean }> {
  const ip = exchangeOf(response).clientIp
  await consumeAddressLimit(server, ip, 'tokens')
  const form = await readForm(request)
  if (request.headers.authorization !== undefined)
    throw new OAuthError('invalid_client', 'Send client_id in the form, and no Authorization.')
  const cameFirst = await comesFirst(server.db, form)
  const client = await authenticateClient(partsFor(server, ip), form.values, find)
  // If no connection of this client matches, count against the sender's address and the client.
  const connection = await findConnection(server.db, client, form)
  const key = connection ?? `${ip} ${client.id}`
  await consumeLimit(server.service, rateLimits.tokensOfConnection, key)
  return { form, client, cameFirst }
}

async function register(server: Server, request: Request, response: Response): Promise<void> {
  const { clientIp } = exchangeOf(response)
  await consumeAddressLimit(server, clientIp, 'registrations')
  const body = await readJsonBody(request, maxBodyBytes.oauth)
  response.status(201).json(await registerClient(partsFor(server, clientIp), body))
}

function tokenParts({
  db,
  resource,
  clock,
  service,
}: Server): Omit<TokenParts, 'address' | 'cameFirst' | 'isGone'> {
  const { environment, refreshGraceSeconds } = service.config
  return { db, resource, environment, refreshGraceSeconds, clock, pause: service.pause }
}
