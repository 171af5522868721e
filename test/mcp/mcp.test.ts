import request from 'supertest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readTools } from '../../src/core/contract_documents.ts'
import { envelope, type Json, message, post, stateless, handshakeOf } from '../kit/agents.ts'
import { bearer } from '../every_operation/fixtures.ts'
import { type Person, startService, type TestService } from '../kit/service.ts'

const manifest = readTools()

let service: TestService
let owner: Person
let auth: Record<string, string>
beforeAll(async () => {
  service = await startService()
  owner = await service.givenPerson()
  auth = bearer((await service.givenAgent(owner)).token)
})
afterAll(() => service.close())

/** The response to a request of the older generation. */
async function ask(method: string, params: Json = {}, headers: Record<string, string> = {}) {
  return post(service, message(method, params), { ...auth, ...headers })
}

async function askStateless(method: string, params: Json = {}) {
  const { body, headers } = stateless(method, params)
  return post(service, body, { ...auth, ...headers })
}

const errorObject = (code: string, status: number) =>
  expect.objectContaining({ status, code }) as unknown

describe('the endpoint', () => {
  test.each(['get', 'put', 'delete', 'patch', 'head'] as const)('refuses %s', async (method) => {
    const { status, headers } = await request(service.urls.api)[method]('/mcp').set(auth)
    expect([status, headers.allow]).toEqual([405, 'POST'])
  })

  test.each(['/mcp', '/mcp/', '/mcp/readonly'])('challenges a GET of %s', async (path) => {
    const { status, headers } = await request(service.urls.api).get(path)
    const metadata = `${service.config.baseUrl}/.well-known/oauth-protected-resource`
    const own = path === '/mcp/readonly' ? path : '/mcp'
    expect(status).toBe(401)
    expect(headers['www-authenticate']).toContain(`resource_metadata="${metadata}${own}"`)
  })

  test('refuses pages of other sites and accepts software, its own pages and local tools', async () => {
    const from = async (origin: string) => (await ask('ping', {}, { Origin: origin })).status
    for (const foreign of ['https://site.example', 'null', 'http://localhost.site.example'])
      expect(await from(foreign)).toBe(403)
    for (const origin of [service.config.baseUrl, service.config.dashboardUrl])
      expect(await from(origin)).toBe(200)
    expect(await from('http://127.0.0.1:6274')).toBe(200)
    expect((await ask('ping')).status).toBe(200)
  })

  test('accepts local pages only in development', async () => {
    const production = await startService({
      env: {
        ENVIRONMENT: 'production',
        BASE_URL: 'https://api.shop.example',
        STRIPE_SECRET_KEY: 'sk_live_x',
        STRIPE_WEBHOOK_SECRET: 'whsec_stated_here',
        DASHBOARD_URL: 'https://shop.example',
        ADMIN_URL: 'https://admin.shop.example',
        SECRET_KEY: 'x'.repeat(32),
        SMTP_URL: 'smtp://localhost',
        DATABASE_URL: 'postgres://localhost/unused',
        MAIL_FROM: 'shop@shop.example',
      },
    })
    const from = (Origin: string) => post(production, message('ping'), { ...auth, Origin })
    expect((await from('http://localhost:6274')).status).toBe(403)
    expect((await from('https://shop.example')).body).toEqual(errorObject('wrong_environment', 401))
    await production.close()
  })

  test('answers with JSON that must not be cached', async () => {
    const { headers } = await ask('ping')
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    expect(headers['cache-control']).toBe('no-store')
  })

  test.each([
    ['text/plain', 415, 'unsupported_media_type'],
    ['application/json; charset=latin1', 415, 'unsupported_media_type'],
  ])('refuses a body of the type %s', async (type, status, code) => {
    const answer = await post(service, '{}', { ...auth, 'Content-Type': type })
    expect(answer.body).toEqual(errorObject(code, status))
  })

  test('refuses a body that is too large, and reads none without a credential', async () => {
    const large = JSON.stringify(message('ping', { text: 'x'.repeat(5 * 1024 * 1024 + 65_536) }))
    expect((await post(service, large, auth)).body).toEqual(errorObject('payload_too_large', 413))
    expect((await post(service, large, {})).status).toBe(401)
    const unknown = bearer((await service.givenAgent(owner)).token)
    await service.db.deleteFrom('access_tokens').execute()
    expect((await post(service, large, unknown)).status).toBe(401)
    auth = bearer((await service.givenAgent(owner)).token)
  })
})

describe('an invalid message', () => {
  test.each([
    ['nothing', '', -32700],
    ['half of one', '{"jsonrpc":"2.0",', -32700],
    ['a prototype', '{"jsonrpc":"2.0","id":1,"method":"ping","__proto__":{}}', -32700],
    ['a number', '1', -32600],
    ['another version', { jsonrpc: '1.0', id: 1, method: 'ping' }, -32600],
    ['an id that is null', { jsonrpc: '2.0', id: null, method: 'ping' }, -32600],
    ['parameters as a list', { jsonrpc: '2.0', id: 1, method: 'ping', params: [] }, -32600],
  ])('%s', async (_name, body, code) => {
    const answer = await post(service, body, auth)
    expect([answer.status, answer.body.error.code]).toEqual([400, code])
    expect((await post(service, body, bearer('nonsense'))).status).toBe(401)
  })

  test('is answered with its id if it has one', async () => {
    const answer = await post(service, { jsonrpc: '2.0', id: 'x', method: 'ping', params: 1 }, auth)
    expect(answer.body).toMatchObject({ id: 'x', error: { code: -32600 } })
  })
})

