import { ApiError } from '../../core/errors.ts'
import type { Incoming } from './call.ts'

/** CSRF: browsers send the cookie with any site's requests, but only our own pages may write. */
export function requireOwnOrigin(
  { method, headers }: Pick<Incoming, 'method' | 'headers'>,
  ownOrigin: string,
): void {
  if (method === 'get' || method === 'head') return
  if (headers.origin !== ownOrigin)
    throw new ApiError('origin_refused', ['sendFromOrigin', { origin: ownOrigin }])
}
