import { useEffect } from 'preact/hooks'

/** The last address of each list in this tab, with page, filters and sorting. */
const addresses = new Map<string, string>()
/** Where each address was scrolled to. */
const offsets = new Map<string, number>()

/** The rows of each list in this tab, as they were shown last. */
const rows = new Map<string, readonly string[]>()

const here = (): string => location.pathname + location.search

/** A list's own path, or its address as it was left. */
export function lastAddressOf(path: string): string {
  return addresses.get(path) ?? path
}

/** Keeps the order of a list's rows for the pages of its rows. */
export function rememberRows(path: string, ids: readonly string[]): void {
  rows.set(path, ids)
}

/** The row after another one in the list; undefined if it is the last, or the list was not seen. */
export function rowAfter(path: string, id: string): string | undefined {
  const ids = rows.get(path) ?? []
  const at = ids.indexOf(id)
  return at < 0 ? undefined : ids[at + 1]
}

let isReturn = false
/** The address in the bar, and the path that is drawn: between the two, the page is changing. */
let current = here()
let drawnPath = ''

/** The next navigation leads back to a list: restore where it was scrolled to. */
export function markReturn(): void {
  isReturn = true
}

addEventListener('popstate', markReturn)
// At once: a page that shrinks while it changes must not overwrite the position it was left at.
for (const event of ['pushState', 'replaceState', 'popstate'])
  addEventListener(event, () => {
    current = here()
  })
history.scrollRestoration = 'manual'
addEventListener('scroll', () => offsets.set(current, scrollY), { passive: true })

/** Gives up when the person scrolls, or the page never grows tall enough again. */
const restoreMilliseconds = 3000

/**
 * A new page begins at its top; a page that is returned to, where it was left, as soon as its data
 * have made it tall enough.
 */
export function useScrollMemory(path: string, search: string): void {
  useEffect(() => {
    const address = search === '' ? path : `${path}?${search}`
    // Filters and paging change the address, too, and manage the position themselves.
    const isSamePage = drawnPath === path && !isReturn
    const target = isReturn ? (offsets.get(address) ?? 0) : 0
    drawnPath = path
    isReturn = false
    addresses.set(path, address)
    if (isSamePage) return
    return restore(target)
  }, [path, search])
}

function restore(target: number): () => void {
  const attempt = () => {
    scrollTo(0, target)
    if (Math.abs(scrollY - target) < 2) stop()
  }
  const observer = new ResizeObserver(attempt)
  const stop = () => {
    observer.disconnect()
    clearTimeout(timeout)
    removeEventListener('wheel', stop)
    removeEventListener('touchmove', stop)
    removeEventListener('keydown', stop)
  }
  const timeout = setTimeout(stop, restoreMilliseconds)
  addEventListener('wheel', stop, { passive: true })
  addEventListener('touchmove', stop, { passive: true })
  addEventListener('keydown', stop)
  observer.observe(document.body)
  attempt()
  return stop
}