/** How the server introduces itself. */
const describedServer = () => ({
  name: 'vitrine',
  title: 'Vitrine',
  version: '1.0.0',
  description: 'Manages the catalogues of shops.',
  websiteUrl: service.config.dashboardUrl,
  icons: [{ src: `${service.config.baseUrl}/icon.png`, mimeType: 'image/png', sizes: ['32x32'] }],
})

describe('the older generation', () => {
  test.each([
    ['2025-11-25', '2025-11-25'],
    ['2025-06-18', '2025-06-18'],
    ['2025-03-26', '2025-03-26'],
    ['2019-01-01', '2025-11-25'],
    ['2026-07-28', '2025-11-25'],
  ])('a client that requests %s gets %s', async (protocolVersion, version) => {
    const { body } = await ask('initialize', handshakeOf(protocolVersion))
    expect(body.result).toEqual({
      protocolVersion: version,
      capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
      serverInfo: describedServer(),
      instructions: expect.stringContaining('never write it back'),
    })
  })

  test('has no sessions', async () => {
    const { headers } = await ask('initialize', handshakeOf())
    expect(headers).not.toHaveProperty('mcp-session-id')
  })

  test('a notification or a response gets no response', async () => {
    for (const body of [
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
      { jsonrpc: '2.0', id: 7, result: {} },
    ]) {
      const { status, text } = await post(service, body, auth)
      expect([status, text]).toEqual([202, ''])
    }
  })

  test('an unknown method, a missing version and a cursor are JSON-RPC errors', async () => {
    const outcome = async (method: string, params: Json = {}) => {
      const { status, body } = await ask(method, params)
      return [status, body.error.code]
    }
    expect(await outcome('roots/list')).toEqual([200, -32601])
    expect(await outcome('constructor')).toEqual([200, -32601])
    expect(await outcome('server/discover')).toEqual([200, -32601])
    expect(await outcome('initialize')).toEqual([200, -32602])
    expect(await outcome('tools/list', { cursor: 'x' })).toEqual([200, -32602])
    expect(await outcome('tools/call', { name: 'drop_table' })).toEqual([200, -32602])
    expect(await outcome('resources/read', { uri: 'vitrine://x' })).toEqual([200, -32602])
  })

  test('an unknown version is refused', async () => {
    const answer = await ask('ping', {}, { 'MCP-Protocol-Version': '2019-01-01' })
    expect([answer.status, answer.body.error.code]).toEqual([400, -32000])
  })

  test('a batch is answered in order, if the version has batches', async () => {
    const batch = [
      message('ping', {}, 'a'),
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      message('nothing', {}, 'b'),
      message('tools/call', { name: 'get_account' }, 'c'),
    ]
    const { status, body } = await post(service, batch, auth)
    expect(status).toBe(200)
    expect(body).toEqual([
      { jsonrpc: '2.0', id: 'a', result: {} },
      expect.objectContaining({ id: 'b', error: expect.objectContaining({ code: -32601 }) }),
      expect.objectContaining({ id: 'c', result: expect.objectContaining({}) }),
    ])
    const later = { ...auth, 'MCP-Protocol-Version': '2025-06-18' }
    expect((await post(service, batch, later)).body.error.code).toBe(-32600)
    for (const invalid of [[], Array(21).fill(batch[0]), [message('initialize')], [1]])
      expect((await post(service, invalid, auth)).body.error.code).toBe(-32600)
    expect((await post(service, batch, bearer('nonsense'))).status).toBe(401)
    expect((await post(service, [batch[1]], auth)).status).toBe(202)
  })

  test('a call of a batch that lacks a scope is refused in its result', async () => {
    const { token } = await service.givenAgent(owner, { scopes: ['workspaces:read'] })
    const batch = ['get_account', 'list_workspaces'].map((name) => {
      return message('tools/call', { name }, name)
    })
    const { status, body } = await post(service, batch, bearer(token))
    expect([status, body[0].result.isError, body[1].result.isError]).toEqual([200, true, undefined])
    expect(JSON.parse(body[0].result.content[0].text)).toEqual(
      errorObject('insufficient_scope', 403),
    )
  })
})

