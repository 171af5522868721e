import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { request as httpRequest } from 'node:http'
import request from 'supertest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Json, message } from '../../kit/agents.ts'
import { givenCollection, givenProduct } from '../../kit/catalogue.ts'
import { startService, type TestService } from '../../kit/service.ts'
import { givenOpenShop, type OpenShop, textOf } from './shop_pages.ts'

let service: TestService
let shop: OpenShop
beforeAll(async () => {
  service = await startService({ env: { RATE_LIMIT_PER_MINUTE: '1200' } })
  shop = await givenOpenShop(service)
  const sales = [{ name: 'Ana', link: 'https://ana.example/balm' }]
  const balm = await givenProduct(shop, {
    name: 'Rose balm',
    brand: 'Ana',
    stock: 3,
    sales,
    description: 'Çok güzel bir gül balmı. '.repeat(3000),
    information: 'Malzeme: zeytinyağı. '.repeat(3000),
  })
  for (const name of ['Rose soap', 'Olive soap']) await givenProduct(shop, { name, stock: 0 })
  await givenProduct(shop, { name: 'Rose secret', status: 'INACTIVE' })
  const gifts = await givenCollection(shop, { name: 'Gifts' })
  await shop.api.post(shop.at(`collections/${gifts.id}/products/${balm.id}`)).expect(200)
  const library = { questions: [{ text: 'Is it vegan?' }] }
  await shop.api.put(shop.at('questions')).send(library).expect(200)
  const entries = [{ question: 'Is shipping free?', answer: 'From 50 euros on.' }]
  await shop.api.put(shop.at('shop-knowledge')).send({ entries }).expect(200)
})
afterAll(() => service.close())

/** Sends what a client sends to the shop's host, which is not the address that the tests listen on. */
async function fetchFromShop(input: string | URL | Request, init: RequestInit = {}) {
  const { method = 'GET', body } = init
  const headers = { ...Object.fromEntries(new Headers(init.headers)), host: hostOf(shop) }
  return new Promise<Response>((resolve, reject) => {
    const path = new URL(input instanceof Request ? input.url : input).pathname
    const sent = httpRequest(service.urls.site + path, { method, headers }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () => {
        const status = response.statusCode!
        const text = parts.length > 0 ? Buffer.concat(parts) : null
        resolve(new Response(text, { status, headers: response.headers as Record<string, string> }))
      })
    })
    sent.on('error', reject)
    sent.end(body as string | undefined)
  })
}

const hostOf = ({ url }: OpenShop) => new URL(url).host

interface Connected {
  getInstructions(): string | undefined
  listTools(): Promise<{ tools: { name: string; annotations?: Json }[] }>
  callTool(params: { name: string; arguments: Json }): Promise<unknown>
  close(): Promise<void>
}

const info = { name: 'tests', version: '1.0.0' }
const address = () => [new URL(`${shop.url}/mcp`), { fetch: fetchFromShop }] as const

async function newer(mode: 'legacy' | { pin: string }): Promise<Connected> {
  const client = new Client(info, { versionNegotiation: { mode } })
  await client.connect(new StreamableHTTPClientTransport(...address()))
  return client as unknown as Connected
}

async function older(): Promise<Connected> {
  const client = new OlderClient(info)
  await client.connect(new OlderTransport(...address()))
  return client as unknown as Connected
}

interface Result {
  structuredContent: Json
  content: { text: string }[]
  isError?: boolean
}

describe.each([
  { name: 'the client of sdk 1', connect: older },
  { name: 'the client of version 2, as of 2025', connect: () => newer('legacy') },
  { name: 'the client of version 2, of 2026 alone', connect: () => newer({ pin: '2026-07-28' }) },
])('$name, without a credential', ({ connect }) => {
  let client: Connected
  beforeAll(async () => {
    client = await connect()
  })
  afterAll(() => client.close())

  const call = async (name: string, args: Json = {}) =>
    (await client.callTool({ name, arguments: args })) as Result

  test('is told whose shop it is, and four tools that only read', async () => {
    expect(client.getInstructions()).toContain(shop.url)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      'search_catalog',
      'get_product',
      'list_collections',
      'get_questions',
    ])
    for (const { annotations } of tools)
      expect(annotations).toMatchObject({ readOnlyHint: true, openWorldHint: false })
    expect(encode(JSON.stringify(tools)).length).toBeLessThan(700)
  })

  test('finds published products, in the whole shop and in a collection', async () => {
    const rose = await call('search_catalog', { query: 'rose' })
    const names = ({ structuredContent }: Result) =>
      (structuredContent.products as { name: string }[]).map(({ name }) => name).sort()
    expect(names(rose)).toEqual(['Rose balm', 'Rose soap'])
    expect(rose.structuredContent.pagination).toMatchObject({ page: 1, total: 2 })
    expect(JSON.parse(rose.content[0]!.text)).toEqual(rose.structuredContent)
    expect(names(await call('search_catalog'))).toEqual(['Olive soap', 'Rose balm', 'Rose soap'])
    const [gifts] = (await call('list_collections')).structuredContent.collections as Json[]
    expect(gifts).toMatchObject({ name: 'Gifts', products: 1 })
    const inGifts = { collection: gifts!.slug }
    expect(names(await call('search_catalog', inGifts))).toEqual(['Rose balm'])
    expect(names(await call('search_catalog', { ...inGifts, query: 'lavender' }))).toEqual([])
  })

  test('reads a product and what is asked about it, in few tokens', async () => {
    const balm = await call('get_product', { slug: 'rose-balm' })
    expect(balm.structuredContent).toMatchObject({
      name: 'Rose balm',
      brand: 'Ana',
      available: true,
      url: `${shop.url}/p/rose-balm`,
      soldAt: [{ name: 'Ana', url: `${shop.url}/out/rose-balm/0` }],
    })
    expect(encode(balm.content[0]!.text).length).toBeLessThan(4000)
    expect((await call('get_questions', { slug: 'rose-balm' })).structuredContent).toEqual({
      questions: [{ question: 'Is it vegan?', answer: null }],
    })
    expect((await call('get_questions')).structuredContent).toEqual({
      questions: [
        { question: 'Is shipping free?', answer: 'From 50 euros on.' },
        { question: 'Is it vegan?', answer: null },
      ],
    })
  })

  test.each([
    ['get_product', { slug: 'rose-secret' }, 404],
    ['get_product', {}, 400],
    ['search_catalog', { collection: 'none' }, 404],
    ['search_catalog', { page: 0 }, 400],
    ['search_catalog', { query: 'a'.repeat(1000) }, 400],
    ['search_catalog', { query: 7 }, 400],
    ['search_catalog', { status: 'INACTIVE' }, 400],
  ] as const)('is refused %s %j', async (name, args, status) => {
    const { isError, content } = await call(name, args)
    expect([isError, JSON.parse(content[0]!.text).status]).toEqual([true, status])
  })

  test('has no other tool', async () => {
    await expect(call('create_product')).rejects.toThrow('no such tool')
  })
})

