import { ApiError } from '../../core/errors.ts'
import { isInParts } from '../../core/json_text.ts'
import { translateDatabaseError } from '../../db/constraints.ts'
import type { FieldErrors } from '../../texts/refusals.ts'

/** The largest answer over REST, the largest result of a tool, and the largest batch of results. */
export const maxAnswerBytes = {
  rest: 64 * 1024 * 1024,
  tool: 1024 * 1024,
  batch: 4 * 1024 * 1024,
}

/** Serialises a handler's output: a value, JSON text built by a query, or nothing. */
export function jsonOf(output: unknown): string | undefined {
  return typeof output === 'string' ? output : JSON.stringify(output)
}

/** Query parameters that can make an answer smaller. */
const lighter = { pageSize: 'pageSizeTooHeavy', view: 'viewTooHeavy' } as const

/**
 * The output as it can be sent: in brief if the whole is too large. An answer without a brief form is
 * refused, which must happen only to reads.
 */
export function sendable(output: unknown, limit: number, query: Record<string, unknown>): unknown {
  if (!isInParts(output) || output.weight <= limit) return output
  if (output.brief !== undefined) return output.brief
  const megabytes = limit / 1024 / 1024
  const helpful = Object.entries(lighter).filter(([name]) => query[name] !== undefined)
  const fieldErrors: FieldErrors | undefined =
    helpful.length > 0 ? Object.fromEntries(helpful) : undefined
  throw new ApiError('invalid_input', ['answerTooHeavy', { megabytes }], fieldErrors)
}

/** The error as clients see it: an internal error becomes a generic message without details. */
export function apiErrorFor(cause: unknown): ApiError {
  const error = translateDatabaseError(cause)
  if (error instanceof ApiError) return error
  return new ApiError('internal', 'internal')
}

export function tooManyRequests(seconds: number): ApiError {
  return new ApiError('rate_limited', ['tooManyRequests', { count: seconds }], undefined, seconds)
}
