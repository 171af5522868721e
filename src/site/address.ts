import { maxSearch } from './parts/header.tsx'

/** What stands at an address. */
export type PageKind =
  | 'home'
  | 'products'
  | 'collections'
  | 'collection'
  | 'tag'
  | 'product'
  | 'information'
  | 'search'
  | 'about'
  | 'faq'
  | 'privacy'
  | 'routine'
  | 'face'
  | 'signIn'
  | 'account'
  | 'feedback'
  | 'report'
  | 'robots'
  | 'sitemap'
  | 'feed'
  | 'models'
  | 'loader'
  | 'widget'
  | 'assistant'
  | 'unknown'

/** What a URL asks for. Only what is here reaches a page, so only this can be in the key of a kept one. */
export interface Address {
  kind: PageKind
  /** A slug, an id or the words of a search. */
  name: string
  page: number
  hasPage: boolean
}

const fixed = new Map<string, PageKind>([
  ['/', 'home'],
  ['/products', 'products'],
  ['/collections', 'collections'],
  ['/search', 'search'],
  ['/about', 'about'],
  ['/faq', 'faq'],
  ['/privacy', 'privacy'],
  ['/routine', 'routine'],
  ['/face', 'face'],
  ['/sign-in', 'signIn'],
  ['/account', 'account'],
  ['/feedback', 'feedback'],
  ['/report', 'report'],
  ['/robots.txt', 'robots'],
  ['/sitemap.xml', 'sitemap'],
  ['/products.json', 'feed'],
  ['/llms.txt', 'models'],
  ['/agents.md', 'models'],
  ['/widget.js', 'loader'],
  ['/assistant.json', 'assistant'],
])

const named: [pattern: RegExp, kind: PageKind][] = [
  [/^\/p\/([^/]+)$/, 'product'],
  [/^\/p\/([^/]+)\/information$/, 'information'],
  [/^\/c\/([^/]+)$/, 'collection'],
  [/^\/t\/([^/]+)$/, 'tag'],
  [/^\/widget\/([^/]+)$/, 'widget'],
]

const paged = new Set<PageKind>([
  'products',
  'collections',
  'collection',
  'tag',
  'search',
  'sitemap',
  'feed',
])

/** Reads a path and its parameters; unknown parameters mean nothing and are left out. */
export function addressOf(path: string, query: string): Address {
  const parameters = new URLSearchParams(query)
  const { kind, name } = placeOf(path)
  const hasPage = paged.has(kind) && parameters.has('page')
  const page = hasPage ? (parameters.get('page') ?? '') : '1'
  if (!/^[1-9]\d{0,6}$/.test(page)) return { kind: 'unknown', name: '', page: 1, hasPage: false }
  const words = kind === 'search' ? wordsOf(parameters.get('q') ?? '') : name
  return { kind, name: words, page: Number(page), hasPage }
}

function placeOf(path: string): { kind: PageKind; name: string } {
  const kind = fixed.get(path)
  if (kind) return { kind, name: '' }
  for (const [pattern, namedKind] of named) {
    const found = pattern.exec(path)?.[1]
    const name = found === undefined ? undefined : decoded(found)
    if (name !== undefined) return { kind: namedKind, name }
  }
  return { kind: 'unknown', name: '' }
}

/** A part of a path in plain text; undefined if it is not well-formed, or no name could contain it. */
function decoded(part: string): string | undefined {
  try {
    const name = decodeURIComponent(part)
    return name.length > 200 || name.includes('\0') ? undefined : name
  } catch {
    return undefined
  }
}

function wordsOf(query: string): string {
  return [...query.replaceAll('\0', '').replace(/\s+/g, ' ').trim()].slice(0, maxSearch).join('')
}

/** The key of a page among those of its site. */
export function keyOf({ kind, name, page, hasPage }: Address): string {
  return `${kind} ${page} ${hasPage} ${name}`
}
