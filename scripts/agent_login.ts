import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client'

/** Sign-in state of an agent on this machine, kept in memory. */
export interface AgentLogin {
  provider: OAuthClientProvider
  redirectUri: string
  client(): StoredOAuthClientInformation | undefined
  tokens: () => StoredOAuthTokens | undefined
  /** Waits for the browser's callback; throws if it belongs to another request. */
  callback(): Promise<URLSearchParams>
  close(): Promise<void>
}

export interface LoginParts {
  name: string
  metadata?: Partial<OAuthClientMetadata>
  /** Identifies or authenticates the client other than by registration. */
  extension?: Pick<OAuthClientProvider, 'clientMetadataUrl' | 'addClientAuthentication'>
  /** Shows the person the authorization URL. */
  open(url: URL): void | Promise<void>
  /** Called for each step. */
  say?: (line: string) => void
}

/** Starts the listener for the browser's callback, and the credential store for the client library. */
export async function openLogin(parts: LoginParts): Promise<AgentLogin> {
  const { extension = {}, say = () => {} } = parts
  const listener = await listenForCallback()
  let state = ''
  let verifier = ''
  let client: StoredOAuthClientInformation | undefined
  let tokens: StoredOAuthTokens | undefined
  let discovery: OAuthDiscoveryState | undefined
  const provider: OAuthClientProvider = {
    ...extension,
    redirectUrl: listener.url,
    clientMetadata: {
      client_name: parts.name,
      redirect_uris: [listener.url],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      ...parts.metadata,
    },
    state: () => (state = randomUUID()),
    clientInformation: () => client,
    saveClientInformation(information) {
      client = information
      say(`It is registered as ${information.client_id}.`)
    },
    tokens: () => tokens,
    saveTokens(newTokens) {
      tokens = newTokens
      say(`It has a token for ${newTokens.scope?.split(' ').length ?? 0} scopes.`)
    },
    redirectToAuthorization: (url) => parts.open(url),
    saveCodeVerifier: (value) => void (verifier = value),
    codeVerifier: () => verifier,
    discoveryState: () => discovery,
    saveDiscoveryState(newState) {
      discovery = newState
      say(`It is refused without a token and pointed to ${newState.authorizationServerUrl}.`)
    },
    invalidateCredentials(scope) {
      if (scope === 'all' || scope === 'tokens') tokens = undefined
      if (scope === 'all' || scope === 'client') client = undefined
      if (scope === 'all' || scope === 'discovery') discovery = undefined
    },
  }
  return {
    provider,
    redirectUri: listener.url,
    close: listener.close,
    client: () => client,
    tokens: () => tokens,
    async callback() {
      const answer = await listener.next()
      if (answer.get('state') !== state) throw new Error('The answer belongs to another request.')
      const error = answer.get('error')
      if (error !== null) throw new Error(answer.get('error_description') ?? error)
      return answer
    },
  }
}

/** Receives callbacks on a free loopback port, in order. */
async function listenForCallback() {
  const answers: URLSearchParams[] = []
  let onArrival = () => {}
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
    const isCallback = pathname === '/callback'
    response.writeHead(isCallback ? 200 : 404, {
      'Content-Type': 'text/plain',
      Connection: 'close',
    })
    response.end(
      isCallback ? 'The agent has your answer. You may close this window.\n' : 'Not found.\n',
    )
    if (!isCallback) return
    answers.push(searchParams)
    onArrival()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`,
    async next(): Promise<URLSearchParams> {
      while (answers.length === 0) await new Promise<void>((resolve) => (onArrival = resolve))
      return answers.shift()!
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
