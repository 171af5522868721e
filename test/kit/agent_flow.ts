import { randomUUID } from 'node:crypto'
import { parseSetCookie, type SetCookie } from 'cookie'
import * as oauth from 'oauth4webapi'
import type { Scope } from '../../src/generated/operations.ts'
import type { Person, TestService } from './service.ts'

/** A fetch that routes the service's public addresses to the servers of this test. */
export function fetchAt({ config, urls }: TestService): typeof fetch {
  const servers = new Map([
    [config.baseUrl, urls.api],
    [config.dashboardUrl, urls.dashboard],
    [config.adminUrl, urls.admin],
  ])
  return (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const server = servers.get(url.origin)
    const target = server === undefined ? url.href : server + url.pathname + url.search
    return fetch(input instanceof Request ? new Request(target, input) : target, init)
  }
}

export interface BrowserAnswer {
  status: number
  location: string
  headers: Headers
  body: string
}

export interface Browser {
  /** Opens an address, or posts a form to it; does not follow redirects. */
  visit(address: string, form?: URLSearchParams): Promise<BrowserAnswer>
  /** Signs a person in to the dashboard. */
  signIn(person: Pick<Person, 'cookie'>): void
  cookies(origin: string): Map<string, SetCookie>
}

/** A person's browser, with a cookie jar per origin. */
export function openBrowser(service: TestService): Browser {
  const jars = new Map<string, Map<string, SetCookie>>()
  const reach = fetchAt(service)

  function cookies(origin: string): Map<string, SetCookie> {
    const jar = jars.get(origin) ?? new Map<string, SetCookie>()
    jars.set(origin, jar)
    return jar
  }

  async function visit(address: string, form?: URLSearchParams): Promise<BrowserAnswer> {
    const { origin } = new URL(address)
    const jar = cookies(origin)
    const headers = new Headers({ Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' })
    const pairs = [...jar.values()].map(({ name, value }) => `${name}=${value}`)
    if (pairs.length > 0) headers.set('Cookie', pairs.join('; '))
    if (form) headers.set('Origin', origin)
    const response = await reach(address, {
      redirect: 'manual',
      headers,
      method: form ? 'POST' : 'GET',
      ...(form ? { body: form } : {}),
    })
    for (const header of response.headers.getSetCookie()) keep(jar, parseSetCookie(header))
    const location = response.headers.get('location') ?? ''
    const body = await response.text()
    return { status: response.status, headers: response.headers, location, body }
  }

  return {
    visit,
    cookies,
    signIn({ cookie }) {
      const [name = '', value = ''] = cookie.split('=')
      cookies(service.config.dashboardUrl).set(name, { name, value })
    },
  }
}

function keep(jar: Map<string, SetCookie>, cookie: SetCookie): void {
  const expired = cookie.maxAge === 0 || (cookie.expires && cookie.expires < new Date(1000))
  if (expired) jar.delete(cookie.name)
  else jar.set(cookie.name, cookie)
}

/** A raw answer of an endpoint for programs. */
export interface Reply {
  status: number
  headers: Headers
  body: Record<string, unknown>
}

/** An authorization request, with what is needed to finish it. */
export interface PendingAuthorization {
  url: URL
  state: string
  verifier: string
  redirectUri: string
}

/** A registered agent, with oauth4webapi as its OAuth client. */
export interface Agent {
  server: oauth.AuthorizationServer
  client: oauth.Client
  begin(changes?: Record<string, string | undefined>): Promise<PendingAuthorization>
  /** Exchanges the code of a callback after checking its state and issuer. */
  exchange(pending: PendingAuthorization, callback: URL): Promise<oauth.TokenEndpointResponse>
  refresh(token: string, scope?: string): Promise<oauth.TokenEndpointResponse>
  revoke(token: string): Promise<void>
  /** Posts a raw form to the token endpoint, with the client's id added. */
  askForTokens(form: Record<string, string>): Promise<Reply>
}

export const loopbackUri = 'http://127.0.0.1:33418/callback'

/** Discovers the authorization server and registers an agent there. */
export async function registerAgent(
  service: TestService,
  metadata: Record<string, oauth.JsonValue> = {},
): Promise<Agent> {
  const options = optionsFor(service)
  const issuer = new URL(service.config.baseUrl)
  const server = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { ...options, algorithm: 'oauth2' }),
  )
  const client = await oauth.processDynamicClientRegistrationResponse(
    await oauth.dynamicClientRegistrationRequest(
      server,
      { client_name: 'Shelf assistant', redirect_uris: [loopbackUri], ...metadata },
      options,
    ),
  )
  return agentOf(service, server, client)
}

