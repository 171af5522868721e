import { brotliCompressSync } from 'node:zlib'
import { pageFiles } from '../../adapters/page_files.ts'
import { stylesheets } from './stylesheets.ts'

/** A file that pages load. */
export interface SiteFile {
  type: string
  plain: Buffer
  brotli: Buffer | undefined
}

const styles = new Map<string, SiteFile>()

/** The scripts of the pages, by what they are for. */
export type SiteScript = 'scheme' | 'shop' | 'chat' | 'widget'

/** The path of a script; undefined where the pages are not built, as in most tests. */
export function scriptPath(name: SiteScript): string | undefined {
  try {
    return pageFiles().entries[name]?.scripts[0]
  } catch {
    return undefined
  }
}

/** The file at a path; undefined if there is none. Fonts and scripts are built with the dashboard. */
export function siteFile(path: string): SiteFile | undefined {
  if (!path.startsWith('/assets/')) return undefined
  if (path.endsWith('.woff2') || path.endsWith('.js')) return builtAt(path)
  const known = styles.get(path)
  if (known) return known
  const sheet = stylesheets().find((each) => each.path === path)
  if (!sheet) return undefined
  const plain = Buffer.from(sheet.text)
  const file = { type: 'text/css; charset=utf-8', plain, brotli: brotliCompressSync(plain) }
  styles.set(path, file)
  return file
}

function builtAt(path: string): SiteFile | undefined {
  const file = pageFiles().files.get(path)
  if (!file) return undefined
  return { type: file.type, plain: file.bodies.identity, brotli: file.bodies.br }
}
