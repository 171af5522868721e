import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readTools } from '../../src/core/contract_documents.ts'
import { errorOf, type Json, message, post, resultOf, stateless } from '../kit/agents.ts'
import { productBody } from '../kit/catalogue.ts'
import { bearer, givenScene, type Scene } from '../every_operation/fixtures.ts'
import { startService, type TestService } from '../kit/service.ts'

const manifest = readTools()

let service: TestService
let scene: Scene
let agent: Awaited<ReturnType<TestService['givenAgent']>>
let auth: Record<string, string>
let workspaceId: string
let fault: unknown
beforeAll(async () => {
  service = await startService({
    handlers: {
      list_templates: () =>
        Promise.resolve().then(() => {
          throw fault
        }),
    },
  })
  scene = await givenScene(service)
  workspaceId = scene.workspace.id
  agent = await service.givenAgent(scene.owner)
  auth = bearer(agent.token)
})
afterAll(() => service.close())

async function call(name: string, args: unknown = {}, options: { meta?: Json } = {}) {
  const params = { name, arguments: args, ...(options.meta ? { _meta: options.meta } : {}) }
  return post(service, message('tools/call', params), auth)
}

/** The fields named by a refusal. */
async function fieldErrors(name: string, args: unknown, options = {}): Promise<unknown> {
  const { status, code, fieldErrors: fields } = errorOf(await call(name, args, options))
  expect([status, code]).toEqual([400, 'invalid_input'])
  return fields
}

test('a name that shows nothing is refused as a tool and over REST alike', async () => {
  const sentence = 'Must have at least one visible character.'
  const api = service.api(scene.key)
  for (const name of ['   ', '\u200b\u200b', '\u202e\u2066', '\u2800\u2800'])
    for (const [tool, path, data] of [
      ['create_tag', 'tags', { name }],
      ['create_collection', 'collections', { name }],
      ['create_product', 'products', productBody({ name })],
    ] as const) {
      expect(await fieldErrors(tool, { workspaceId, data })).toEqual({ name: sentence })
      const { status, body } = await api.post(`/v1/workspaces/${workspaceId}/${path}`).send(data)
      expect([status, body.fieldErrors]).toEqual([400, { name: sentence }])
    }
})

describe('a result', () => {
  test('is structured, with the same JSON as text, and a read has an entity tag', async () => {
    const answer = await call('get_workspace', { workspaceId })
    const { content, structuredContent, ...rest } = resultOf(answer)
    expect(structuredContent).toMatchObject({ id: workspaceId })
    expect(content).toEqual([{ type: 'text', text: JSON.stringify(structuredContent) }])
    const path = `/v1/workspaces/${workspaceId}/workspace`
    const { headers } = await service.api(scene.key).get(path)
    expect(rest).toEqual({ _meta: { etag: headers.etag } })
  })

  test('of the newer generation states that it is complete and names the server', async () => {
    const { body, headers } = stateless('tools/call', { name: 'get_account', arguments: {} })
    const { result } = (await post(service, body, { ...auth, ...headers })).body as { result: Json }
    expect(result).toMatchObject({
      resultType: 'complete',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'vitrine' } },
    })
    expect(result).not.toHaveProperty('ttlMs')
  })

  test('of a read is complete, whatever an HTTP client has cached', async () => {
    const { _meta: meta } = resultOf(await call('get_workspace', { workspaceId }))
    const params = { name: 'get_workspace', arguments: { workspaceId } }
    const headers = { ...auth, 'If-None-Match': String(meta?.etag), 'X-Workspace-Id': 'ws_other' }
    const again = await post(service, message('tools/call', params), headers)
    expect(resultOf(again).structuredContent).toMatchObject({ id: workspaceId })
  })

  test('of get_account is the account, which is not available over REST', async () => {
    const { structuredContent } = resultOf(await call('get_account'))
    expect(structuredContent).toMatchObject({ id: scene.owner.accountId, email: scene.owner.email })
    await service.api(scene.key).get('/v1/account').expect(404)
  })
})

