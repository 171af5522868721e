import { ApiError } from '../../core/errors.ts'
import { etagOf, listsTag } from '../../core/etags.ts'
import { isInParts } from '../../core/json_text.ts'
import { momentOf } from '../../core/time.ts'
import { jsonOf } from './answers.ts'
import type { Incoming } from './call.ts'

/** Refuses a write if the resource, whole or in brief, has changed since the caller read it. */
export function requireCurrent(
  { headers, expectedUpdatedAt }: Incoming,
  representation: unknown,
): void {
  const text = isInParts(representation) ? representation.brief : jsonOf(representation)
  const expected = headers['if-match']
  // Tools and repeated calls have seen the brief form of a large resource, and that form's tag.
  const tags = [etagOf(text ?? ''), ...(isInParts(representation) ? [representation.etag] : [])]
  const isTag = (tag?: string) => tag !== undefined && listsTag(String(expected), tag)
  if ((typeof expected === 'string' && !tags.some(isTag)) || !isAsOf(expectedUpdatedAt, text))
    throw new ApiError('write_conflict', 'writeConflict')
}

function isAsOf(expectedUpdatedAt: string | undefined, text: string | undefined): boolean {
  if (expectedUpdatedAt === undefined) return true
  const { updatedAt } = JSON.parse(text ?? '{}') as { updatedAt?: string }
  return momentOf(updatedAt ?? '') === momentOf(expectedUpdatedAt)
}
