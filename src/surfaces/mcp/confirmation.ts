import { createHmac } from 'node:crypto'
import {
  acceptedContent,
  type CallToolResult,
  createRequestStateCodec,
  inputRequired,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { type McpRequest, peek, type RunTool } from './mcp_request.ts'
import { type Fields, invalidParams, type ProtocolRefusal } from './messages.ts'
import { errorResult } from './results.ts'

/** The tools that delete for good, and those that read what would be lost. */
const deletions: Record<string, string> = {
  delete_product: 'get_product',
  delete_collection: 'get_collection',
  delete_tag: 'get_tag',
  delete_media: 'get_media',
}

/** Not an error object: nothing was wrong with the call. */
const declined: CallToolResult = {
  content: [{ type: 'text', text: 'Nothing was deleted: the person did not confirm it.' }],
  isError: true,
}

/** How long a person has to answer. */
const ttlSeconds = 600

const requestedSchema = {
  type: 'object' as const,
  properties: { confirm: { type: 'boolean' as const, title: 'Delete it for good' } },
  required: ['confirm'],
}

/** Answers a call instead of its tool; undefined lets the tool run. */
type Confirmation = (
  mcpRequest: McpRequest,
  params: Fields,
  context: ServerContext,
) => Promise<CallToolResult | InputRequiredResult | undefined>

/**
 * At an address that asks for it, a person confirms each permanent delete in their client. The
 * question's state is signed and names connection, tool and arguments, so that one answer confirms one
 * deletion. A client that cannot ask a person cannot delete there.
 */
export function createConfirmation(secretKey: string, runTool: RunTool): Confirmation {
  const key = createHmac('sha256', secretKey).update('confirmations').digest()
  const states = createRequestStateCodec<string>({ key, ttlSeconds })

  /** The name of what would be deleted, or its id if the connection may not read it. */
  async function nameOf(mcpRequest: McpRequest, tool: string, args: Fields) {
    const outcome = await peek(runTool, mcpRequest, { name: deletions[tool], arguments: args })
    if (!outcome) return { name: String(args.id) }
    if ('refusal' in outcome) return outcome
    const { name, fileName } = JSON.parse(outcome.json) as { name?: string; fileName?: string }
    return { name: name ?? fileName }
  }

  return async (mcpRequest, params, context) => {
    const { mcpReq } = context
    const { toolSet, door } = mcpRequest
    const { name: tool, arguments: args = {} } = params as { name: string; arguments?: Fields }
    if (!toolSet.confirms || !Object.hasOwn(deletions, tool)) return undefined
    const { connectionId } = await door.identify()
    if (mcpReq.envelope === undefined) throw cannotAsk()
    const deletion = JSON.stringify([connectionId, tool, args])
    const state = mcpReq.requestState<string>()
    if (state === undefined) {
      const found = await nameOf(mcpRequest, tool, args)
      if ('refusal' in found) return errorResult(found.refusal)
      const what = `${tool.replace('delete_', 'the ')} “${found.name}”`
      const message = `Delete ${what} for good? This cannot be undone.`
      return inputRequired({
        inputRequests: { confirm: inputRequired.elicit({ message, requestedSchema }) },
        requestState: await states.mint(deletion),
      })
    }
    const isSame = (await states.verify(state, context).catch(() => '')) === deletion
    if (!isSame) throw invalidParams('this answer belongs to another question, or came too late.')
    if (acceptedContent(mcpReq.inputResponses, 'confirm')?.confirm === true) return undefined
    return declined
  }
}

function cannotAsk(): ProtocolRefusal {
  return invalidParams(
    'this address asks a person before it deletes, and this client cannot ask. ' +
      'Set status DELETED instead, or connect without confirm.',
  )
}