describe('arguments', () => {
  test.each([
    ['a missing path parameter', 'get_product', {}, 'workspaceId', 'Required.'],
    ['a path parameter of another type', 'get_product', { id: 1 }, 'id', 'Must be a string.'],
    ['an empty path parameter', 'get_product', { id: '' }, 'id', 'Must not be empty.'],
    ['a NUL', 'get_product', { id: 'a\0' }, 'id', 'Contains a character that cannot be stored.'],
    [
      'an unknown name',
      'get_product',
      { id: 'x', colour: 1 },
      'colour',
      'Unknown argument; known are workspaceId, id.',
    ],
    [
      'a name where none is known',
      'list_templates',
      { colour: 1 },
      'colour',
      'Unknown argument; this tool takes none.',
    ],
    [
      'a query where none is',
      'get_product',
      { query: {} },
      'query',
      'Unknown argument; known are workspaceId, id.',
    ],
    ['a query that is a list', 'list_products', { query: [] }, 'query', 'Must be an object.'],
    [
      'a list in the query',
      'list_products',
      { query: { stock: ['IN'] } },
      'stock',
      'Must be a string, a number or true or false.',
    ],
    [
      'a list within a list',
      'list_products',
      { query: { status: [['ACTIVE']] } },
      'status',
      'Must be a string, a number or true or false.',
    ],
    [
      'an unknown value in a list',
      'list_products',
      { query: { status: ['ACTIVE', 'DRAFT'] } },
      'status',
      'Must be one of ACTIVE, INACTIVE, DELETED.',
    ],
    [
      'a repeated value in a list',
      'list_products',
      { query: { status: ['ACTIVE', 'ACTIVE'] } },
      'status',
      'The same item is listed twice.',
    ],
    ['half a page', 'list_products', { query: { page: 1.5 } }, 'page', 'Must be a whole number.'],
    [
      'an unknown filter',
      'list_tags',
      { query: { x: 1 } },
      'x',
      'Unknown parameter; known are page, pageSize, search.',
    ],
    ['a field beside data', 'create_tag', { name: 'x' }, 'name', 'Put this under data.'],
    ['a filter beside query', 'list_tags', { search: 'x' }, 'search', 'Put this under query.'],
    [
      'a time that is a number',
      'update_product',
      { expectedUpdatedAt: 1 },
      'expectedUpdatedAt',
      'Must be a string.',
    ],
    ['no data', 'create_tag', {}, 'data', 'Required.'],
    ['data that is a list', 'create_tag', { data: [] }, 'data', 'Must be an object.'],
    ['data that is text', 'create_tag', { data: 'x' }, 'data', 'Must be an object.'],
    ['a missing field', 'create_tag', { data: {} }, 'name', 'Required.'],
    [
      'half a character',
      'create_tag',
      { data: { name: '\ud800' } },
      'name',
      'Contains a character that cannot be stored.',
    ],
  ] as [string, string, Json, string, string][])(
    '%s is refused by name',
    async (_name, tool, args, field, sentence) => {
      const whole = field === 'workspaceId' ? { id: 'x' } : { workspaceId, ...args }
      expect(await fieldErrors(tool, whole)).toMatchObject({ [field]: sentence })
    },
  )

  test('that are objects written as JSON text are read', async () => {
    const data = JSON.stringify({ name: 'Written as text' })
    const tag = resultOf(await call('create_tag', { workspaceId, data })).structuredContent
    const query = JSON.stringify({ search: 'written as' })
    const { structuredContent } = resultOf(await call('list_tags', { workspaceId, query }))
    expect(structuredContent).toMatchObject({ tags: [tag] })
  })

  test.each([
    ['a character that cannot be stored', '{"name":"a\\u0000b"}', 'name'],
    ['half a character', '{"name":"a\\ud800"}', 'name'],
    ['too many values', `{"name":[${'1,'.repeat(20_001)}1]}`, 'data'],
    ['too many levels', '{"name":'.repeat(65) + '1' + '}'.repeat(65), 'data'],
    ['no JSON', '{"name"', 'data'],
    ['no object', '"name"', 'data'],
  ])('written as JSON text have the limits of any other: %s', async (_kind, data, field) => {
    const faults = await fieldErrors('create_tag', { workspaceId, data })
    expect(faults).toEqual({ [field]: expect.any(String) as string })
  })

  test('make a create safe to retry and keep an update from overwriting another', async () => {
    const create = { workspaceId, data: productBody(), idempotencyKey: 'first' }
    const product = resultOf(await call('create_product', create)).structuredContent!
    expect(resultOf(await call('create_product', create)).structuredContent).toEqual(product)
    const { id, updatedAt } = product as { id: string; updatedAt: string }
    service.advance(1000)
    const patch = { workspaceId, id, data: { stock: 1 }, expectedUpdatedAt: updatedAt }
    const { structuredContent: patched } = resultOf(await call('patch_product', patch))
    expect(patched).toEqual({
      id,
      name: product.name,
      sku: product.sku,
      stock: 1,
      status: 'ACTIVE',
      updatedAt: service.now().toISOString(),
    })
    const late = errorOf(await call('patch_product', { ...patch, data: { stock: 2 } }))
    expect([late.status, late.code]).toEqual([409, 'write_conflict'])
  })

  test('that are not an object are no call', async () => {
    const { error } = (await call('get_account', [])).body as { error: Json }
    expect(error).toEqual({ code: -32602, message: 'Invalid params: they do not fit the method.' })
  })

  test('in a query may be numbers, strings and booleans', async () => {
    const query = { page: 1, pageSize: '2', search: true }
    const { structuredContent } = resultOf(await call('list_products', { workspaceId, query }))
    expect(structuredContent).toMatchObject({ pagination: { page: 1, limit: 2, total: 0 } })
  })

  test('in a query may be the list that its schema asks for, or its text in a URL', async () => {
    const values = ['ACTIVE', 'INACTIVE', 'DELETED'] as const
    const { query: schema } = manifest.find(({ name }) => name === 'list_products')!.inputSchema
      .properties as { query: { properties: Json } }
    expect(schema.properties.status).toMatchObject({
      type: 'array',
      items: { type: 'string', enum: values },
    })
    const { id } = await service.givenWorkspace(scene.owner)
    for (const [index, status] of values.entries()) {
      const data = productBody({ status, name: status, sku: `${index}`, barcode: `${index}` })
      resultOf(await call('create_product', { workspaceId: id, data }))
    }
    const totals: unknown[] = []
    for (const status of [['ACTIVE', 'DELETED'], ['ACTIVE'], 'ACTIVE,DELETED', 'INACTIVE']) {
      const args = { workspaceId: id, query: { status } }
      const { structuredContent } = resultOf(await call('list_products', args))
      totals.push((structuredContent as { pagination: Json }).pagination.total)
    }
    expect(totals).toEqual([2, 1, 2, 1])
  })

  test('may hold an image of the maximum size', async () => {
    const base64 = 'A'.repeat(4_194_304)
    const data = { fileName: 'large.png', mimeType: 'image/png', base64 }
    const { status, code } = errorOf(await call('upload_media', { workspaceId, data }))
    expect([status, code]).toEqual([400, 'invalid_input'])
    const larger = { ...data, base64: `${base64}AAAA` }
    const refusal = errorOf(await call('upload_media', { workspaceId, data: larger }))
    expect([refusal.status, refusal.code]).toEqual([413, 'payload_too_large'])
  })
})

