import { isInParts } from '../../core/json_text.ts'
import { operations } from '../../generated/operations.ts'
import { jsonOf } from './answers.ts'
import type { Call } from './call.ts'

/** Says where to find what the call created, if it creates something with a path of its own. */
export function announceLocation({ operationId, headers, workspaceId }: Call, output: unknown) {
  const { location } = operations[operationId]
  if (location === null) return
  const id = createdId(isInParts(output) ? output.brief : jsonOf(output))
  headers.Location = location.replace('{workspaceId}', workspaceId).replace('{#id}', id)
}

/** Resources begin with their id, which spares parsing a long one. */
const leadingId = /^\{\s*"id"\s*:\s*"([^"\\]+)"/

function createdId(json = '{}'): string {
  return leadingId.exec(json)?.[1] ?? (JSON.parse(json) as { id: string }).id
}