/** An agent for an existing client: already registered, or described by a document. */
export function agentOf(
  service: TestService,
  server: oauth.AuthorizationServer,
  client: oauth.Client,
  authentication: oauth.ClientAuth = oauth.None(),
): Agent {
  const options = optionsFor(service)
  const reach = fetchAt(service)
  const [redirectUri = loopbackUri] = (client.redirect_uris ?? []) as string[]
  return {
    server,
    client,
    async begin(changes = {}) {
      const [state, verifier] = [randomUUID(), oauth.generateRandomCodeVerifier()]
      const parameters = {
        client_id: client.client_id,
        response_type: 'code',
        redirect_uri: redirectUri,
        state,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        resource: `${service.config.baseUrl}/mcp`,
        ...changes,
      }
      const url = new URL(server.authorization_endpoint!)
      for (const [name, value] of Object.entries(parameters))
        if (value !== undefined) url.searchParams.set(name, value)
      return { url, state, verifier, redirectUri: changes.redirect_uri ?? redirectUri }
    },
    async exchange({ state, verifier, redirectUri: usedUri }, callback) {
      const answer = oauth.validateAuthResponse(server, client, callback, state)
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        authentication,
        answer,
        usedUri,
        verifier,
        options,
      )
      return oauth.processAuthorizationCodeResponse(server, client, response)
    },
    async refresh(token, scope) {
      const response = await oauth.refreshTokenGrantRequest(server, client, authentication, token, {
        ...options,
        ...(scope === undefined ? {} : { additionalParameters: { scope } }),
      })
      return oauth.processRefreshTokenResponse(server, client, response)
    },
    async revoke(token) {
      const response = await oauth.revocationRequest(server, client, authentication, token, options)
      await oauth.processRevocationResponse(response)
    },
    async askForTokens(form) {
      const body = new URLSearchParams({ client_id: client.client_id, ...form })
      const response = await reach(server.token_endpoint!, { method: 'POST', body })
      const answer = (await response.json()) as Reply['body']
      return { status: response.status, headers: response.headers, body: answer }
    },
  }
}

function optionsFor(service: TestService) {
  const reach = fetchAt(service)
  return {
    [oauth.customFetch]: (url: string, init: object) => reach(url, init),
    [oauth.allowInsecureRequests]: true,
  } as const
}

export interface Decision {
  decision: 'allow' | 'deny'
  scopes?: Scope[]
  workspaceId?: string
  askFirst?: boolean
}

/** Opens the agent's address in a browser and returns the id of the consent request. */
export async function openRequest(
  browser: Browser,
  pending: PendingAuthorization,
): Promise<string> {
  const { status, location, body } = await browser.visit(pending.url.href)
  const id = /\/consent\/([\w-]{43})$/.exec(location)?.[1]
  if (status !== 303 || id === undefined)
    throw new Error(`No consent: ${status} ${location}${body}`)
  return id
}

/** Decides as a person at the dashboard and returns the address that completes the flow. */
export async function decide(
  service: TestService,
  person: Person,
  requestId: string,
  decision: Decision = { decision: 'allow' },
): Promise<string> {
  const answer = await service
    .dashboard(person)
    .post(`/api/consent/${requestId}`)
    .send(decision)
    .expect(200)
  return (answer.body as { redirectTo: string }).redirectTo
}

/** The whole flow in a person's browser, from the agent's address to its callback. */
export async function consent(
  service: TestService,
  person: Person,
  pending: PendingAuthorization,
  decision?: Decision,
): Promise<URL> {
  const browser = openBrowser(service)
  const redirectTo = await decide(service, person, await openRequest(browser, pending), decision)
  const { status, location, body } = await browser.visit(redirectTo)
  if (status !== 303) throw new Error(`The consent was not completed: ${status} ${body}`)
  return new URL(location)
}

/** An agent with a person's consent, and its tokens. */
export interface ConnectedAgent {
  agent: Agent
  accessToken: string
  refreshToken: string
  scope: string
}

/** Registers an agent, has a person allow everything it requests, and exchanges the code. */
export async function connectAgent(
  service: TestService,
  person: Person,
  { scope, agent }: { scope?: string; agent?: Agent } = {},
): Promise<ConnectedAgent> {
  const client = agent ?? (await registerAgent(service))
  const pending = await client.begin({ scope })
  const callback = await consent(service, person, pending)
  const tokens = await client.exchange(pending, callback)
  return {
    agent: client,
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token ?? '',
    scope: tokens.scope ?? '',
  }
}
