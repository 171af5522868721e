import type { CallToolResult } from '@modelcontextprotocol/server'
import { ApiError, invalidInput } from '../../core/errors.ts'
import { apiErrorFor } from '../call/answers.ts'
import { Unconfirmed } from '../call/guards.ts'
import { departureOf, type Endpoint } from '../http/exchange.ts'
import { createCompletion } from './completion.ts'
import {
  createConfirmation,
  isToBeJudgedAgain,
  toldApart,
  withoutEvidence,
} from './confirmation.ts'
import type { AgentDoor } from './door.ts'
import { createEndpoint } from './endpoint.ts'
import type { McpRequest, RunTool } from './mcp_request.ts'
import { type Fields, invalidParams, isObject } from './messages.ts'
import { cacheToolSet, toolSetAt } from './narrowing.ts'
import { prompts } from './prompts.ts'
import { createResources } from './resources.ts'
import { errorResult, isHttpRefusal, type ToolOutcome, outcomeOf, toolResult } from './results.ts'
import { templates } from './templates.ts'
import { type Tool, toolCall, type ToolCall, wrongIds } from './tools.ts'
import type { Answer, Service } from '../call/call.ts'
import { runCall } from '../call/pipeline.ts'
import type { Router } from '../call/router.ts'

/** How often a call is judged again while others change what it is about. */
const maxTries = 12

/** The agents' endpoint: every management operation is a tool; tool calls use the REST pipeline. */
export function createMcp(router: Router, service: Service): Endpoint {
  const runTool: RunTool = async (mcpRequest, params) => {
    const { exchange, toolSet, door, headers } = mcpRequest
    // A name that is not a string would pass the check against the headers.
    const tool = typeof params.name === 'string' ? toolSet.tools.get(params.name) : undefined
    if (!tool) {
      await door.admit(headers)
      throw invalidParams('there is no such tool at this address.')
    }
    mcpRequest.tool = tool
    door.guard = (call, input) => confirmation.guard(mcpRequest, call, input)
    exchange.operation = tool.name
    let answer: Answer | undefined
    let failure: unknown
    let outcome: ToolOutcome | undefined
    try {
      const { incoming, route, summary } = callOf(mcpRequest, tool, params)
      answer = await runCall(router, service, door, incoming, route)
      failure = answer.error
      if (failure === undefined) outcome = outcomeOf(tool, answer, await bodyOf(answer), summary)
    } catch (error) {
      if (error instanceof Unconfirmed) throw error
      failure = error
    }
    for (const name of ['RateLimit', 'RateLimit-Policy', 'Retry-After']) {
      const value = answer?.headers[name]
      if (value !== undefined) headers[name] = value
    }
    if (outcome) return outcome
    const error = withHints(apiErrorFor(failure), tool, params.arguments)
    exchange.error = failure
    if (isHttpRefusal(error) && !isRefusedForGood(error, tool, door)) throw error
    // Authenticate first: a stranger must learn nothing about the call, only that it is a 401.
    if (!door.access) await door.admit(headers)
    exchange.outcome = error.status
    return { refusal: error }
  }

  const confirmation = createConfirmation(service.config.secretKey, runTool)
  const parts = {
    toolSetAt,
    cacheToolSet,
    resources: createResources(service.config.baseUrl),
    templates,
    prompts,
    runTool,
    complete: createCompletion(runTool),
    async callTool(mcpRequest, given, context) {
      const { params, evidence } = withoutEvidence(given, context)
      mcpRequest.evidence = evidence
      for (let tries = 1; ; tries++) {
        try {
          const outcome = await runTool(mcpRequest, params)
          if (tries >= maxTries || !isToBeJudgedAgain(mcpRequest, outcome))
            return resultOf(toldApart(outcome, evidence))
          mcpRequest.evidence = evidence
        } catch (error) {
          if (!(error instanceof Unconfirmed)) throw error
          const asked = await confirmation.ask(mcpRequest, params, error, context)
          if (asked !== 'harmless') return asked
        }
      }
    },
  } satisfies Parameters<typeof createEndpoint>[1]
  return createEndpoint(service, parts)
}

/** Adds to a refusal that found nothing which arguments cannot be ids. */
function withHints(error: ApiError, tool: Tool, args: unknown): ApiError {
  const { code, reason } = error
  if ((code !== 'not_found' && code !== 'not_owner') || !isObject(args)) return error
  const hints = wrongIds(tool, args)
  return hints ? new ApiError(code, reason, hints) : error
}

function resultOf(outcome: ToolOutcome): CallToolResult {
  return 'refusal' in outcome ? errorResult(outcome.refusal) : toolResult(outcome)
}

/** A challenge would make the client ask the person for what they have just refused. */
function isRefusedForGood({ code }: ApiError, { readOnly }: Tool, { access }: AgentDoor): boolean {
  return code === 'insufficient_scope' && access?.writing === 'REFUSED' && !readOnly
}

/** The JSON of an answer. An answer in parts belongs to a tool that uses little of it. */
async function bodyOf({ body = '{}', parts }: Answer): Promise<string> {
  if (!parts) return body
  let text = ''
  for await (const part of parts()) text += part
  return text
}

/** Builds a tool's call; refuses one outside the address's workspace. */
function callOf(mcpRequest: McpRequest, tool: Tool, params: Fields): ToolCall {
  const { exchange, toolSet, suspect } = mcpRequest
  const { arguments: args = {}, _meta: meta = {} } = params
  if (!isObject(args)) throw invalidInput({ arguments: 'mustBeObject' })
  const { requestId, request, clientIp } = exchange
  const context = {
    clientIp,
    meter: exchange.meter,
    identified: () => exchange.place.identified(),
    requestId,
    authorization: request.headers.authorization,
    suspect,
    signal: () => departureOf(exchange),
  }
  const call = toolCall(tool, args, isObject(meta) ? meta : {}, context)
  exchange.workspaceId = call.route.params.workspaceId
  const { workspaceId } = toolSet
  if (workspaceId !== undefined && call.route.params.workspaceId !== workspaceId)
    throw invalidInput({ workspaceId: ['addressWorkspace', { workspaceId }] })
  return call
}
