import { useLayoutEffect } from 'preact/hooks'
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

/** Position in the tab's history, kept in each entry, so that a step can be taken back exactly. */
const positionOf = (): number => (history.state as { position?: number } | null)?.position ?? 0
let position = positionOf()

/** Without the router's event: nothing has moved. */
function markEntry(next: number): void {
  position = next
  const state = { ...(history.state as object | null), position }
  History.prototype.replaceState.call(history, state, '')
}
addEventListener('pushState', () => markEntry(position + 1))
addEventListener('replaceState', () => markEntry(position))

/** The step that was taken back and waits for the person's answer. */
let heldSteps = 0

// Registered before the router's listener: takes the step back until the person has answered.
addEventListener('popstate', (event) => {
  if (heldSteps !== 0) {
    const steps = heldSteps
    heldSteps = 0
    event.stopImmediatePropagation()
    return leave(() => history.go(steps))
  }
  const steps = positionOf() - position
  if (unsaved === 0 || steps === 0) {
    position = positionOf()
    return
  }
  event.stopImmediatePropagation()
  heldSteps = steps
  history.go(-steps)
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
  // Before the next event: even the quickest Back must find it.
  useLayoutEffect(() => {
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
