import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Handlers, OperationId } from '../../src/operation.ts'
import { openConnection, type RawAnswer, type RawConnection, requestText } from '../kit/raw_http.ts'
import { startService, type TestService } from '../kit/service.ts'

const securityHeaders = {
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
}
const docsPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
  "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
const appPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; " +
  "connect-src 'self' http://localhost:3000; img-src 'self' http://localhost:3000 blob: data:; " +
  "base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'"
const exposedHeaders =
  'ETag,RateLimit,RateLimit-Policy,Retry-After,X-Request-Id,Deprecation,Link,WWW-Authenticate'

type OriginName = 'api' | 'dashboard' | 'admin'

/** What is different about one way that a request can take through the house. */
interface Particulars {
  code?: string
  operation?: OperationId
  headers?: Record<string, string>
  body?: string
  /** The exact bytes, for what is no ordinary request. */
  raw?: string
  policy?: string
  /** Further headers of the answer. */
  answers?: Record<string, string>
}

type Way = [title: string, line: string, status: number, particulars?: Particulars]

const json = { 'Content-Type': 'application/json' }
const key = { Authorization: 'Bearer {key}' }
const session = { Cookie: '{cookie}' }
const profile = '/v1/workspaces/{workspaceId}/workspace'
const listing = { operation: 'list_workspaces' } as const
const refused = (code: string, operation?: OperationId, more: Particulars = {}): Particulars => ({
  ...(operation ? { code, operation } : { code }),
  ...more,
})
const bearer = (name: string) => ({ headers: { Authorization: `Bearer {${name}}` } })
const wrongMethod = (allow: string) =>
  refused('method_not_allowed', undefined, { answers: { allow } })

const onApi: Way[] = [
  ['an operation', 'GET /v1/workspaces?page=1', 200, { ...listing, headers: key }],
  ['an operation, HEAD', 'HEAD /v1/workspaces?page=1', 200, { ...listing, headers: key }],
  [
    'an operation, not modified',
    'GET /v1/workspaces?page=1',
    304,
    { ...listing, headers: { ...key, 'If-None-Match': '*' } },
  ],
  [
    'no credential',
    'GET /v1/workspaces?page=1',
    401,
    refused('unauthenticated', 'list_workspaces', { answers: { 'www-authenticate': 'Bearer' } }),
  ],
  ['no credential, HEAD', 'HEAD /v1/workspaces?page=1', 401, listing],
  [
    'an expired key',
    'GET /v1/workspaces?page=1',
    401,
    refused('token_expired', 'list_workspaces', bearer('expired')),
  ],
  [
    'a key of the other environment',
    'GET /v1/workspaces?page=1',
    401,
    refused('wrong_environment', 'list_workspaces', {
      headers: { Authorization: 'Bearer wsk_live_x' },
    }),
  ],
  [
    'a missing scope',
    'GET /v1/workspaces?page=1',
    403,
    refused('insufficient_scope', 'list_workspaces', bearer('narrow')),
  ],
  [
    'a suspended account',
    'GET /v1/workspaces?page=1',
    403,
    refused('account_inactive', 'list_workspaces', bearer('suspended')),
  ],
  [
    "somebody else's workspace",
    `GET ${profile}?page=1`,
    403,
    refused('not_owner', 'get_workspace', bearer('foreign')),
  ],
  [
    'an unknown query name',
    `GET ${profile}?page=1`,
    400,
    refused('invalid_input', 'get_workspace', { headers: key }),
  ],
  [
    'a flat URL without its workspace',
    'GET /v1/workspace?page=1',
    400,
    refused('missing_workspace', 'get_workspace', { headers: key }),
  ],
  ['a malformed path', 'GET /v1/workspaces/%zz/workspace?page=1', 400, refused('invalid_input')],
  ['an unknown path', 'GET /v1/nothing?page=1', 404, refused('not_found')],
  ['another method', 'DELETE /v1/workspaces?page=1', 405, wrongMethod('GET, HEAD, POST')],
  [
    'a body that is too large',
    'POST /v1/workspaces?page=1',
    413,
    refused('payload_too_large', 'create_workspace', {
      headers: { ...key, ...json, 'Content-Length': `${5 * 1024 * 1024 + 1}` },
    }),
  ],
  [
    'a body of another type',
    'POST /v1/workspaces?page=1',
    415,
    refused('unsupported_media_type', 'create_workspace', { headers: key, body: 'name=x' }),
  ],
  [
    'a write that comes too late',
    `PUT ${profile}`,
    409,
    refused('write_conflict', 'update_workspace', {
      headers: { ...key, ...json, 'If-Match': '"old"' },
      body: '{"name":"Other"}',
    }),
  ],
  [
    'a fault of the service',
    'GET /v1/templates',
    500,
    refused('internal', 'list_templates', { headers: key }),
  ],
  [
    'an outage',
    'GET /v1/workspaces/{workspaceId}/website',
    503,
    refused('unavailable', 'get_website', { headers: key, answers: { 'retry-after': '5' } }),
  ],
  [
    'a preflight',
    'OPTIONS /v1/workspaces?page=1',
    204,
    {
      headers: {
        Origin: 'https://shop.example',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization,content-type',
      },
      answers: {
        'access-control-allow-methods': 'GET,HEAD,POST,PUT,DELETE',
        'access-control-allow-headers': 'authorization,content-type',
        'access-control-max-age': '600',
      },
    },
  ],
  ['the document', 'GET /v1/openapi.json?page=1', 200],
  ['the document, HEAD', 'HEAD /v1/openapi.json?page=1', 200],
  ['the document, another method', 'POST /v1/openapi.json', 405, wrongMethod('GET, HEAD')],
  ['the reference', 'GET /docs/?page=1', 200, { policy: docsPolicy }],
  ['a file of the reference', 'GET /docs/swagger-ui.css?page=1', 200, { policy: docsPolicy }],
  ['the way to the reference', 'GET /?page=1', 302, { answers: { location: '/docs/' } }],
]

