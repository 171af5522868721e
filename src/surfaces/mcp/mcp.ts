import { invalidInput } from '../../core/errors.ts'
import { apiErrorFor } from '../call/answers.ts'
import type { Endpoint } from '../http/exchange.ts'
import { createEndpoint, type McpRequest } from './endpoint.ts'
import { type Fields, isObject, type Message } from './messages.ts'
import { invalidParams } from './methods.ts'
import { keepServed, servedAt } from './narrowing.ts'
import { createResources } from './resources.ts'
import { errorResult, leavesOnHttpLayer, type Result, toolResult } from './results.ts'
import { type Tool, toolCall, type ToolCall } from './tools.ts'
import type { Answer, Service } from '../call/call.ts'
import { runCall } from '../call/pipeline.ts'
import type { Router } from '../call/router.ts'

/** The agents' endpoint: every management operation is a tool; tool calls use the REST pipeline. */
export function createMcp(router: Router, service: Service): Endpoint {
  const resources = createResources(service.config.baseUrl)

  async function callTool(visit: McpRequest, { params }: Message): Promise<Result> {
    const { exchange, served, door, headers } = visit
    // A name that is not a string would pass the check against the headers.
    const tool = typeof params.name === 'string' ? served.tools.get(params.name) : undefined
    if (!tool) {
      await door.admit(headers)
      throw invalidParams('there is no such tool at this address.')
    }
    visit.tool = tool
    exchange.operation = tool.name
    let answer: Answer | undefined
    let refused: unknown
    try {
      const { incoming, route } = callOf(visit, tool, params)
      answer = await runCall(router, service, door, incoming, route)
      refused = answer.error
    } catch (error) {
      refused = error
    }
    for (const name of ['RateLimit', 'RateLimit-Policy', 'Retry-After']) {
      const value = answer?.headers[name]
      if (value !== undefined) headers[name] = value
    }
    if (answer && refused === undefined) return toolResult(answer)
    const error = apiErrorFor(refused)
    exchange.error = refused
    if (leavesOnHttpLayer(error)) throw error
    // Authenticate first: a stranger must learn nothing about the call, only that it is a 401.
    if (!door.access) await door.admit(headers)
    exchange.outcome = error.status
    return errorResult(error)
  }

  return createEndpoint(service, { servedAt, keepServed, resources, callTool })
}

/** Builds a tool's call; refuses one outside the address's workspace. */
function callOf(visit: McpRequest, tool: Tool, params: Fields): ToolCall {
  const { exchange, served, suspect } = visit
  const { arguments: given = {}, _meta: meta = {} } = params
  if (!isObject(given)) throw invalidInput({ arguments: 'mustBeObject' })
  const { requestId, request, clientIp } = exchange
  const around = { clientIp, requestId, authorization: request.headers.authorization, suspect }
  const call = toolCall(tool, given, isObject(meta) ? meta : {}, around)
  const { workspaceId } = served
  if (workspaceId !== undefined && call.route.params.workspaceId !== workspaceId)
    throw invalidInput({ workspaceId: ['addressWorkspace', { workspaceId }] })
  return call
}
