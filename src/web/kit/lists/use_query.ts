import { useSearch } from 'wouter-preact'
import { useLocation } from 'wouter-preact'

/**
 * Keeps a list's state in the page's address, so that it survives a reload, the back button and
 * sharing the link. Default values are omitted.
 */
export function useQuery<T extends Record<string, string>>(
  defaults: T,
): [T, (change: Partial<T>) => void] {
  const search = new URLSearchParams(useSearch())
  const [path, navigate] = useLocation()
  const entries = Object.entries(defaults).map(([name, value]) => [name, search.get(name) ?? value])
  const state = Object.fromEntries(entries) as T
  const change = (next: Partial<T>) => {
    // Any other change returns to the first page.
    const first = 'page' in next ? {} : { page: defaults['page'] }
    const merged = { ...state, ...first, ...next }
    const parameters = Object.entries(merged).filter(
      ([name, value]) => value !== undefined && value !== defaults[name],
    )
    const query = new URLSearchParams(parameters as [string, string][]).toString()
    navigate(query ? `${path}?${query}` : path, { replace: true })
  }
  return [state, change]
}
