import { useEffect } from 'preact/hooks'
import { useBrowserLocation } from 'wouter-preact/use-browser-location'

type Go = () => void

let unsaved = 0
let ask: (go: Go) => void = (go) => go()

/** Sets the handler that asks whether to leave; it calls back on yes. */
export function whenLeavingUnsaved(asks: (go: Go) => void): void {
  ask = asks
}

/** Runs the navigation, after a confirmation if there are unsaved changes. */
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

// Registered before the router's listener: undoes going back until the user has answered.
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

/** The router's location hook; its navigation asks before discarding unsaved changes. */
export const useGuardedLocation: typeof useBrowserLocation = (options) => {
  const [path, navigate] = useBrowserLocation(options)
  const guarded: typeof navigate = (to, how) => leave(() => navigate(to, how))
  return [path, guarded]
}

/** Marks the page as having unsaved changes while `dirty`. */
export function useUnsaved(dirty: boolean): void {
  useEffect(() => {
    if (!dirty) return
    unsaved += 1
    return () => {
      unsaved = Math.max(0, unsaved - 1)
    }
  }, [dirty])
}

/** Allows the next navigation without asking: the changes were saved or discarded. */
export function forgetUnsaved(): void {
  unsaved = 0
}
