import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readTools } from '../../src/core/contract_documents.ts'
import type { OperationId } from '../../src/operation.ts'
import { argumentsOf, type Json } from '../kit/agents.ts'
import { givenScene, type Scene, validCall } from '../every_operation/fixtures.ts'
import { startService, type TestService } from '../kit/service.ts'

const manifest = readTools()

let service: TestService
let scene: Scene
let token: string
beforeAll(async () => {
  service = await startService()
  scene = await givenScene(service)
  token = (await service.givenAgent(scene.owner)).token
})
afterAll(() => service.close())

const info = { name: 'tests', version: '1.0.0' }
const toolNames = manifest.map(({ name }) => name as OperationId)

/** Common interface of the clients. Each validates responses itself. */
interface Connected {
  getInstructions(): string | undefined
  getServerVersion(): { name: string } | undefined
  listTools(): Promise<{ tools: { name: string }[] }>
  callTool(params: { name: string; arguments: Json }): Promise<unknown>
  listResources(): Promise<{ resources: { uri: string }[] }>
  readResource(params: { uri: string }): Promise<{ contents: { text?: string }[] }>
  close(): Promise<void>
}

function address(): [URL, { requestInit: RequestInit }] {
  const headers = { Authorization: `Bearer ${token}` }
  return [new URL(`${service.urls.api}/mcp`), { requestInit: { headers } }]
}

async function newer(mode: 'legacy' | 'auto' | { pin: string }): Promise<Connected> {
  const client = new Client(info, { versionNegotiation: { mode } })
  await client.connect(new StreamableHTTPClientTransport(...address()))
  return client as unknown as Connected
}

async function older(): Promise<Connected> {
  const client = new OlderClient(info)
  await client.connect(new OlderTransport(...address()))
  return client as unknown as Connected
}

describe.each([
  { name: 'the client of sdk 1', connect: older },
  { name: 'the client of version 2, as of 2025', connect: () => newer('legacy') },
  { name: 'the client of version 2, negotiating', connect: () => newer('auto') },
  { name: 'the client of version 2, of 2026 alone', connect: () => newer({ pin: '2026-07-28' }) },
])('$name', ({ connect }) => {
  let client: Connected
  beforeAll(async () => {
    client = await connect()
    // Loads the schemas that it validates results against.
    await client.listTools()
  })
  afterAll(() => client.close())

  test('connects and gets the name and the instructions of the server', () => {
    expect(client.getServerVersion()?.name).toBe('vitrine')
    expect(client.getInstructions()).toContain('list_workspaces')
  })

  test('lists every tool', async () => {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(toolNames)
  })

  test.each(toolNames)('calls %s and gets a result that matches the schema', async (name) => {
    const call = await validCall(name, scene)
    const result = (await client.callTool({ name, arguments: argumentsOf(name, call) })) as {
      structuredContent: Json
      content: { type: string; text: string }[]
      isError?: boolean
    }
    expect(result.isError ?? false).toBe(false)
    expect(result.content[0]!.type).toBe('text')
    expect(JSON.parse(result.content[0]!.text)).toEqual(result.structuredContent)
  })

  test('gets a refusal as a result with the error object', async () => {
    const result = await client.callTool({
      name: 'get_product',
      arguments: { workspaceId: scene.workspace.id, id: 'prod_unknown' },
    })
    const text = '{"status":404,"code":"not_found","message":"There is no such product."}'
    expect(result).toMatchObject({ isError: true, content: [{ type: 'text', text }] })
    expect(result).not.toHaveProperty('structuredContent')
  })

  test('reads every resource', async () => {
    const { resources } = await client.listResources()
    expect(resources).toHaveLength(3)
    for (const { uri } of resources) {
      const { contents } = await client.readResource({ uri })
      expect(JSON.parse(contents[0]?.text ?? '')).toBeTypeOf('object')
    }
  })
})
