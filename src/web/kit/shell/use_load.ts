import { type Inputs, useCallback, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Failure } from '../../api.ts'

/** State of a request. */
export interface Load<T> {
  /** The last answer, kept while a newer one loads. */
  value: T | undefined
  failure: Failure | undefined
  loading: boolean
  reload: () => void
  /** Sets a known value, such as the answer to a write. */
  set: (value: T) => void
}

/** Loads on mount and whenever an input changes; stale answers are dropped. */
export function useLoad<T>(load: (signal: AbortSignal) => Promise<T>, inputs: Inputs): Load<T> {
  const [state, setState] = useState<{ value?: T; failure?: Failure; loading: boolean }>({
    loading: true,
  })
  const [attempt, setAttempt] = useState(0)
  const latest = useRef(load)
  latest.current = load
  const isShown = useRef(false)

  // The first time before the browser paints, so that a slow one asks first; then after it has shown what
  // a touch has changed.
  useLayoutEffect(() => {
    const controller = new AbortController()
    setState((before) => (before.loading ? before : { ...before, loading: true }))
    const ask = () =>
      latest.current(controller.signal).then(
        (value) => controller.signal.aborted || setState({ value, loading: false }),
        (error: unknown) => {
          if (controller.signal.aborted) return
          const failure = asFailure(error)
          setState((before) => ({ ...before, failure, loading: false }))
        },
      )
    const timer = isShown.current ? setTimeout(ask) : void ask()
    isShown.current = true
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [...inputs, attempt])

  return {
    value: state.value,
    failure: state.failure,
    loading: state.loading,
    reload: useCallback(() => setAttempt((count) => count + 1), []),
    set: useCallback((value: T) => setState({ value, loading: false }), []),
  }
}

/** Wraps errors of the page itself as a Failure, and logs them to the console. */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  console.error(error)
  return new Failure({ status: 0, code: 'internal', message: String(error) })
}
