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

/** The file at a path; undefined if there is none. Fonts come with the pages of the dashboard. */
export function siteFile(path: string): SiteFile | undefined {
  if (!path.startsWith('/assets/')) return undefined
  if (path.endsWith('.woff2')) return fontAt(path)
  const known = styles.get(path)
  if (known) return known
  const sheet = stylesheets().find((each) => each.path === path)
  if (!sheet) return undefined
  const plain = Buffer.from(sheet.text)
  const file = { type: 'text/css; charset=utf-8', plain, brotli: brotliCompressSync(plain) }
  styles.set(path, file)
  return file
}

function fontAt(path: string): SiteFile | undefined {
  const font = pageFiles().files.get(path)
  return font && { type: font.type, plain: font.bodies.identity, brotli: undefined }
}
