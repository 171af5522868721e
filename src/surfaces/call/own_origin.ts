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

/**
 * Whether the browser says that a page of another site asks. One that asks for a picture names no Origin, and no
 * cookie of ours comes along. `none` is what a person has typed; browsers of before 2023 may say nothing.
 */
export function isFromOtherSite({ headers }: Pick<Incoming, 'headers'>): boolean {
  const site = headers['sec-fetch-site']
  return site !== undefined && site !== 'same-origin' && site !== 'none'
}
