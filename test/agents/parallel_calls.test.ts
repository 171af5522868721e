import type { OAuthClientProvider, OAuthTokens } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AgentLogin } from '../../scripts/agent_login.ts'
import { connectAgent, loopbackUri } from '../kit/agent_flow.ts'
import { aiSdk, libraries } from '../kit/real_agents.ts'
import { startService, type TestService } from '../kit/service.ts'

const hour = 3600_000
const parallel = 5

/** Refreshes that wait; they go on together once as many have come as the library sends. */
let waiting: (() => void)[] = []
let gathered = 1
function pause(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (waiting.length < gathered) return
    for (const go of waiting) go()
    waiting = []
  })
}

let service: TestService
beforeAll(async () => {
  service = await startService({ pause, atOwnAddress: true })
})
afterAll(() => service.close())

/** An agent that is connected already and never asks a person again. */
async function givenLogin(): Promise<{ login: AgentLogin; isRevoked: () => Promise<boolean> }> {
  const person = await service.givenPerson()
  const connected = await connectAgent(service, person)
  const { baseUrl } = service.config
  // The libraries store with a token which server it is of, and refresh it nowhere else.
  const server = {
    issuer: baseUrl,
    authorization_server: baseUrl,
    token_endpoint: `${baseUrl}/oauth/token`,
  }
  let tokens: OAuthTokens = {
    access_token: connected.accessToken,
    refresh_token: connected.refreshToken,
    token_type: 'Bearer',
    ...server,
  }
  const provider: OAuthClientProvider = {
    redirectUrl: loopbackUri,
    clientMetadata: { redirect_uris: [loopbackUri] },
    clientInformation: () => ({ client_id: connected.agent.client.client_id }),
    tokens: () => tokens,
    saveTokens: (saved) => {
      tokens = saved
    },
    redirectToAuthorization: () => {
      throw new Error('The person was asked again.')
    },
    saveCodeVerifier: () => undefined,
    codeVerifier: () => '',
  }
  const login = { provider, tokens: () => tokens } as unknown as AgentLogin
  const isRevoked = async () => {
    const { body } = await service.dashboard(person).get('/api/connections').expect(200)
    return (body.connections as { revokedAt: string | null }[])[0]!.revokedAt !== null
  }
  return { login, isRevoked }
}

/** One refresh for each call, or one for all of them. */
const refreshing = [
  ...libraries.map((library) => ({ ...library, refreshes: parallel })),
  { ...aiSdk, refreshes: 1 },
]

describe.each(refreshing)('$name', ({ refreshes, ...library }) => {
  test('keeps its connection when parallel calls notice that the token has expired', async () => {
    const { login, isRevoked } = await givenLogin()
    const address = new URL(`${service.config.baseUrl}/mcp`)
    const attempt = library.attempt(address, login, fetch)
    await attempt.connect()
    const { client } = attempt
    service.advance(hour)
    gathered = refreshes
    const call = () => client.callTool({ name: 'list_workspaces', arguments: {} })
    const results = await Promise.all(Array.from({ length: parallel }, call))
    gathered = 1
    for (const result of results) expect(result).toMatchObject({ structuredContent: { page: 1 } })
    expect(await isRevoked()).toBe(false)
    service.advance(hour)
    expect(await call()).toMatchObject({ structuredContent: { page: 1 } })
    await client.close()
  })
})
