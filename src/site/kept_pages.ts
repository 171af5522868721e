/** An answer, ready to be sent. */
export interface KeptPage {
  type: string
  etag: string
  plain: Buffer
  /** Compressed once, when it was drawn. */
  brotli: Buffer | undefined
  policy: string | undefined
  isListed: boolean
}

/** Bytes of pages that a process keeps. */
const defaultBytes = 64 * 1024 * 1024

/** A site, and the version of what its pages show. */
interface SiteVersion {
  workspaceId: string
  version: string
}

interface Entry {
  workspaceId: string
  page: KeptPage
}

/**
 * Pages in memory, the one unused for longest dropped first. Once a site is asked for in another version, no
 * visitor asks for its pages of the one before, and they go at once.
 */
export function createKeptPages(maxBytes = defaultBytes) {
  const pages = new Map<string, Entry>()
  /** Of each site, the version of its pages and their keys. */
  const sites = new Map<string, { version: string; keys: Set<string> }>()
  let bytes = 0
  const keyOf = ({ workspaceId, version }: SiteVersion, key: string) =>
    `${workspaceId} ${version} ${key}`
  const sizeOf = (key: string, { plain, brotli }: KeptPage) =>
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

  return {
    find(site: SiteVersion, name: string): KeptPage | undefined {
      dropOthersThan(site)
      const key = keyOf(site, name)
      const entry = pages.get(key)
      if (entry === undefined) return undefined
      // The order of a map is that of insertion: what was used moves to its end.
      pages.delete(key)
      pages.set(key, entry)
      return entry.page
    },
    keep(site: SiteVersion, name: string, page: KeptPage): void {
      const { workspaceId, version } = site
      const key = keyOf(site, name)
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
    },
    bytes: () => bytes,
  }
}

export type KeptPages = ReturnType<typeof createKeptPages>
