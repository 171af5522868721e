import type { CallToolResult, PromptMessage } from '@modelcontextprotocol/server'
import express from 'express'
import type { Document } from 'openapi-backend'
import { memoryRateStore } from '../../src/adapters/rate_store.ts'
import { createLog } from '../../src/core/log.ts'
import { createExhausted } from '../../src/surfaces/call/exhausted.ts'
import { createOrigin, type Origin, type Surface } from '../../src/surfaces/origin.ts'
import { createEndpoint } from '../../src/surfaces/mcp/endpoint.ts'
import { invalidParams } from '../../src/surfaces/mcp/messages.ts'
import type { Prompt } from '../../src/surfaces/mcp/prompts.ts'
import type { Service } from '../../src/surfaces/call/call.ts'
import { sharedParts } from '../../src/surfaces/shared_parts.ts'
import { Router } from '../../src/surfaces/call/router.ts'

const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const wav = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA=='

const text = (content: string) => ({ type: 'text' as const, text: content })
const image = { type: 'image' as const, data: png, mimeType: 'image/png' }
const embedded = (uri: string, mimeType: string, content: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: content },
})

/** Tools that the suites call by name, and the results they expect. */
const results: Record<string, CallToolResult> = {
  test_simple_text: { content: [text('This is a simple text response for testing.')] },
  test_image_content: { content: [image] },
  test_audio_content: { content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }] },
  test_embedded_resource: {
    content: [embedded('test://embedded-resource', 'text/plain', 'An embedded resource.')],
  },
  test_multiple_content_types: {
    content: [
      text('Multiple content types test:'),
      image,
      embedded('test://mixed-content-resource', 'application/json', '{"test":"data"}'),
    ],
  },
  test_error_handling: {
    isError: true,
    content: [text('This tool intentionally returns an error for testing')],
  },
  json_schema_2020_12_tool: { content: [text('A schema of 2020-12.')] },
}

const address = {
  $anchor: 'address',
  type: 'object',
  properties: { street: { type: 'string' }, city: { type: 'string' } },
}
const schemas: Record<string, object> = {
  json_schema_2020_12_tool: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: { address },
    properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
    allOf: [{ anyOf: [{ required: ['name'] }, { required: ['address'] }] }],
    if: { required: ['address'] },
    then: { required: ['name'] },
    else: {},
    additionalProperties: false,
  },
}

const tools = Object.keys(results).map((name) => ({
  name,
  description: `The fixture ${name}.`,
  inputSchema: schemas[name] ?? { type: 'object' },
}))

const resources = [
  {
    uri: 'test://static-text',
    name: 'static-text',
    title: 'Static text',
    description: 'A text that never changes.',
    mimeType: 'text/plain',
    text: 'This is the content of the static text resource.',
  },
]

const said = (...content: PromptMessage['content'][]): PromptMessage[] =>
  content.map((each) => ({ role: 'user', content: each }))

function prompt(name: string, args: string[], messages: Prompt['messages']): Prompt {
  return {
    name,
    title: name,
    description: `The fixture ${name}.`,
    arguments: args.map((each) => ({ name: each, description: each, required: true })),
    tools: [],
    messages,
  }
}

const prompts = [
  prompt('test_simple_prompt', [], () => said(text('This is a simple prompt for testing.'))),
  prompt('test_prompt_with_arguments', ['arg1', 'arg2'], ({ arg1, arg2 }) =>
    said(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  ),
  prompt('test_prompt_with_embedded_resource', ['resourceUri'], ({ resourceUri = '' }) =>
    said(
      embedded(resourceUri, 'text/plain', 'Embedded resource content for testing.'),
      text('Please process the embedded resource above.'),
    ),
  ),
  prompt('test_prompt_with_image', [], () => said(image, text('Please analyze the image above.'))),
]

/** The service whose connections the fixtures accept. */
type Running = Pick<Service, 'config' | 'db' | 'clock'>

/** Serves the fixtures at the real endpoint, with its door, checks and answers. */
export async function startFixtures(running: Running): Promise<Origin> {
  const rest = {
    rateStore: memoryRateStore(),
    exhausted: createExhausted(),
    log: createLog('warn'),
  }
  const service = { ...running, ...rest } as unknown as Service
  const connection = {
    tools: new Map(),
    scopes: [],
    workspaceId: undefined,
    confirms: false,
    list: () => tools,
  }
  const endpoint = createEndpoint(service, {
    toolSetAt: () => connection,
    cacheToolSet: () => undefined,
    resources,
    templates: [],
    prompts,
    runTool: () => Promise.reject(invalidParams('there is no such tool.')),
    complete: () => Promise.resolve([]),
    async callTool({ door, headers }, params) {
      await door.admit(headers)
      const result = results[String(params.name)]
      if (!result) throw invalidParams('there is no such tool.')
      return result
    },
  })
  const router = new Router({ openapi: '3.1.0', paths: {} } as unknown as Document)
  const surface: Surface = {
    name: 'api',
    operations: [],
    flatUrls: false,
    crossOrigin: true,
    endpoint,
    pages: express.Router(),
    door: { limitsConnections: false } as never,
  }
  const origin = createOrigin(router, service, surface, sharedParts(service.config))
  await new Promise<void>((resolve) => origin.server.listen(0, '127.0.0.1', resolve))
  return origin
}
