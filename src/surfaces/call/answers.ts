import { ApiError } from '../../core/errors.ts'
import { translateDatabaseError } from '../../db/constraints.ts'

/** A handler answers a value, or the JSON text that its query has built, or nothing. */
export function jsonOf(output: unknown): string | undefined {
  return typeof output === 'string' ? output : JSON.stringify(output)
}

/** What an outsider may know of an error: a fault of ours is one sentence, whatever it was. */
export function apiErrorFor(thrown: unknown): ApiError {
  const error = translateDatabaseError(thrown)
  if (error instanceof ApiError) return error
  return new ApiError('internal', 'internal')
}

export function tooManyRequests(seconds: number): ApiError {
  return new ApiError('rate_limited', ['tooManyRequests', { count: seconds }], undefined, seconds)
}
