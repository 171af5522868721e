import { readFileSync } from 'node:fs'

/** One page asset in every encoding that a browser may request. */
export interface PageFile {
  type: string
  bodies: Record<PageEncoding, Buffer>
}

export type PageEncoding = 'br' | 'gzip' | 'identity'

/** Entries with a script, and the stylesheet of script-free pages. */
export type PageEntry = 'dashboard' | 'admin' | 'plain'

export interface PageFiles {
  /** What the pages of an origin begin with: the script itself first, then what it imports. */
  entries: Record<PageEntry, { scripts: string[]; styles: string[] }>
  /** By the path of each, which names its content. */
  files: Map<string, PageFile>
  /** Another policy than that of built pages, for the API's origin; `npm run dev` alone has one. */
  policyFor?: (baseUrl: string) => string
}

interface Built {
  entries: PageFiles['entries']
  files: Record<string, { type: string; plain: string; gzip: string; br: string }>
}

/** Beside the bundle when the service runs from it, else where the build puts both. */
const builtPages = new URL(
  import.meta.url.endsWith('.ts') ? '../../dist/pages.json' : './pages.json',
  import.meta.url,
)

let read: PageFiles | undefined

/** The pages, read when one is first asked for: most processes of a test never serve one. */
export function pageFiles(): PageFiles {
  return (read ??= readPageFiles())
}

/** Serves other pages than the built ones: those of a server that compiles them as they change. */
export function usePageFiles(pages: PageFiles): void {
  read = pages
}

/** Reads the pages as scripts/build_pages.mjs has built them. */
export function readPageFiles(): PageFiles {
  const { entries, files } = JSON.parse(readFileSync(builtPages, 'utf8')) as Built
  const unpacked = Object.entries(files).map(([path, { type, plain, gzip, br }]) => {
    const bodies = { identity: bytesOf(plain), gzip: bytesOf(gzip), br: bytesOf(br) }
    return [path, { type, bodies }] as const
  })
  return { entries, files: new Map(unpacked) }
}

function bytesOf(base64: string): Buffer {
  return Buffer.from(base64, 'base64')
}
