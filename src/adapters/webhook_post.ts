import { request } from 'node:http'
import { isLoopbackUrl, publicHttpsFault, readPlainUrl } from '../core/public_urls.ts'
import { askPublicHost, PublicFetchError, type PublicFetchParts } from './public_fetch.ts'

interface WebhookMessage {
  url: string
  headers: Record<string, string>
  body: string
}

/** Posts a message; returns the status of the answer, or throws a PublicFetchError without one. */
export type WebhookPost = (message: WebhookMessage) => Promise<number>

const timeLimitMilliseconds = 10_000

/**
 * Posts to public https hosts alone, as every fetch of a URL that others name; redirects are not
 * followed and the body of an answer is not read. In development also to this machine, over http.
 */
export function createWebhookPost(
  parts: PublicFetchParts,
  { loopback }: { loopback: boolean },
): WebhookPost {
  const limit = parts.timeLimitMilliseconds ?? timeLimitMilliseconds
  return ({ url, headers, body }) => {
    const sent = { 'Content-Type': 'application/json', ...headers }
    if (loopback && isHttpLoopback(url)) return postHere(url, sent, body, limit)
    const asked = { accept: '*/*', timeLimitMilliseconds: limit, body, headers: sent }
    return askPublicHost(parts, url, asked, (response) => {
      response.destroy()
      return Promise.resolve(response.statusCode ?? 0)
    })
  }
}

/** Whether a webhook can have this URL. */
export function isWebhookUrl(text: string, loopback: boolean): boolean {
  if (loopback && isHttpLoopback(text)) return true
  return publicHttpsFault(text) === undefined && new URL(text).port === ''
}

function isHttpLoopback(text: string): boolean {
  const url = readPlainUrl(text)
  return typeof url !== 'string' && url.protocol === 'http:' && isLoopbackUrl(text)
}

/** Names of this machine are not resolved: a name may be made to lead elsewhere. */
const addresses: Record<string, string> = { localhost: '127.0.0.1', '[::1]': '::1' }

function postHere(
  text: string,
  headers: Record<string, string>,
  body: string,
  limit: number,
): Promise<number> {
  const url = new URL(text)
  const signal = AbortSignal.timeout(limit)
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      method: 'POST',
      host: addresses[url.hostname] ?? url.hostname,
      headers: { ...headers, Connection: 'close' },
      signal,
    })
    outgoing.on('error', (cause) =>
      reject(
        new PublicFetchError(
          signal.aborted ? 'The host took too long to answer.' : 'The host could not be reached.',
          { cause },
        ),
      ),
    )
    outgoing.on('response', (response) => {
      resolve(response.statusCode ?? 0)
      outgoing.destroy()
    })
    outgoing.end(body)
  })
}
