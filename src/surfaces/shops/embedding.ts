import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FoundSite } from '../../queries/site/found_sites.ts'
import type { SiteFinder } from '../../site/site_finder.ts'

/** Whether the owner allows the widget on pages of this origin. */
export function isEmbedded(
  { website, isSuspended, isVisible }: FoundSite,
  origin: string,
): boolean {
  const isOpen = !isSuspended && isVisible && website.accessPolicy.visibility === 'PUBLIC'
  return isOpen && website.embedOrigins.includes(origin)
}

/** Lets pages of this origin read the answer. */
export function openTo(origin: string, set: (name: string, value: string) => void): void {
  set('Access-Control-Allow-Origin', origin)
  set('Access-Control-Expose-Headers', 'Retry-After')
  set('Cross-Origin-Resource-Policy', 'cross-origin')
  set('Vary', 'Origin')
}

/** The request headers of the widget. */
const preflightHeaders = {
  'Access-Control-Allow-Methods': 'GET, POST',
  'Access-Control-Allow-Headers':
    'Content-Type, Accept-Language, Idempotency-Key, X-Guest-Device-Id, X-Guest-Token',
  'Access-Control-Max-Age': '600',
}

/** Answers the widget's preflight requests: only origins that the owner lists are allowed. */
export async function answerPreflight(
  finder: SiteFinder,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { origin, host } = request.headers
  const found = await finder.find(host).catch(() => undefined)
  if (origin !== undefined && found && isEmbedded(found.site, origin)) {
    openTo(origin, (name, value) => response.setHeader(name, value))
    for (const [name, value] of Object.entries(preflightHeaders)) response.setHeader(name, value)
  }
  response.writeHead(204).end()
}