const list = message('tools/list')
const post = (body: unknown, headers: Record<string, string> = {}) =>
  request(service.urls.site)
    .post('/mcp')
    .set({ Host: hostOf(shop), 'Content-Type': 'application/json', ...headers })
    .send(typeof body === 'string' ? body : JSON.stringify(body))

describe('the endpoint of a shop', () => {
  test('is named in what the shop says to models', async () => {
    const text = textOf(await shop.visit('/llms.txt'))
    expect(text).toContain(`[MCP](${shop.url}/mcp): search_catalog, get_product`)
  })

  test('refuses what it cannot read, other methods and pages of others', async () => {
    expect((await post('{')).body.error.code).toBe(-32700)
    expect((await post({ id: 1 })).body.error.code).toBe(-32600)
    expect((await post(message('initialize'))).body.error.code).toBe(-32602)
    expect((await post(message('prompts/list'))).body.error.code).toBe(-32601)
    const read = await shop.visit('/mcp')
    expect([read.status, read.headers.allow]).toEqual([405, 'POST'])
    expect((await post(list, { Origin: 'https://evil.example' })).status).toBe(403)
    expect((await post(list, { Origin: shop.url })).status).toBe(200)
    expect((await post(list, { Host: 'nobody.localhost:3003' })).status).toBe(404)
  })

  test('says nothing of a shop that is not open', async () => {
    const find = message('tools/call', { name: 'search_catalog', arguments: {} })
    const answerOf = async () => {
      const { status, body } = await post(find)
      expect(JSON.stringify(body)).not.toContain('Rose')
      return [status, body.code]
    }
    const workspace = (change: object) =>
      shop.api.put(shop.at('workspace')).send(change).expect(200)
    await workspace({ isVisible: false })
    expect(await answerOf()).toEqual([403, 'access_restricted'])
    await workspace({ isVisible: true })
    await shop.design({ accessPolicy: { visibility: 'CLOSED' } })
    expect(await answerOf()).toEqual([403, 'access_restricted'])
    await shop.design({ accessPolicy: { visibility: 'SIGN_IN' } })
    expect(await answerOf()).toEqual([401, 'sign_in_required'])
    await shop.design({ accessPolicy: { visibility: 'PUBLIC' } })
    const suspend = (status: 'ACTIVE' | 'SUSPENDED') =>
      service.db
        .updateTable('workspaces')
        .set({ status })
        .where('id', '=', shop.workspaceId)
        .execute()
    await suspend('SUSPENDED')
    expect(await answerOf()).toEqual([403, 'workspace_inactive'])
    await suspend('ACTIVE')
    expect((await post(find)).status).toBe(200)
  })

  test('follows a change of the name', async () => {
    const before = hostOf(shop)
    const subDomain = `${shop.subDomain.slice(0, 20)}-new`
    await shop.api.put(shop.at('workspace')).send({ subDomain }).expect(200)
    const { status, headers } = await post(list, { Host: before }).redirects(0)
    expect([status, headers.location]).toEqual([308, `http://${subDomain}.localhost:3003/mcp`])
  })
})

test('an address sends a shop sixty messages a minute', async () => {
  const limited = await startService({ env: { RATE_LIMIT_PER_MINUTE: '120' } })
  const other = await givenOpenShop(limited)
  const statuses = new Set<number>()
  const send = () => request(limited.urls.site).post('/mcp').set('Host', hostOf(other)).send(list)
  for (let count = 0; count < 60; count++) statuses.add((await send()).status)
  expect([...statuses]).toEqual([200])
  const refused = await send()
  expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited'])
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  await limited.close()
})
