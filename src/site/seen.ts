import type { IncomingHttpHeaders } from 'node:http'
import { parsedUrl } from '../core/urls.ts'
import type { Seen } from '../domain/site/site_figures.ts'
import type { CountKind } from '../queries/site/site_counts.ts'
import type { Address, PageKind } from './address.ts'
import type { DrawnPage } from './kept_pages.ts'

/** Programs that say so, and browsers that only look ahead, are no visitors. */
const isProgram = /bot|crawl|spider|slurp|preview|fetch|curl|wget|python|monitor/i

export function isByPerson(headers: NodeJS.Dict<string | string[]>): boolean {
  const agent = String(headers['user-agent'] ?? '')
  return (
    agent !== '' && !isProgram.test(agent) && !String(headers['sec-purpose']).includes('prefetch')
  )
}

/** The parts of paths that stand before a name. */
const named: Partial<Record<PageKind, string>> = {
  collection: '/c/',
  tag: '/t/',
  information: '/p/',
}

/** What is counted of a page that is sent: the page, where its reader came from, a search in vain. */
export function seenOn(
  address: Address,
  path: string,
  { status, type, hasNoHit }: Pick<DrawnPage, 'status' | 'type' | 'hasNoHit'>,
  { referer, host }: IncomingHttpHeaders,
): Seen {
  if (status !== 200 || !type.startsWith('text/html')) return []
  const { kind, name } = address
  const seen: [CountKind, string][] = [pageOf(address, path)]
  const from = referer === undefined ? undefined : parsedUrl(referer)
  if (from && from.host !== host && /^https?:$/.test(from.protocol))
    seen.push(['referrer', from.hostname.replace(/^www\./, '')])
  if (kind === 'search' && hasNoHit) seen.push(['missed', name.toLowerCase()])
  return seen
}

function pageOf({ kind, name }: Address, path: string): [CountKind, string] {
  if (kind === 'product') return ['product', name]
  const before = named[kind]
  if (before === undefined) return ['page', path]
  return ['page', `${before}${name}${kind === 'information' ? '/information' : ''}`]
}
