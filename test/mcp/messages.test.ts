import { classifyInboundRequest, type InboundHttpRequest } from '@modelcontextprotocol/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { envelope, type Json, message, post, handshakeOf, stateless } from '../kit/agents.ts'
import { bearer } from '../every_operation/fixtures.ts'
import { startService, type TestService } from '../kit/service.ts'

let service: TestService
let auth: Record<string, string>
beforeAll(async () => {
  service = await startService()
  auth = bearer((await service.givenAgent(await service.givenPerson())).token)
})
afterAll(() => service.close())

const [version, capabilities, clientInfo] = Object.keys(envelope) as [string, string, string]

const bodies: Json[] = [
  message('ping'),
  message('initialize', handshakeOf()),
  message('initialize', { ...handshakeOf(), _meta: { ...envelope, [version]: 1 } }),
  message('initialize', { _meta: envelope }),
  message('tools/list', { _meta: envelope }),
  message('tools/list', { _meta: {} }),
  message('tools/list', { _meta: { progressToken: 1 } }),
  message('tools/list', { _meta: { ...envelope, [capabilities]: 1 } }),
  message('tools/list', { _meta: { ...envelope, [clientInfo]: {} } }),
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  { jsonrpc: '2.0', method: 'notifications/cancelled', params: { _meta: envelope } },
  { jsonrpc: '2.0', id: 1, result: {} },
  { jsonrpc: '2.0', id: 1.5, method: 'ping' },
  { jsonrpc: '2.0', id: 2 ** 60, method: 'ping' },
  { ...message('ping'), more: true },
  message('ping', { _meta: { progressToken: {} } }),
  { id: 1, method: 'ping' },
]
const versions = [undefined, '2025-11-25', '2026-07-28', ' 2026-07-28 ']
const methods = [undefined, 'tools/list']

/** How the reference implementation classifies a message, and the header rule it checks later. */
function expected(inbound: InboundHttpRequest): [status: number, code: number | undefined] {
  const verdict = classifyInboundRequest(inbound)
  if (verdict.kind === 'reject') return [verdict.httpStatus, verdict.code]
  const { id, method } = inbound.body as { id?: unknown; method?: string }
  if (id === undefined || method === undefined) return [202, undefined]
  if (verdict.kind === 'legacy') return [200, undefined]
  const { protocolVersionHeader, mcpMethodHeader } = inbound
  if (protocolVersionHeader === undefined || mcpMethodHeader === undefined) return [400, -32020]
  return method === 'initialize' ? [404, -32601] : [200, undefined]
}

describe('the generation of a message and its headers', () => {
  const cases = bodies.flatMap((body) =>
    versions.flatMap((version) => methods.map((method) => ({ body, version, method }))),
  )
  test.each(cases)('$body with $version and $method', async ({ body, version, method }) => {
    const inbound: InboundHttpRequest = {
      httpMethod: 'POST',
      body,
      ...(version === undefined ? {} : { protocolVersionHeader: version }),
      ...(method === undefined ? {} : { mcpMethodHeader: method }),
    }
    const answer = await post(service, body, {
      ...auth,
      ...(version === undefined ? {} : { 'MCP-Protocol-Version': version }),
      ...(method === undefined ? {} : { 'Mcp-Method': method }),
    })
    const { error } = answer.body as { error?: { code: number } }
    expect([answer.status, error?.code]).toEqual(expected(inbound))
  })
})

describe('a call whose headers plainly repeat its body', () => {
  const base64 = (name: string) => `=?base64?${Buffer.from(name).toString('base64')}?=`

  test.each<[string, Json]>([
    ['list_templates', {}],
    ['list_templates', { query: { unknown: 1 } }],
    ['get_product', { workspaceId: 'ws_foreign', id: 'prod_foreign' }],
    ['no_such_tool', {}],
  ])('is answered as any other: %s with %j', async (name, args) => {
    const { body, headers } = stateless('tools/call', { name, arguments: args })
    const plain = await post(service, body, { ...auth, ...headers })
    const judged = await post(service, body, { ...auth, ...headers, 'Mcp-Name': base64(name) })
    expect([plain.status, plain.body]).toEqual([200, judged.body])
    expect(judged.status).toBe(200)
  })
})
