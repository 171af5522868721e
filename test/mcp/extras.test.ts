import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import request from 'supertest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Scope } from '../../src/generated/operations.ts'
import { bearer } from '../every_operation/fixtures.ts'
import { type Json, message, post, stateless } from '../kit/agents.ts'
import { givenProduct, givenShop, type Product, type Shop } from '../kit/catalogue.ts'
import { startService, type TestService } from '../kit/service.ts'

const info = { name: 'tests', version: '1.0.0' }

let service: TestService
let shop: Shop
let product: Product
let workspaceId: string
let token: string
beforeAll(async () => {
  service = await startService()
  shop = await givenShop(service)
  workspaceId = shop.workspaceId
  product = await givenProduct(shop, { name: 'Rose cream' })
  token = (await service.givenAgent(shop.person)).token
})
afterAll(() => service.close())

type Options = { path?: string; bearer?: string }

function address({
  path = '/mcp',
  bearer: held = token,
}: Options): [URL, { requestInit: RequestInit }] {
  const headers = { Authorization: `Bearer ${held}` }
  return [new URL(service.urls.api + path), { requestInit: { headers } }]
}

/** A client of version 2 that speaks 2026-07-28 alone. */
async function newest(options: Options = {}): Promise<Client> {
  const client = new Client(info, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
  await client.connect(new StreamableHTTPClientTransport(...address(options)))
  return client
}

async function oldest(options: Options = {}): Promise<OlderClient> {
  const client = new OlderClient(info)
  await client.connect(new OlderTransport(...address(options)))
  return client
}

const uri = (kind: string, id: string) => `vitrine://workspaces/${workspaceId}/${kind}/${id}`
const productTemplate = 'vitrine://workspaces/{workspaceId}/products/{id}'

describe.each([
  { name: 'the client of sdk 1', connect: oldest },
  { name: 'the client of version 2', connect: newest as unknown as typeof oldest },
])('$name', ({ connect }) => {
  test('gets the icon and the website of the server', async () => {
    const client = await connect()
    const { baseUrl, dashboardUrl } = service.config
    expect(client.getServerVersion()).toMatchObject({
      name: 'vitrine',
      websiteUrl: dashboardUrl,
      icons: [{ src: `${baseUrl}/icon.png`, mimeType: 'image/png', sizes: ['32x32'] }],
    })
    await client.close()
  })

  test('gets the three prompts with the workspace and the list it names', async () => {
    const client = await connect()
    const { prompts } = await client.listPrompts()
    const names = ['tidy_catalogue', 'import_price_list', 'answer_questions']
    expect(prompts.map(({ name }) => name)).toEqual(names)
    const list = 'Lip balm, LB-1, 12'
    const { messages } = await client.getPrompt({
      name: 'import_price_list',
      arguments: { workspaceId, list },
    })
    const [{ content }] = messages as unknown as [{ content: { type: string; text: string } }]
    expect(content.text).toContain(`Work in the workspace ${workspaceId}.`)
    expect(content.text.endsWith(list)).toBe(true)
    await expect(client.getPrompt({ name: 'import_price_list' })).rejects.toThrow(
      'list is required',
    )
    await expect(client.getPrompt({ name: 'other' })).rejects.toThrow('no such prompt')
    await client.close()
  })

  test('reads a product by its template, and nothing that is not there', async () => {
    const client = await connect()
    const { resourceTemplates } = await client.listResourceTemplates()
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      productTemplate,
      'vitrine://workspaces/{workspaceId}/collections/{id}',
    ])
    const { contents } = await client.readResource({ uri: uri('products', product.id) })
    const [{ text }] = contents as unknown as [{ text: string }]
    expect(JSON.parse(text)).toMatchObject({ id: product.id, name: 'Rose cream' })
    for (const missing of [uri('products', 'prod_unknown'), uri('tags', 'tag_1'), 'other://x'])
      await expect(client.readResource({ uri: missing })).rejects.toThrow('no such resource')
    await client.close()
  })

  test('completes workspaces and products by what their names hold', async () => {
    const client = await connect()
    const ref = { type: 'ref/resource' as const, uri: productTemplate }
    const completed = async (name: string, value: string, given?: Record<string, string>) => {
      const context = given && { context: { arguments: given } }
      const answer = await client.complete({ ref, argument: { name, value }, ...context })
      return answer.completion.values
    }
    expect(await completed('workspaceId', workspaceId.slice(0, 6))).toEqual([workspaceId])
    expect(await completed('workspaceId', 'nobody')).toEqual([])
    expect(await completed('id', 'rose', { workspaceId })).toEqual([product.id])
    expect(await completed('id', 'rose')).toEqual([])
    expect(await completed('other', 'rose', { workspaceId })).toEqual([])
    expect(await completed('id', 'rose', { workspaceId: 'ws_unknown' })).toEqual([])
    await client.close()
  })
})

