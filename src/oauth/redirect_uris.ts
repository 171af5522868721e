import { isLoopbackUrl, publicHttpsFault, readPlainUrl } from '../core/public_urls.ts'

/**
 * Why this redirect URI is not allowed, in words; undefined if it is. The operator may allow exact
 * addresses of native agents with a scheme of their own.
 */
export function redirectUriFault(
  uri: unknown,
  nativeCallbacks: readonly string[],
): string | undefined {
  if (isLoopbackUri(uri) || nativeCallbacks.includes(uri as string)) return undefined
  const fault = publicHttpsFault(uri)
  if (fault !== 'is not an https URL') return fault
  return 'is neither a public https URL nor an http URL of 127.0.0.1, [::1] or localhost'
}

/** Whether the URI points to a native client on the person's own machine. */
function isLoopbackUri(uri: unknown): boolean {
  const url = readPlainUrl(uri)
  return typeof url !== 'string' && url.protocol === 'http:' && isLoopbackUrl(url.href)
}

/**
 * Whether the answer goes to a program on the person's own machine: any program there could pose as the
 * client.
 */
export function staysOnMachine(uri: string): boolean {
  return isLoopbackUri(uri) || new URL(uri).protocol !== 'https:'
}

/** Where an answer goes, for people: a host, or the whole address of a native agent's own scheme. */
export function destinationOf(uri: string): string {
  return /^https?:/i.test(uri) ? new URL(uri).host : uri
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

/** The host of a redirect URI as part of a client's identity, with the scheme if it is its own. */
export function redirectHostOf(uri: string): string {
  if (isLoopbackUri(uri)) return 'loopback'
  const { protocol, hostname } = new URL(uri)
  return protocol === 'https:' ? hostname : `${protocol}//${hostname}`
}
