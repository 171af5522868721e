import { ApiError } from '../../core/errors.ts'
import { translateDatabaseError } from '../../db/constraints.ts'

/** Serialises a handler's output: a value, JSON text built by a query, or nothing. */
export function jsonOf(output: unknown): string | undefined {
  return typeof output === 'string' ? output : JSON.stringify(output)
}

/** The error as clients see it: an internal fault becomes a generic message, without details. */
export function apiErrorFor(cause: unknown): ApiError {
  const error = translateDatabaseError(cause)
  if (error instanceof ApiError) return error
  return new ApiError('internal', 'internal')
}

export function tooManyRequests(seconds: number): ApiError {
  return new ApiError('rate_limited', ['tooManyRequests', { count: seconds }], undefined, seconds)
}
