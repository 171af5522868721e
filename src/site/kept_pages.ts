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

/**
 * Pages in memory, by key, the one unused for longest dropped first. A key has the version of the site,
 * so a page needs no removal when something changes: nobody asks for it any more.
 */
export function createKeptPages(maxBytes = defaultBytes) {
  const pages = new Map<string, KeptPage>()
  let bytes = 0
  const sizeOf = (key: string, { plain, brotli }: KeptPage) =>
    2 * key.length + plain.length + (brotli?.length ?? 0) + 500

  function drop(key: string): void {
    const page = pages.get(key)
    if (page === undefined) return
    pages.delete(key)
    bytes -= sizeOf(key, page)
  }

  return {
    find(key: string): KeptPage | undefined {
      const page = pages.get(key)
      if (page === undefined) return undefined
      // The order of a map is that of insertion: what was used moves to its end.
      pages.delete(key)
      pages.set(key, page)
      return page
    },
    keep(key: string, page: KeptPage): void {
      drop(key)
      // One huge page must not drop all others.
      if (sizeOf(key, page) > maxBytes / 8) return
      pages.set(key, page)
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
