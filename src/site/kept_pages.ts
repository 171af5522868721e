import { type Packed, packWell } from './packing.ts'

/** An answer, ready to be sent. */
export interface DrawnPage extends Packed {
  status: number
  type: string
  etag: string
  policy: string | undefined
  isListed: boolean
  /** Whether it shows a search that found nothing. */
  hasNoHit?: boolean | undefined
}

/** Bytes of pages that a process keeps. */
const defaultBytes = 64 * 1024 * 1024

/** A site, and the version of what its pages show. */
interface SiteVersion {
  workspaceId: string
  version: string
}

interface KeptEntry {
  workspaceId: string
  page: DrawnPage
}

/**
 * Pages in memory, the one unused for longest dropped first. Once a site is asked for in another version, no
 * visitor asks for its pages of the one before, and they go at once.
 */
export function createKeptPages(maxBytes = defaultBytes) {
  const pages = new Map<string, KeptEntry>()
  /** Pages that are being drawn: those who ask meanwhile wait for the same one. */
  const drawing = new Map<string, Promise<DrawnPage>>()
  /** Of each site, the version of its pages and their keys. */
  const sites = new Map<string, { version: string; keys: Set<string> }>()
  let bytes = 0
  const sizeOf = (key: string, { plain, brotli }: DrawnPage) =>
    2 * key.length + plain.length + (brotli?.length ?? 0) + 500

  function drop(key: string): void {
    const entry = pages.get(key)
    if (entry === undefined) return
    pages.delete(key)
    bytes -= sizeOf(key, entry.page)
    const site = sites.get(entry.workspaceId)
    site?.keys.delete(key)
    if (site?.keys.size === 0) sites.delete(entry.workspaceId)
  }

  function dropOthersThan({ workspaceId, version }: SiteVersion): void {
    const site = sites.get(workspaceId)
    if (site && site.version !== version) for (const key of site.keys) drop(key)
  }

  function find(key: string): DrawnPage | undefined {
    const entry = pages.get(key)
    if (entry === undefined) return undefined
    if (entry.page.isRough) return replace(key, entry)
    // The order of a map is that of insertion: what was used moves to its end.
    pages.delete(key)
    pages.set(key, entry)
    return entry.page
  }

  function replace(key: string, entry: KeptEntry): DrawnPage {
    const page = packWell(entry.page)
    bytes += sizeOf(key, page) - sizeOf(key, entry.page)
    pages.delete(key)
    pages.set(key, { ...entry, page })
    return page
  }

  function keep({ workspaceId, version }: SiteVersion, key: string, page: DrawnPage): void {
    drop(key)
    // One huge page must not drop all others.
    if (sizeOf(key, page) > maxBytes / 8) return
    const known = sites.get(workspaceId) ?? { version, keys: new Set<string>() }
    // The site has changed while the page was drawn.
    if (known.version !== version) return
    sites.set(workspaceId, known)
    known.keys.add(key)
    pages.set(key, { workspaceId, page })
    bytes += sizeOf(key, page)
    for (const oldest of pages.keys()) {
      if (bytes <= maxBytes) break
      drop(oldest)
    }
  }

  return {
    /** The page of a site with this name, which is drawn unless it is here. Only what was found is kept. */
    async read(
      site: SiteVersion,
      name: string,
      draw: () => Promise<DrawnPage>,
    ): Promise<DrawnPage> {
      dropOthersThan(site)
      const key = `${site.workspaceId} ${site.version} ${name}`
      const found = find(key) ?? drawing.get(key)
      if (found) return found
      const drawn = draw()
      drawing.set(key, drawn)
      try {
        const page = await drawn
        if (page.status === 200) keep(site, key, page)
        return page
      } finally {
        drawing.delete(key)
      }
    },
    bytes: () => bytes,
  }
}

export type KeptPages = ReturnType<typeof createKeptPages>