const onDashboard: Way[] = [
  ['an operation', 'GET /v1/workspaces?page=1', 200, { ...listing, headers: session }],
  ['no session', 'GET /api/session?page=1', 401, refused('unauthenticated', 'get_session')],
  [
    'a key in place of a session',
    'GET /v1/workspaces?page=1',
    401,
    refused('unauthenticated', 'list_workspaces', { headers: key }),
  ],
  [
    'a write from another site',
    'POST /api/keys?page=1',
    403,
    refused('origin_refused', 'create_key', {
      headers: { ...session, ...json, Origin: 'https://evil.example' },
      body: '{}',
    }),
  ],
  [
    'a missing resource',
    'DELETE /api/keys/key_nobody',
    404,
    refused('not_found', 'revoke_key', { headers: { ...session, Origin: '{dashboardUrl}' } }),
  ],
  ['a preflight', 'OPTIONS /api/keys?page=1', 405, wrongMethod('GET, HEAD, POST')],
  ['a flat URL', 'GET /v1/workspace?page=1', 404, refused('not_found')],
  [
    'a page',
    'GET /?page=1',
    200,
    { policy: appPolicy, answers: { 'referrer-policy': 'same-origin' } },
  ],
]

const onAdmin: Way[] = [
  [
    'an operation of another origin',
    'GET /v1/workspaces?page=1',
    404,
    refused('not_found', undefined, { headers: key }),
  ],
  [
    'a page',
    'GET /?page=1',
    200,
    { policy: appPolicy, answers: { 'referrer-policy': 'same-origin' } },
  ],
]

const everywhere: Way[] = [
  ['a sign of life', 'GET /healthz?page=1', 200],
  ['a sign of readiness', 'GET /readyz?page=1', 200],
  ['a sign of life, another method', 'POST /healthz', 405, wrongMethod('GET, HEAD')],
  ['an unknown page', 'GET /nothing?page=1', 404, refused('not_found')],
  [
    'an expectation that is not known',
    'GET /healthz?page=1',
    200,
    { headers: { Expect: 'a miracle' } },
  ],
]

/** These end their connection by themselves. */
const unreadable: Way[] = [
  ['bytes that are no HTTP', '', 400, refused('invalid_input', undefined, { raw: 'A\r\n\r\n' })],
  [
    'a request without a Host',
    'GET /healthz?page=1',
    400,
    refused('invalid_input', undefined, { raw: 'GET /healthz?page=1 HTTP/1.1\r\n\r\n' }),
  ],
]

const origins: Record<OriginName, Way[]> = {
  api: [...onApi, ...everywhere],
  dashboard: [...onDashboard, ...everywhere],
  admin: [...onAdmin, ...everywhere],
}
const originNames = Object.keys(origins) as OriginName[]