describe('the newer generation', () => {
  test('server/discover returns what the older handshake returned', async () => {
    const { body } = await askStateless('server/discover')
    expect(body.result).toEqual({
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
      instructions: expect.stringContaining('never write it back'),
      resultType: 'complete',
      ttlMs: 300_000,
      cacheScope: 'private',
      _meta: {
        'io.modelcontextprotocol/serverInfo': describedServer(),
      },
    })
  })

  test.each(['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'])(
    '%s may be cached for five minutes',
    async (method) => {
      const { body } = await askStateless(method)
      expect(body.result).toMatchObject({ ttlMs: 300_000, cacheScope: 'private' })
    },
  )

  test('has no handshake, no ping and no batch', async () => {
    for (const method of ['initialize', 'ping', 'roots/list', 'subscriptions/listen']) {
      const { status, body } = await askStateless(method)
      expect([status, body.error.code]).toEqual([404, -32601])
    }
    const { body, headers } = stateless('tools/list')
    expect((await post(service, [body], { ...auth, ...headers })).body.error.code).toBe(-32600)
  })

  test('a missing resource is an invalid parameter', async () => {
    const { status, body } = await askStateless('resources/read', { uri: 'vitrine://x' })
    expect([status, body.error]).toEqual([
      200,
      expect.objectContaining({ code: -32602, data: { uri: 'vitrine://x' } }),
    ])
  })

  const call = stateless('tools/call', { name: 'get_account', arguments: {} })
  const without = (name: string) =>
    Object.fromEntries(Object.entries(call.headers).filter(([header]) => header !== name))

  test.each([
    ['no version in the headers', without('MCP-Protocol-Version'), {}, -32020],
    ['no method in the headers', without('Mcp-Method'), {}, -32020],
    ['no name in the headers', without('Mcp-Name'), {}, -32020],
    ['another method', { ...call.headers, 'Mcp-Method': 'tools/list' }, {}, -32020],
    ['another tool', { ...call.headers, 'Mcp-Name': 'delete_product' }, {}, -32020],
    ['a name that is not base64', { ...call.headers, 'Mcp-Name': '=?base64?%?=' }, {}, -32020],
    ['another version', { ...call.headers, 'MCP-Protocol-Version': '2025-11-25' }, {}, -32020],
    ['no envelope', call.headers, { _meta: {} }, -32602],
    [
      'no capabilities',
      call.headers,
      { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } },
      -32602,
    ],
    [
      'a version that is not served',
      { ...call.headers, 'MCP-Protocol-Version': '2027-01-01' },
      { _meta: { ...envelope, 'io.modelcontextprotocol/protocolVersion': '2027-01-01' } },
      -32022,
    ],
  ])('refuses a call with %s', async (_name, headers, change, code) => {
    const params = { ...(call.body.params as Json), ...change }
    const answer = await post(service, { ...call.body, params }, { ...auth, ...headers })
    expect([answer.status, answer.body.error.code, answer.body.id]).toEqual([400, code, 1])
  })

  test('runs no tool whose name is not a string, which headers cannot express', async () => {
    const params = { ...(call.body.params as Json), name: ['get_account'] }
    const answer = await post(service, { ...call.body, params }, { ...auth, ...call.headers })
    expect(answer.body).toMatchObject({ id: 1, error: { code: -32602 } })
  })

  test('accepts an encoded name', async () => {
    const encoded = `=?base64?${Buffer.from('get_account').toString('base64')}?=`
    const headers = { ...auth, ...call.headers, 'Mcp-Name': encoded }
    expect((await post(service, call.body, headers)).body).toHaveProperty('result')
  })
})

describe('resources', () => {
  test('are the public contract and two tables derived from it', async () => {
    const { body } = await ask('resources/list')
    const uris = body.result.resources.map(({ uri }: { uri: string }) => uri)
    expect(uris).toEqual([
      `${service.config.baseUrl}/v1/openapi.json`,
      'vitrine://error-codes',
      'vitrine://scopes',
    ])
    const read = async (uri: string): Promise<unknown> => {
      const { result } = (await ask('resources/read', { uri })).body
      expect(result.contents).toHaveLength(1)
      expect(result.contents[0]).toMatchObject({ uri, mimeType: 'application/json' })
      return JSON.parse(result.contents[0].text)
    }
    expect(await read(uris[0])).toEqual((await service.api().get('/v1/openapi.json')).body)
    expect(await read(uris[1])).toHaveProperty('not_found.status', 404)
    expect(await read(uris[2])).toHaveProperty(['products:read'])
  })
})

describe('the list of tools', () => {
  test('is the whole manifest in order, each tool with its title and four hints', async () => {
    const { tools, ...rest } = (await ask('tools/list')).body.result
    expect(tools).toEqual(manifest)
    expect(rest).toEqual({})
    for (const { title, annotations, inputSchema, outputSchema } of tools) {
      expect(annotations).toEqual({
        title,
        readOnlyHint: expect.any(Boolean),
        destructiveHint: expect.any(Boolean),
        idempotentHint: expect.any(Boolean),
        openWorldHint: expect.any(Boolean),
      })
      for (const schema of [inputSchema, outputSchema]) {
        expect(schema.type).toBe('object')
        for (const combined of ['oneOf', 'anyOf', 'allOf', '$ref'])
          expect(schema).not.toHaveProperty(combined)
      }
    }
  })
})
