import { type McpRequest, peek, type RunTool } from './mcp_request.ts'
import type { Fields } from './messages.ts'
import { templates } from './templates.ts'

/** An argument of a prompt or a resource template that a person is filling in. */
interface ArgumentRequest {
  /** The template's URI; undefined for a prompt. */
  uri: string | undefined
  name: string
  value: string
  /** The arguments that are filled in already. */
  given: Record<string, string>
}

export type Complete = (mcpRequest: McpRequest, asked: ArgumentRequest) => Promise<string[]>

/** Suggests workspaces, and products or collections by parts of their names. */
export function createCompletion(runTool: RunTool): Complete {
  async function answerOf<T>(request: McpRequest, name: string, args: Fields) {
    const outcome = await peek(runTool, request, { name, arguments: args })
    return outcome && 'json' in outcome ? (JSON.parse(outcome.json) as T) : undefined
  }

  async function workspaces(request: McpRequest, value: string): Promise<string[]> {
    const { workspaceId } = request.toolSet
    if (workspaceId !== undefined) return [workspaceId]
    type Owned = { workspaces: { id: string; name: string }[] }
    const query = { pageSize: 100 }
    const answer = await answerOf<Owned>(request, 'list_workspaces', { query })
    const fits = ({ id, name }: { id: string; name: string }) =>
      id.startsWith(value) || name.toLowerCase().includes(value.toLowerCase())
    return (answer?.workspaces ?? []).filter(fits).map(({ id }) => id)
  }

  return async (request, { uri, name, value, given }) => {
    if (name === 'workspaceId') return workspaces(request, value)
    const template = templates.find(({ uriTemplate }) => uriTemplate === uri)
    const workspaceId = request.toolSet.workspaceId ?? given.workspaceId
    if (!template || name !== 'id' || workspaceId === undefined) return []
    const args = { workspaceId, query: { search: value, limit: 50 } }
    const answer = await answerOf<{ hits: { id: string }[] }>(request, 'search_catalogue', args)
    const ids = (answer?.hits ?? []).map(({ id }) => id)
    return ids.filter((id) => id.startsWith(template.prefix))
  }
}