describe('a refusal', () => {
  test('without a token says where to get one and names every scope of the address', async () => {
    const at = `${service.config.baseUrl}/.well-known/oauth-protected-resource/mcp`
    const answer = await post(service, message('ping'), {}, '?toolsets=tags')
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([
      401,
      `Bearer resource_metadata="${at}", scope="tags:read tags:write"`,
    ])
    const wrong = await post(service, message('ping'), bearer('nonsense'), '?toolsets=tags')
    expect(wrong.headers['www-authenticate']).toMatch(/^Bearer error="invalid_token", /)
  })

  test('for a missing scope names it together with those of the connection', async () => {
    const { token } = await service.givenAgent(scene.owner, { scopes: ['tags:read'] })
    const params = { name: 'create_tag', arguments: { workspaceId, data: { name: 'x' } } }
    const { status, headers } = await post(service, message('tools/call', params), bearer(token))
    expect([status, headers['www-authenticate']]).toEqual([
      403,
      'Bearer error="insufficient_scope", ' +
        `resource_metadata="${service.config.baseUrl}/.well-known/oauth-protected-resource/mcp", ` +
        'scope="tags:write tags:read"',
    ])
  })

  test('for an internal error reveals nothing, and the log has the details', async () => {
    fault = new Error('the secret of the fault')
    const answer = await call('list_templates')
    expect(errorOf(answer)).toMatchObject({ status: 500, code: 'internal' })
    expect(JSON.stringify(answer.body)).not.toContain('secret')
    const requestId: unknown = answer.headers['x-request-id']
    const line = () => service.logged().find((one) => one.requestId === requestId)
    await expect.poll(line).toMatchObject({
      level: 50,
      status: 200,
      outcome: 500,
      operation: 'list_templates',
      connectionId: agent.grantId,
      err: { message: 'the secret of the fault' },
    })
  })

  test('of an unauthenticated call is 401, whatever else is wrong with it', async () => {
    const stranger = bearer((await service.givenKey(scene.owner)).key)
    for (const args of [{}, { workspaceId: 1 }, [], { workspaceId, id: '' }]) {
      const params = { name: 'get_product', arguments: args }
      expect((await post(service, message('tools/call', params), stranger)).status).toBe(401)
    }
    expect((await post(service, message('tools/call', { name: 'x' }), stranger)).status).toBe(401)
  })
})