/** Faults that no request can cause by itself. */
const faults: Partial<Handlers> = {
  list_templates: () => Promise.reject(new Error('a detail of the inside')),
  get_website: () => Promise.reject(Object.assign(new Error('10.0.0.7'), { code: 'ECONNREFUSED' })),
}

interface House {
  service: TestService
  /** What the names in braces stand for. */
  given: Record<string, string>
}

async function openHouse(): Promise<House> {
  const service = await startService({ handlers: faults })
  const owner = await service.givenPerson()
  const others = [await service.givenPerson(), await service.givenPerson()] as const
  await service.db
    .updateTable('accounts')
    .set({ status: 'SUSPENDED' })
    .where('id', '=', others[1].accountId)
    .execute()
  const given = {
    cookie: owner.cookie,
    dashboardUrl: service.config.dashboardUrl,
    workspaceId: (await service.givenWorkspace(owner)).id,
    key: (await service.givenKey(owner)).key,
    expired: (await service.givenKey(owner, { expiresInDays: -1 })).key,
    narrow: (await service.givenKey(owner, { scopes: ['account:read'] })).key,
    foreign: (await service.givenKey(others[0])).key,
    suspended: (await service.givenKey(others[1])).key,
  }
  return { service, given }
}

function bytesOf({ given }: House, [, line, , { raw, headers = {}, body = '' } = {}]: Way): string {
  const [method = '', target = ''] = line.split(' ')
  const text = raw ?? requestText(method, target, { headers, body })
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => given[name] ?? whole)
}

const isHead = ([, line]: Way) => line.startsWith('HEAD ')

async function send(house: House, origin: OriginName, way: Way): Promise<RawAnswer> {
  const connection = await openConnection(house.service.urls[origin])
  connection.send(bytesOf(house, way))
  const answer = await connection.answer({ toHead: isHead(way) })
  connection.close()
  return answer
}

/** The headers of an answer that hold on every way, under the names that are expected of them. */
function expectHouseHeaders(origin: OriginName, { headers }: RawAnswer, [, , , more = {}]: Way) {
  const { policy = securityHeaders['content-security-policy'], answers = {} } = more
  expect(headers).toMatchObject({
    ...securityHeaders,
    'content-security-policy': policy,
    'x-request-id': expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f-]{21}$/),
    ...answers,
  })
  expect(headers).not.toHaveProperty('x-powered-by')
  const shared = Object.keys(headers).filter((name) => name.startsWith('access-control-'))
  if (origin !== 'api') return expect(shared).toEqual([])
  expect(headers).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-expose-headers': exposedHeaders,
  })
  expect(shared).not.toContain('access-control-allow-credentials')
}

function expectErrorObject({ status, headers, body }: RawAnswer, code: string) {
  expect(headers['content-type']).toBe('application/json; charset=utf-8')
  expect(headers['cache-control']).toBe('no-store')
  const error = JSON.parse(body)
  expect(error).toMatchObject({ status, code, message: expect.stringMatching(/^[A-Z].*\.$/) })
  const { fieldErrors, ...rest } = error
  expect(Object.keys(rest)).toEqual(['status', 'code', 'message'])
  if (fieldErrors !== undefined) expect(Object.values(fieldErrors)).not.toEqual([])
}

/** The log lines of one request; its line is written when the answer has left. */
async function linesOf({ service }: House, requestId: string | undefined) {
  const find = () => service.logged().filter((line) => line.requestId === requestId)
  await expect.poll(() => find().length, { message: 'the log line of the request' }).toBe(1)
  return find()
}

