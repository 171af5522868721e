import { readFileSync } from 'node:fs'

/** One page asset, also compressed unless it is by its nature, as fonts are. */
interface PageFile {
  type: string
  bodies: { br?: Buffer; gzip?: Buffer; identity: Buffer }
}

/** Entries with a script, and the stylesheets of pages without one. */
export type PageEntry =
  | 'dashboard'
  | 'admin'
  | 'plain'
  | 'fonts'
  | 'scheme'
  | 'shop'
  | 'chat'
  | 'widget'

export interface PageFiles {
  /** Scripts and styles of an origin's pages: the entry script first, then its imports. */
  entries: Record<PageEntry, { scripts: string[]; styles: string[] }>
  /** The scripts of the dashboard's first page; `npm run dev` names none. */
  home?: string[]
  /** The script with what pages say, by language; `npm run dev` has none. */
  texts?: Record<string, string>
  /** By path, which contains a hash of the content. */
  files: Map<string, PageFile>
  /** Replaces the content security policy of built pages; set only by `npm run dev`. */
  policyFor?: (baseUrl: string) => string
}

interface BuiltPages {
  entries: PageFiles['entries']
  home: string[]
  texts: Record<string, string>
  files: Record<string, { type: string; bodies: Record<string, string> & { identity: string } }>
}

/** Beside the bundle when the service runs from it, else where the build puts both. */
const builtPages = new URL(
  import.meta.url.endsWith('.ts') ? '../../dist/pages.json' : './pages.json',
  import.meta.url,
)

let pagesInUse: PageFiles | undefined

/** The pages, read on first use: most test processes never serve one. */
export function pageFiles(): PageFiles {
  return (pagesInUse ??= readPageFiles())
}

/** Serves pages other than the built ones, such as those of a development server. */
export function usePageFiles(pages: PageFiles): void {
  pagesInUse = pages
}

/** Reads the output of scripts/build_pages.mjs. */
export function readPageFiles(place = builtPages): PageFiles {
  const { entries, home, texts, files } = JSON.parse(readFileSync(place, 'utf8')) as BuiltPages
  const unpacked = Object.entries(files).map(([path, { type, bodies }]) => {
    const bytes = Object.entries(bodies).map(([name, text]) => [name, Buffer.from(text, 'base64')])
    return [path, { type, bodies: Object.fromEntries(bytes) as PageFile['bodies'] }] as const
  })
  return { entries, home, texts, files: new Map(unpacked) }
}