describe('an address that narrows', () => {
  test('offers only the prompts and templates whose tools it has', async () => {
    const reading = await newest({ path: '/mcp/readonly' })
    expect((await reading.listPrompts()).prompts).toEqual([])
    expect((await reading.listResourceTemplates()).resourceTemplates).toHaveLength(2)
    await reading.close()
    const tags = await newest({ path: '/mcp?toolsets=tags' })
    expect((await tags.listResourceTemplates()).resourceTemplates).toEqual([])
    await expect(tags.readResource({ uri: uri('products', product.id) })).rejects.toThrow(
      'no such resource',
    )
    await tags.close()
  })

  test('is not widened by its query', async () => {
    const { status, body } = await request(service.urls.api)
      .post('/mcp/readonly?readonly=false')
      .set(bearer(token))
      .send(message('tools/list'))
    expect([status, Object.keys(body.fieldErrors as Json)]).toEqual([400, ['readonly']])
  })
})

describe('a stranger', () => {
  test.each([
    ['resources/read', { uri: 'vitrine://scopes' }],
    ['resources/read', { uri: 'vitrine://workspaces/ws_1/products/prod_1' }],
    ['prompts/get', { name: 'tidy_catalogue' }],
    [
      'completion/complete',
      {
        ref: { type: 'ref/resource', uri: productTemplate },
        argument: { name: 'workspaceId', value: '' },
      },
    ],
  ])('is told nothing by %s', async (method, params) => {
    for (const { body, headers } of [
      { body: message(method, params), headers: {} },
      stateless(method, params),
    ]) {
      const answer = await post(service, body, { ...bearer('vt_at_dev_unknown'), ...headers })
      expect([answer.status, answer.body.code]).toEqual([401, 'unauthenticated'])
    }
  })

  test('is challenged when it asks for a stream', async () => {
    for (const path of ['/mcp', '/mcp/', '/mcp/readonly', '/mcp/confirm']) {
      const { status, headers } = await request(service.urls.api).get(path)
      expect([status, headers['www-authenticate']]).toEqual([
        401,
        expect.stringContaining('resource_metadata='),
      ])
    }
  })
})

test('a connection that may not read gets no suggestions, and a challenge for the scope it lacks', async () => {
  const scopes: Scope[] = ['tags:read']
  const held = (await service.givenAgent(shop.person, { scopes })).token
  const client = await newest({ bearer: held })
  const ref = { type: 'ref/resource' as const, uri: productTemplate }
  const argument = { name: 'workspaceId', value: '' }
  expect((await client.complete({ ref, argument })).completion.values).toEqual([])
  await client.close()
  const { body, headers } = stateless('resources/read', { uri: uri('products', product.id) })
  const answer = await post(service, body, { ...bearer(held), ...headers })
  expect([answer.status, answer.headers['www-authenticate']]).toEqual([
    403,
    expect.stringContaining('scope="products:read tags:read"'),
  ])
})

test('agents can show the icon', async () => {
  const { headers, body } = await request(service.urls.api).get('/icon.png').expect(200)
  expect(headers['content-type']).toBe('image/png')
  expect((body as Buffer).subarray(1, 4).toString()).toBe('PNG')
})
