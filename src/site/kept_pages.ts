import { type Packed, packWell } from './packing.ts'

/** An answer, ready to be sent. */
export interface DrawnPage extends Packed {
  status: number
  type: string
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
  version: string
  page: DrawnPage
}

/**
 * Pages in memory, each as it was drawn last; the one unused for longest is dropped first. Most are the same
 * in the next version of their site: then what is drawn is compared with what is here, and not packed again.
 */
export function createKeptPages(maxBytes = defaultBytes) {
  const pages = new Map<string, KeptEntry>()
  /** Pages that are being drawn: those who ask meanwhile wait for the same one. */
  const drawing = new Map<string, Promise<DrawnPage>>()
  let bytes = 0
  const sizeOf = (key: string, { plain, brotli }: DrawnPage) =>
    2 * key.length + plain.length + (brotli?.length ?? 0) + 500

  function drop(key: string): void {
    const entry = pages.get(key)
    if (entry === undefined) return
    pages.delete(key)
    bytes -= sizeOf(key, entry.page)
  }

  /** Inserts it at the end of the map, whose order is that of insertion. */
  function insert(key: string, entry: KeptEntry): void {
    drop(key)
    pages.set(key, entry)
    bytes += sizeOf(key, entry.page)
  }

  function find(key: string, version: string): DrawnPage | undefined {
    const entry = pages.get(key)
    if (entry?.version !== version) return undefined
    const page = packWell(entry.page)
    insert(key, { version, page })
    return page
  }

  function keep(key: string, entry: KeptEntry): void {
    // One huge page must not drop all others.
    if (sizeOf(key, entry.page) > maxBytes / 8) return drop(key)
    insert(key, entry)
    for (const oldest of pages.keys()) {
      if (bytes <= maxBytes) break
      drop(oldest)
    }
  }

  return {
    /**
     * The page of a site with this name. It is drawn unless it is here in this version; `draw` gets the page
     * of an earlier one. Only what was found is kept.
     */
    async read(
      { workspaceId, version }: SiteVersion,
      name: string,
      draw: (earlier?: DrawnPage) => Promise<DrawnPage>,
    ): Promise<DrawnPage> {
      const key = `${workspaceId} ${name}`
      const underway = `${version} ${key}`
      const found = find(key, version) ?? drawing.get(underway)
      if (found) return found
      const drawn = draw(pages.get(key)?.page)
      drawing.set(underway, drawn)
      try {
        const page = await drawn
        if (page.status === 200) keep(key, { version, page })
        else drop(key)
        return page
      } finally {
        drawing.delete(underway)
      }
    },
    bytes: () => bytes,
  }
}

export type KeptPages = ReturnType<typeof createKeptPages>