describe('every way that a request can take', () => {
  let house: House
  const requestIds: (string | undefined)[] = []
  beforeAll(async () => {
    house = await openHouse()
  })
  afterAll(() => house.service.close())

  for (const origin of originNames) {
    const ways = [...origins[origin], ...unreadable]
    test.for(ways)(`has the headers of the house on the ${origin} origin: %s`, async (way) => {
      const [, line, status, { code, operation } = {}] = way
      const answer = await send(house, origin, way)
      requestIds.push(answer.headers['x-request-id'])
      expect(answer.status).toBe(status)
      expectHouseHeaders(origin, answer, way)
      if (code !== undefined) expectErrorObject(answer, code)
      if (isHead(way)) expect(answer.body).toBe('')

      const [logged] = await linesOf(house, answer.headers['x-request-id'])
      expect(logged).toMatchObject({ surface: origin, status, msg: 'request' })
      expect(logged?.operation).toBe(operation)
      expect(JSON.stringify(logged)).not.toContain('page=1')
      if (code !== undefined && status < 500) expect(logged?.errorCode).toBe(code)
      if (line === '') return
      const [method, target = ''] = line.split(' ')
      const path = target.split('?')[0]?.replace('{workspaceId}', house.given.workspaceId ?? '')
      expect(logged).toMatchObject({ method, path })
    })
  }

  test('has a request id of its own and one line in the log', () => {
    expect(new Set(requestIds).size).toBe(requestIds.length)
    const logged = house.service.logged().filter((line) => line.msg === 'request')
    expect(logged.map((line) => line.requestId).sort()).toEqual([...requestIds].sort())
  })

  test('says nothing of the inside when the service is at fault', async () => {
    for (const title of ['a fault of the service', 'an outage']) {
      const way = onApi.find(([name]) => name === title) as Way
      const { body } = await send(house, 'api', way)
      expect(body).not.toMatch(/inside|10\.0\.0\.7|ECONNREFUSED/)
    }
  })
})

describe('a service that drains', () => {
  let house: House
  const open = new Map<Way, RawConnection>()
  let closed: Promise<void>
  let startedAt: number

  /** A connection whose next request is under way when the drain begins. */
  async function begin(origin: OriginName, way: Way): Promise<void> {
    const connection = await openConnection(house.service.urls[origin])
    // The first answer proves that the beginning of the second request, sent with it, has come in.
    connection.send(requestText('GET', '/healthz') + bytesOf(house, way).slice(0, 3))
    await connection.answer()
    open.set(way, connection)
  }

  beforeAll(async () => {
    house = await openHouse()
    for (const origin of originNames)
      for (const way of origins[origin]) await begin(origin, copyFor(origin, way))
    startedAt = performance.now()
    closed = house.service.app.close()
  })
  afterAll(() => house.service.close())

  /** The ways that are open everywhere are told apart by origin. */
  const copies = new Map<string, Way>()
  function copyFor(origin: OriginName, way: Way): Way {
    const name = `${origin} ${way[0]}`
    const copy = copies.get(name) ?? ([...way] as Way)
    copies.set(name, copy)
    return copy
  }

  for (const origin of originNames)
    test.for(origins[origin])(
      `answers and ends the connection at the ${origin}: %s`,
      async (way) => {
        const copy = copyFor(origin, way)
        const connection = open.get(copy) as RawConnection
        connection.send(bytesOf(house, way).slice(3))
        const answer = await connection.answer({ toHead: isHead(way) })
        const unready = way[0] === 'a sign of readiness'
        expect(answer.status).toBe(unready ? 503 : way[2])
        expect(answer.headers.connection).toBe('close')
        expectHouseHeaders(origin, answer, way)
        await connection.ended
      },
    )

  test('has ended as soon as everything is answered, and accepts nobody new', async () => {
    await closed
    expect(performance.now() - startedAt).toBeLessThan(9_000)
    await expect(openConnection(house.service.urls.api)).rejects.toThrow('ECONNREFUSED')
  })
})

describe('a request that is under way when the drain begins', () => {
  test('is carried out, answered and then the connection ends', async () => {
    let arrived = () => undefined as void
    let proceed = () => undefined as void
    const isHere = new Promise<void>((resolve) => (arrived = resolve))
    const mayGo = new Promise<void>((resolve) => (proceed = resolve))
    const service = await startService({
      handlers: {
        async get_config() {
          arrived()
          await mayGo
          return { environment: 'development', challengeSiteKey: 'contact', oidcEnabled: false }
        },
      },
    })
    const busy = await openConnection(service.urls.dashboard)
    const idle = await openConnection(service.urls.dashboard)
    idle.send(requestText('GET', '/healthz'))
    await idle.answer()
    busy.send(requestText('GET', '/api/config'))
    await isHere
    const closed = service.app.close()
    await idle.ended
    proceed()
    const { status, headers, body } = await busy.answer()
    expect([status, headers.connection]).toEqual([200, 'close'])
    expect(JSON.parse(body)).toMatchObject({ environment: 'development' })
    await busy.ended
    await closed
    await service.close()
  })

  test('does not wait for a connection that has never asked anything', async () => {
    const service = await startService()
    const silent = await openConnection(service.urls.api)
    const startedAt = performance.now()
    await Promise.all([service.close(), silent.ended])
    expect(performance.now() - startedAt).toBeLessThan(2_000)
  })
})
