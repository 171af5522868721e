import request from 'supertest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { agentOf, connectAgent, registerAgent } from '../kit/agent_flow.ts'
import { statementsOf } from '../kit/statements.ts'
import { startService, type TestService } from '../kit/service.ts'

/** What agents send, as captured or read in their sources, and what they get. */
interface KnownAgent {
  name: string
  body: Record<string, unknown>
  /** The redirect URIs that are left. */
  redirectUris: string[]
  /** The scope it asks for at the authorization endpoint. */
  scope?: string
}

const code = {
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
}

const agents: KnownAgent[] = [
  {
    name: 'Cursor',
    body: {
      client_name: 'Cursor',
      redirect_uris: [
        'cursor://anysphere.cursor-mcp/oauth/callback',
        'https://www.cursor.com/agents/mcp/oauth/callback',
        'http://localhost:8787/callback',
      ],
      token_endpoint_auth_method: 'none',
      ...code,
    },
    redirectUris: [
      'https://www.cursor.com/agents/mcp/oauth/callback',
      'http://localhost:8787/callback',
    ],
  },
  {
    name: 'claude.ai',
    body: {
      client_name: 'Claude',
      redirect_uris: ['https://claude.ai/api/mcp/auth_callback'],
      token_endpoint_auth_method: 'client_secret_post',
      scope: 'workspaces:read products:read offline_access',
      ...code,
    },
    redirectUris: ['https://claude.ai/api/mcp/auth_callback'],
    scope: 'workspaces:read products:read offline_access',
  },
  {
    name: 'ChatGPT',
    body: {
      client_name: 'ChatGPT',
      redirect_uris: ['https://chatgpt.com/connector_platform_oauth_redirect'],
      token_endpoint_auth_method: 'client_secret_basic',
      ...code,
    },
    redirectUris: ['https://chatgpt.com/connector_platform_oauth_redirect'],
    scope: 'openid workspaces:read products:read',
  },
  {
    name: 'VS Code',
    body: {
      client_name: 'Visual Studio Code',
      client_uri: 'https://code.visualstudio.com',
      redirect_uris: [
        'https://insiders.vscode.dev/redirect',
        'https://vscode.dev/redirect',
        'http://127.0.0.1/',
        'http://127.0.0.1:33418/',
      ],
      grant_types: [
        'authorization_code',
        'refresh_token',
        'urn:ietf:params:oauth:grant-type:device_code',
      ],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    },
    redirectUris: [
      'https://insiders.vscode.dev/redirect',
      'https://vscode.dev/redirect',
      'http://127.0.0.1/',
      'http://127.0.0.1:33418/',
    ],
  },
  {
    name: 'Cline',
    body: {
      client_name: 'Cline',
      client_uri: 'https://cline.bot',
      redirect_uris: [
        'vscode://saoudrizwan.claude-dev/mcp-auth/callback/5d1f',
        'http://127.0.0.1:48801/mcp-auth/callback/5d1f',
      ],
      token_endpoint_auth_method: 'none',
      ...code,
    },
    redirectUris: ['http://127.0.0.1:48801/mcp-auth/callback/5d1f'],
    scope: 'openid profile offline_access workspaces:read products:read',
  },
  {
    name: 'mcp-remote',
    body: {
      client_name: 'MCP CLI Proxy',
      client_uri: 'https://github.com/modelcontextprotocol/mcp-cli',
      redirect_uris: ['http://localhost:3334/oauth/callback'],
      software_id: '2e6dc280-f3c3-4e01-99a7-8181dbd1d23d',
      software_version: '0.1.30',
      scope: 'openid email profile',
      token_endpoint_auth_method: 'none',
      ...code,
    },
    redirectUris: ['http://localhost:3334/oauth/callback'],
    scope: 'openid email profile workspaces:read products:read',
  },
]

describe('the registration of', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())

  test.each(agents)('$name is answered with what it may use, and it connects', async (known) => {
    const { body, redirectUris, scope = 'workspaces:read products:read' } = known
    const answer = await request(service.urls.api).post('/oauth/register').send(body).expect(201)
    expect(answer.body).toMatchObject({
      client_name: body.client_name,
      redirect_uris: redirectUris,
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    })
    expect(answer.body).not.toHaveProperty('client_secret')
    const { server } = await registerAgent(service)
    const agent = agentOf(service, server, answer.body as { client_id: string })
    const person = await service.givenPerson()
    const connected = await connectAgent(service, person, { agent, scope })
    expect(connected.scope).toBe('workspaces:read products:read')
    expect((await agent.refresh(connected.refreshToken)).scope).toBe(connected.scope)
  })
})

describe('an address', () => {
  /** A twentieth of the usual limits: one registration an hour, 30 token requests a minute. */
  let strict: TestService
  beforeAll(async () => {
    strict = await startService({ env: { RATE_LIMIT_PER_MINUTE: '6', TRUST_PROXY: '1' } })
  })
  afterAll(() => strict.close())

  const register = (ip: string) =>
    request(strict.urls.api)
      .post('/oauth/register')
      .set('X-Forwarded-For', ip)
      .send({ redirect_uris: ['http://localhost/cb'] })

  test('that has brought three accounts may register the users of a hosted agent', async () => {
    const { db } = strict
    const address = '203.0.113.7'
    expect((await register(address)).status).toBe(201)
    const people = [
      await strict.givenPerson(),
      await strict.givenPerson(),
      await strict.givenPerson(),
    ]
    const agent = await registerAgent(strict)
    for (const [index, person] of people.entries()) {
      expect([index, (await register(address)).status]).toEqual([index, 429])
      await connectAgent(strict, person, { agent })
      // The test's own connection comes from loopback.
      await db
        .updateTable('agent_addresses')
        .set({ address })
        .where('account_id', '=', person.accountId)
        .execute()
    }
    // They were made just now; a minute later the service asks again.
    strict.advance(61_000)
    expect((await register(address)).status).toBe(429)
    await db
      .updateTable('accounts')
      .set({ created_at: new Date(strict.now().getTime() - 24 * 3600_000) })
      .execute()
    const again = await statementsOf(strict, () => register(address).expect(429))
    expect(again.filter((text) => text.includes('agent_addresses'))).toEqual([])
    strict.advance(61_000)
    expect((await register(address)).status).toBe(201)
    expect((await register('203.0.113.8')).status).toBe(201)
    expect((await register('203.0.113.8')).status).toBe(429)
    strict.advance(30 * 24 * 3600_000)
    expect((await register(address)).status).toBe(429)
  })
})
