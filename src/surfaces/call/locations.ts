import { isInParts } from '../../core/json_text.ts'
import { operations } from '../../generated/operations.ts'
import { jsonOf } from './answers.ts'
import type { Call } from './call.ts'

/** Announces where the created resource is, if it has a path of its own. */
export function announceLocation({ operationId, headers, workspaceId }: Call, output: unknown) {
  const { location } = operations[operationId]
  if (location === null) return
  const id = createdId(isInParts(output) ? output.brief : jsonOf(output))
  headers.Location = location.replace('{workspaceId}', workspaceId).replace('{#id}', id)
}

/** Resources begin with their id, so a long one need not be parsed. */
const leadingId = /^\{\s*"id"\s*:\s*"([^"\\]+)"/

function createdId(json = '{}'): string {
  return leadingId.exec(json)?.[1] ?? (JSON.parse(json) as { id: string }).id
}
