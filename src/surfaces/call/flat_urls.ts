import { ApiError, invalidInput } from '../../core/errors.ts'
import { operations } from '../../generated/operations.ts'
import type { Incoming } from './call.ts'
import type { Route } from './routes.ts'

/** When explicit workspace paths superseded the flat form. */
const deprecatedSince = `@${Date.UTC(2026, 0, 1) / 1000}`

/**
 * The path parameters, with the workspace that a flat URL names in its query or header. Removes the
 * selector from the query, so that validation sees the explicit form.
 */
export function selectWorkspace(
  route: Route,
  query: Record<string, unknown>,
  { headers: requestHeaders }: Incoming,
  { baseUrl }: { baseUrl: string },
  headers: Record<string, string | string[]>,
): Record<string, string> {
  const header = requestHeaders['x-workspace-id']
  if (!route.flat) {
    const { workspaceId } = route.params
    if (header !== undefined && header !== workspaceId)
      throw invalidInput({
        'X-Workspace-Id': workspaceId === undefined ? 'workspaceUnused' : 'workspaceHeader',
      })
    return route.params
  }
  const fromQuery = query.workspaceId
  if (typeof header === 'string' && typeof fromQuery === 'string' && header !== fromQuery)
    throw invalidInput({ workspaceId: 'workspacesDiffer' })
  const workspaceId = fromQuery ?? header
  delete query.workspaceId
  if (typeof workspaceId !== 'string' || workspaceId === '')
    throw new ApiError('missing_workspace', 'missingWorkspace')
  const params: Record<string, string> = { ...route.params, workspaceId }
  headers.Deprecation = deprecatedSince
  const successor = baseUrl + pathOf(route, params) + searchOf(query)
  headers.Link = `<${successor}>; rel="successor-version"`
  return params
}

function pathOf({ operationId }: Route, params: Record<string, string>): string {
  const { path } = operations[operationId]
  return path.replace(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  )
}

/** The rest of the query, encoded anew: sent as it came, a `>` could end the link early. */
function searchOf(query: Record<string, unknown>): string {
  const pairs = Object.entries(query).map((pair) =>
    pair.map((text) => encodeURIComponent(String(text))).join('='),
  )
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}
