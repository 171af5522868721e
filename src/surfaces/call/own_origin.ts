import { ApiError } from '../../core/errors.ts'
import type { Incoming } from './call.ts'

/** Browsers send a cookie with any site's requests; only an origin's own pages may change anything. */
export function requireOwnOrigin({ method, headers }: Incoming, ownOrigin: string): void {
  if (method === 'get' || method === 'head') return
  if (headers.origin !== ownOrigin)
    throw new ApiError('origin_refused', ['sendFromOrigin', { origin: ownOrigin }])
}
