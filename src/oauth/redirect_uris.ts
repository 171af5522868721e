import { isLoopbackUrl, publicHttpsFault, readPlainUrl } from '../core/public_urls.ts'

/** What keeps a client from being called back at this URI, in words; undefined where nothing does. */
export function redirectUriFault(uri: unknown): string | undefined {
  if (isLoopbackUri(uri)) return undefined
  const fault = publicHttpsFault(uri)
  if (fault !== 'is not an https URL') return fault
  return 'is neither a public https URL nor an http URL of 127.0.0.1, [::1] or localhost'
}

/** Whether a native client on the person's own machine listens there. */
export function isLoopbackUri(uri: unknown): boolean {
  const url = readPlainUrl(uri)
  return typeof url !== 'string' && url.protocol === 'http:' && isLoopbackUrl(url.href)
}

/**
 * Whether a request may name this URI because the client registered the other. They compare as
 * strings, except for the port of a loopback one: a native client takes whichever port is free.
 */
export function redirectUriMatches(requested: string, registered: string): boolean {
  if (requested === registered) return true
  if (!isLoopbackUri(requested) || !isLoopbackUri(registered)) return false
  return withoutPort(requested) === withoutPort(registered)
}

function withoutPort(uri: string): string {
  return uri.replace(/^(http:\/\/(?:\[[^\]]*\]|[^/?:[]*)):\d*/i, '$1')
}

/** Where a client is called back: what the consent page shows, and part of a client's identity. */
export function redirectHostOf(uri: string): string {
  return isLoopbackUri(uri) ? 'loopback' : new URL(uri).hostname
}
