import { useEffect } from 'preact/hooks'
import { useBrowserLocation } from 'wouter-preact/use-browser-location'

type Go = () => void

let unsaved = 0
let confirmLeave: (go: Go) => void = (go) => go()

/** Sets the handler that asks whether to leave; it calls back on yes. */
export function setLeaveHandler(handler: (go: Go) => void): void {
  confirmLeave = handler
}

/** Runs the navigation, after a confirmation if there are unsaved changes. */
export function leave(go: Go): void {
  if (unsaved === 0) return go()
  confirmLeave(() => {
    unsaved = 0
    go()
  })
}

let currentUrl = location.href
const rememberUrl = () => {
  currentUrl = location.href
}
for (const event of ['pushState', 'replaceState']) addEventListener(event, rememberUrl)

// Registered before the router's listener: undoes going back until the user has answered.
addEventListener('popstate', (event) => {
  if (unsaved === 0) return rememberUrl()
  const targetUrl = location.href
  event.stopImmediatePropagation()
  history.pushState(null, '', currentUrl)
  leave(() => history.pushState(null, '', targetUrl))
})

addEventListener('beforeunload', (event) => {
  if (unsaved > 0) event.preventDefault()
})

/** The router's location hook; its navigation asks before discarding unsaved changes. */
export const useGuardedLocation: typeof useBrowserLocation = (options) => {
  const [path, navigate] = useBrowserLocation(options)
  const guardedNavigate: typeof navigate = (to, how) => leave(() => navigate(to, how))
  return [path, guardedNavigate]
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
