import { isLoopbackUrl, publicHttpsFault, readPlainUrl } from '../core/public_urls.ts'

/** Why this redirect URI is not allowed, in words; undefined if it is. */
export function redirectUriFault(uri: unknown): string | undefined {
  if (isLoopbackUri(uri)) return undefined
  const fault = publicHttpsFault(uri)
  if (fault !== 'is not an https URL') return fault
  return 'is neither a public https URL nor an http URL of 127.0.0.1, [::1] or localhost'
}

/** Whether the URI points to a native client on the person's own machine. */
export function isLoopbackUri(uri: unknown): boolean {
  const url = readPlainUrl(uri)
  return typeof url !== 'string' && url.protocol === 'http:' && isLoopbackUrl(url.href)
}

/**
 * Whether a request may use this URI, given the registered one. They must be equal as strings,
 * except for the port of a loopback URI: a native client uses any free port.
 */
export function redirectUriMatches(requested: string, registered: string): boolean {
  if (requested === registered) return true
  if (!isLoopbackUri(requested) || !isLoopbackUri(registered)) return false
  return withoutPort(requested) === withoutPort(registered)
}

function withoutPort(uri: string): string {
  return uri.replace(/^(http:\/\/(?:\[[^\]]*\]|[^/?:[]*)):\d*/i, '$1')
}

/** The host of a redirect URI: shown on the consent page, and part of a client's identity. */
export function redirectHostOf(uri: string): string {
  return isLoopbackUri(uri) ? 'loopback' : new URL(uri).hostname
}
