import { type JSONRPCMessage, Server } from '@modelcontextprotocol/server'
import { describe, expect, test } from 'vitest'
import { invalidParams, messageOf } from '../../src/surfaces/mcp/messages.ts'
import { createProtocol, serverOptions } from '../../src/surfaces/mcp/protocol.ts'
import type { Exchange } from '../../src/surfaces/http/exchange.ts'

/** A server of the package whose tools fail in the way that their name says. */
const protocol = createProtocol(() => {
  const options = { ...serverOptions, capabilities: { tools: {}, prompts: {} } }
  const server = new Server({ name: 'failing', version: '1.0.0' }, options)
  server.setRequestHandler('tools/call', ({ params: { name } }) => {
    if (name === 'refuses') throw invalidParams('take [one] of {these}.')
    throw new Error('The cause.')
  })
  server.setRequestHandler('prompts/get', () => ({ messages: [] }))
  return server
})

interface Refusal {
  code: number
  message: string
}

const version = '2026-07-28'
const envelope = {
  'io.modelcontextprotocol/protocolVersion': version,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'tests', version: '1' },
}

/** The exchange of a request of the newer generation, which names its method so. */
function exchangeOf(method: string, name: unknown): Exchange {
  const headers = {
    'content-type': 'application/json',
    'mcp-protocol-version': version,
    'mcp-method': method,
    ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
  }
  return { request: { headers } } as unknown as Exchange
}

/**
 * The errors of a request in the older generation, in the newer one, and in the newer one with headers that
 * the package is left to judge.
 */
async function errorsOf(method: string, params: Record<string, unknown>): Promise<Refusal[]> {
  const older = { jsonrpc: '2.0', id: 1, method, params }
  const newer = { ...older, params: { ...params, _meta: envelope } }
  const exchange = exchangeOf(method, params.name)
  const padded = exchangeOf(`${method} `, params.name)
  const spoken = [
    await protocol.answerHandshake({ exchange, body: older }, messageOf(older), older),
    await protocol.answerStateless({ exchange, body: newer }),
    await protocol.answerStateless({ exchange: padded, body: newer }),
  ]
  return spoken.map(({ text = '' }) => {
    const answer = JSON.parse(text) as JSONRPCMessage
    if (!('error' in answer)) throw new Error(`There is no error: ${text}`)
    return answer.error
  })
}

const inAll = (code: number, words: string) => Array(3).fill({ code, message: words })

describe('an error that a client reads', () => {
  test('is in our words where the package has judged the parameters of a call', async () => {
    const unfit = inAll(-32602, 'Invalid params: they do not fit the method.')
    expect(await errorsOf('tools/call', { name: 'refuses', arguments: [] })).toEqual(unfit)
    expect(await errorsOf('tools/call', { name: 5 })).toEqual(unfit)
    expect(await errorsOf('tools/call', {})).toEqual(unfit)
  })

  test('is as it was thrown where it is a refusal of ours, whatever is in it', async () => {
    const refused = inAll(-32602, 'Invalid params: take [one] of {these}.')
    expect(await errorsOf('tools/call', { name: 'refuses' })).toEqual(refused)
  })

  test('does not say the cause of a fault', async () => {
    const fault = inAll(-32603, 'Internal error.')
    expect(await errorsOf('tools/call', { name: 'fails' })).toEqual(fault)
    expect(await errorsOf('prompts/get', { name: 5 })).toEqual(fault)
  })
})
