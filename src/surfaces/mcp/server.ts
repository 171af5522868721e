import {
  type CallToolResult,
  type InputRequiredResult,
  ProtocolError,
  ResourceNotFoundError,
  Server,
  type ServerContext,
  type Tool as ListedTool,
} from '@modelcontextprotocol/server'
import type { Complete } from './completion.ts'
import { instructionsFor } from './instructions.ts'
import type { McpRequest, RunTool } from './mcp_request.ts'
import { type Fields, invalidParams, ProtocolRefusal } from './messages.ts'
import { offeredTo } from './narrowing.ts'
import type { Prompt } from './prompts.ts'
import { serverOptions } from './protocol.ts'
import type { Resource } from './resources.ts'
import { type ResourceKind, templateAt } from './templates.ts'

/** Lists never change while the service runs, so there are no change notifications. */
const capabilities = { tools: {}, resources: {}, prompts: {}, completions: {} }

/** Cache lifetime for clients; only a new version of the service changes these results. */
const hint = { ttlMs: 300_000, cacheScope: 'private' as const }
const cacheHints = {
  'tools/list': hint,
  'resources/list': hint,
  'resources/templates/list': hint,
  'resources/read': hint,
  'prompts/list': hint,
  'server/discover': hint,
}

const options = { ...serverOptions, capabilities }

export interface ServerParts {
  resources: Resource[]
  templates: ResourceKind[]
  prompts: Prompt[]
  /** Calls a tool. Refusals for the HTTP layer are thrown; all others are results. */
  callTool: (
    mcpRequest: McpRequest,
    params: Fields,
    context: ServerContext,
  ) => Promise<CallToolResult | InputRequiredResult>
  runTool: RunTool
  complete: Complete
}

/** The addresses that clients show and link to. */
export type Addresses = Record<'baseUrl' | 'dashboardUrl', string>

/** Makes the official server behind our door: one for each request, so that nothing is shared. */
export function createServers({ baseUrl, dashboardUrl }: Addresses, parts: ServerParts) {
  const identity = { name: 'vitrine', title: 'Vitrine', version: '1.0.0' }
  /** For introductions. The newer generation repeats the identity with every result. */
  const introduction = {
    ...identity,
    description: 'Manages the catalogues of shops.',
    websiteUrl: dashboardUrl,
    icons: [{ src: `${baseUrl}/icon.png`, mimeType: 'image/png', sizes: ['32x32'] }],
  }

  return function serverFor(mcpRequest: McpRequest, body: unknown): Server {
    if ((body as { method: string }).method === 'tools/call')
      return servingCalls(new Server(identity, options), mcpRequest, parts)
    const { toolSet, door } = mcpRequest
    const { tools, confirms } = offeredTo(door.access, toolSet)
    const instructions = instructionsFor({
      workspaceId: toolSet.workspaceId ?? door.access?.onlyWorkspaceId,
      writes: [...tools.values()].some(({ readOnly }) => !readOnly),
      confirms,
    })
    const server = new Server(introduction, { ...options, instructions, cacheHints })
    return servingLists(server, mcpRequest, parts)
  }
}

/** Sets up only what a call needs: most requests are calls. */
function servingCalls(server: Server, mcpRequest: McpRequest, { callTool }: ServerParts): Server {
  server.setRequestHandler('tools/call', ({ params }, context) =>
    heard(mcpRequest, () =>
      callTool(mcpRequest, { ...params, _meta: context.mcpReq._meta }, context),
    ),
  )
  return server
}

function servingLists(server: Server, mcpRequest: McpRequest, parts: ServerParts): Server {
  const { door, headers } = mcpRequest
  const { resources, templates, prompts, runTool, complete } = parts
  const toolSet = offeredTo(door.access, mcpRequest.toolSet)
  const offered = prompts.filter(({ tools }) => tools.every((name) => toolSet.tools.has(name)))

  server.setRequestHandler('tools/list', ({ params }) => {
    requireNoCursor(params)
    return { tools: toolSet.list() as ListedTool[] }
  })
  server.setRequestHandler('prompts/list', ({ params }) => {
    requireNoCursor(params)
    return { prompts: offered.map(({ messages: _, tools: __, ...described }) => described) }
  })
  server.setRequestHandler('prompts/get', ({ params: { name, arguments: given = {} } }) => {
    const prompt = offered.find((each) => each.name === name)
    if (!prompt) throw invalidParams('there is no such prompt at this address.')
    const missing = prompt.arguments.find((each) => each.required && !given[each.name])
    if (missing) throw invalidParams(`${missing.name} is required.`)
    return { description: prompt.description, messages: prompt.messages(given) }
  })
  server.setRequestHandler('resources/list', ({ params }) => {
    requireNoCursor(params)
    const described = resources.map(({ text, ...rest }) => ({
      ...rest,
      size: Buffer.byteLength(text),
    }))
    return { resources: described }
  })
  server.setRequestHandler('resources/templates/list', ({ params }) => {
    requireNoCursor(params)
    const readable = templates.filter(({ tool }) => toolSet.tools.has(tool))
    return { resourceTemplates: readable.map(({ tool: _, prefix: __, ...described }) => described) }
  })
  server.setRequestHandler('resources/read', ({ params: { uri } }) =>
    heard(mcpRequest, async () => {
      const found = resources.find((resource) => resource.uri === uri)
      if (found) {
        await door.admit(headers)
        return { contents: [{ uri, mimeType: found.mimeType, text: found.text }] }
      }
      const { template, args } = templateAt(uri) ?? {}
      if (!template || !toolSet.tools.has(template.tool)) throw noSuchResource(uri)
      const outcome = await runTool(mcpRequest, { name: template.tool, arguments: args })
      if ('refusal' in outcome) {
        const { refusal } = outcome
        throw refusal.status === 404 ? noSuchResource(uri) : invalidParams(refusal.message)
      }
      return { contents: [{ uri, mimeType: template.mimeType, text: outcome.json }] }
    }),
  )
  server.setRequestHandler('completion/complete', ({ params }) =>
    heard(mcpRequest, async () => {
      const { ref, argument, context } = params
      const values = await complete(mcpRequest, {
        uri: ref.type === 'ref/resource' ? ref.uri : undefined,
        name: argument.name,
        value: argument.value,
        given: context?.arguments ?? {},
      })
      return { completion: { values: values.slice(0, 100), hasMore: values.length > 100 } }
    }),
  )
  return server
}

/** Keeps refusals for the HTTP layer apart from those that the protocol words itself. */
async function heard<T>({ refusals }: McpRequest, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const isProtocols = error instanceof ProtocolRefusal || error instanceof ProtocolError
    if (!isProtocols) refusals.push(error as Error)
    throw error
  }
}

function noSuchResource(uri: string): ResourceNotFoundError {
  return new ResourceNotFoundError(uri, 'There is no such resource.')
}

/** Every list is a single page, so any cursor is invalid. */
function requireNoCursor(params: { cursor?: unknown } | undefined): void {
  if (params?.cursor !== undefined) throw invalidParams('there is no such cursor.')
}