describe('_meta', () => {
  test('makes a retry safe with an idempotency key', async () => {
    const data = productBody()
    const meta = { idempotencyKey: 'the-import-of-today' }
    const first = resultOf(await call('create_product', { workspaceId, data }, { meta }))
    const again = resultOf(await call('create_product', { workspaceId, data }, { meta }))
    expect(again.structuredContent).toEqual(first.structuredContent)
    const other = { workspaceId, data: productBody() }
    expect(errorOf(await call('create_product', other, { meta })).code).toBe('idempotency_mismatch')
  })

  test('prevents an update from overwriting unseen changes', async () => {
    const creation = resultOf(await call('create_tag', { workspaceId, data: { name: 'first' } }))
    const id = String(creation.structuredContent?.id)
    const { _meta: tagMeta } = resultOf(await call('get_tag', { workspaceId, id }))
    const meta = { ifMatch: tagMeta?.etag }
    const rename = (name: string) =>
      call('update_tag', { workspaceId, id, data: { name } }, { meta })
    expect(resultOf(await rename('second')).structuredContent).toEqual({ id, name: 'second' })
    expect(errorOf(await rename('third')).code).toBe('write_conflict')
  })

  test('is refused under the name of its header if malformed', async () => {
    const args = { workspaceId, data: { name: 'x' } }
    const refusalOf = (meta: Json) => fieldErrors('create_tag', args, { meta })
    expect(await refusalOf({ idempotencyKey: 1 })).toEqual({
      'Idempotency-Key': 'Must be a string.',
    })
    expect(await refusalOf({ idempotencyKey: '' })).toHaveProperty('Idempotency-Key')
  })
})

describe('the log line of a call', () => {
  test('names the tool and the connection but no arguments', async () => {
    const { headers } = await call('get_product', { workspaceId, id: 'prod_of_the_log' })
    const line = () => service.logged().find((one) => one.requestId === headers['x-request-id'])
    await expect.poll(line).toMatchObject({
      path: '/mcp',
      operation: 'get_product',
      connectionId: agent.grantId,
      status: 200,
      outcome: 404,
      errorCode: 'not_found',
    })
    expect(JSON.stringify(service.logged())).not.toContain('prod_of_the_log')
  })
})

describe('the limit of a connection', () => {
  let limited: TestService
  beforeAll(async () => {
    limited = await startService({ env: { RATE_LIMIT_PER_MINUTE: '3' } })
  })
  afterAll(() => limited.close())

  test('counts every request, and is reported in the result of a call, else by HTTP', async () => {
    const owner = await limited.givenPerson()
    const own = bearer((await limited.givenAgent(owner)).token)
    const other = bearer((await limited.givenAgent(owner)).token)
    const tool = message('tools/call', { name: 'get_account' })
    await post(limited, message('ping'), own).expect(200)
    await post(limited, message('tools/call', { name: 'unknown' }), own).expect(200)
    const last = await post(limited, tool, own)
    expect(last.headers['ratelimit']).toMatch(/^"requests";r=0;t=\d+$/)
    const over = await post(limited, tool, own)
    expect(errorOf(over)).toMatchObject({ status: 429, code: 'rate_limited' })
    expect(Number(over.headers['retry-after'])).toBeGreaterThan(0)
    const list = await post(limited, message('tools/list'), own)
    expect([list.status, list.body.code]).toEqual([429, 'rate_limited'])
    expect(Number(list.headers['retry-after'])).toBeGreaterThan(0)
    expect(resultOf(await post(limited, tool, other))).not.toHaveProperty('isError')
    const { key } = await limited.givenKey(owner)
    await limited.api(key).get('/v1/workspaces').expect(200)
  })
})
