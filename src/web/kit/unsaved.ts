import { useEffect } from 'preact/hooks'
import { useBrowserLocation } from 'wouter-preact/use-browser-location'

type Go = () => void

let unsaved = 0
let ask: (go: Go) => void = (go) => go()

/** Says who asks whether to leave; it calls back when the answer is yes. */
export function whenLeavingUnsaved(asks: (go: Go) => void): void {
  ask = asks
}

/** Leaves the page as it is told, after a question while something on it is not saved. */
export function leave(go: Go): void {
  if (unsaved === 0) return go()
  ask(() => {
    unsaved = 0
    go()
  })
}

let here = location.href
const rememberPlace = () => {
  here = location.href
}
for (const event of ['pushState', 'replaceState']) addEventListener(event, rememberPlace)

// Registered before the router listens: going back is undone until the answer is known.
addEventListener('popstate', (event) => {
  if (unsaved === 0) return rememberPlace()
  const wanted = location.href
  event.stopImmediatePropagation()
  history.pushState(null, '', here)
  leave(() => history.pushState(null, '', wanted))
})

addEventListener('beforeunload', (event) => {
  if (unsaved > 0) event.preventDefault()
})

/** The router's location, whose links ask before they leave something unsaved. */
export const useGuardedLocation: typeof useBrowserLocation = (options) => {
  const [path, navigate] = useBrowserLocation(options)
  const guarded: typeof navigate = (to, how) => leave(() => navigate(to, how))
  return [path, guarded]
}

/** Marks the page as having something that is not saved, for as long as it is so. */
export function useUnsaved(dirty: boolean): void {
  useEffect(() => {
    if (!dirty) return
    unsaved += 1
    return () => {
      unsaved = Math.max(0, unsaved - 1)
    }
  }, [dirty])
}

/** What was unsaved has just been saved, or thrown away on purpose: the next step leaves freely. */
export function forgetUnsaved(): void {
  unsaved = 0
}
