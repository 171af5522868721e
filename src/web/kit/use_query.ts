import { useSearch } from 'wouter-preact'
import { useLocation } from 'wouter-preact'

/**
 * The state of a list in the page's own address, so that it survives a reload, the back button and
 * being sent to a colleague. What equals its default is left out.
 */
export function useQuery<T extends Record<string, string>>(
  defaults: T,
): [T, (change: Partial<T>) => void] {
  const search = new URLSearchParams(useSearch())
  const [path, navigate] = useLocation()
  const entries = Object.entries(defaults).map(([name, value]) => [name, search.get(name) ?? value])
  const state = Object.fromEntries(entries) as T
  const change = (next: Partial<T>) => {
    // Any other change begins at the first page again.
    const first = 'page' in next ? {} : { page: defaults['page'] }
    const merged = { ...state, ...first, ...next }
    const kept = Object.entries(merged).filter(
      ([name, value]) => value !== undefined && value !== defaults[name],
    )
    const query = new URLSearchParams(kept as [string, string][]).toString()
    navigate(query ? `${path}?${query}` : path, { replace: true })
  }
  return [state, change]
}
