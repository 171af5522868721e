import request, { type Response } from 'supertest'
import type { OperationId } from '../../src/operation.ts'
import { type Call, rows } from '../every_operation/operations.ts'
import { keepAliveAgent, type TestService } from './service.ts'

export type Json = Record<string, unknown>

/** Metadata that protocol version 2026-07-28 sends with every request. */
export const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'tests', version: '1' },
}

/** Posts a raw body to the MCP endpoint. */
export function post(
  service: TestService,
  body: unknown,
  headers: Record<string, string>,
  search = '',
) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return request(service.urls.api)
    .post(`/mcp${search}`)
    .agent(keepAliveAgent)
    .set({ 'Content-Type': 'application/json', ...headers })
    .send(text)
}

export function message(method: string, params: Json = {}, id: number | string = 1): Json {
  return { jsonrpc: '2.0', id, method, params }
}

/** What a client of the older generation begins with. */
export function handshakeOf(protocolVersion = '2025-11-25'): Json {
  return { protocolVersion, capabilities: {}, clientInfo: { name: 'tests', version: '1' } }
}

/** A request of protocol version 2026-07-28, with its headers. */
export function stateless(
  method: string,
  params: Json = {},
): { body: Json; headers: Record<string, string> } {
  const { _meta: meta = {}, ...rest } = params as { _meta?: Json }
  const name = params.name ?? params.uri
  return {
    body: message(method, { ...rest, _meta: { ...envelope, ...meta } }),
    headers: {
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': method,
      ...(typeof name === 'string' ? { 'Mcp-Name': name } : {}),
    },
  }
}

/** An operation's call as arguments of its tool. */
export function argumentsOf(id: OperationId, call: Call): Json {
  const takesQuery = Object.keys(call.query).length > 0
  return {
    ...call.path,
    ...(takesQuery ? { query: call.query } : {}),
    ...(rows[id].body ? { data: call.body } : {}),
  }
}

interface ToolResult {
  isError?: boolean
  structuredContent?: Json
  content: { type: string; text: string }[]
  _meta?: Json
}

/** The result of a tool call; throws for any other response. */
export function resultOf({ status, body }: Response): ToolResult {
  const { result } = body as { result?: ToolResult }
  if (status !== 200 || !result) throw new Error(`${status} ${JSON.stringify(body)}`)
  return result
}

/** The error object in the text of a refused tool call. */
export function errorOf(response: Response): Json & { status: number; code: string } {
  const { isError, structuredContent, content } = resultOf(response)
  const [only, ...others] = content
  if (!isError || structuredContent || !only || others.length > 0)
    throw new Error(`Not a refusal: ${JSON.stringify(response.body)}`)
  return JSON.parse(only.text) as Json & { status: number; code: string }
}
