import { useRef, useState } from 'preact/hooks'
import { Failure } from '../../api.ts'
import { changesSince } from './merge.ts'
import { asFailure } from '../shell/use_load.ts'

/** Keys of string values. */
type TextKey<T> = { [K in keyof T]: T[K] extends string ? K : never }[keyof T] & string

export interface Form<T> {
  values: T
  /** The values as they are stored. */
  saved: T
  /** The latest values, for callbacks that outlive their render. */
  current: () => T
  set: <K extends keyof T>(key: K, value: T[K]) => void
  /** Sets the saved values. Input typed since `submission` was sent is kept. */
  reset: (values: T, submission?: T) => void
  /** Puts in values that are not saved yet. */
  fill: (values: T) => void
  dirty: boolean
  busy: boolean
  /** The service's errors, by field path in the contract. */
  errors: Record<string, string>
  failure: Failure | undefined
  /** Whether the last save lost to a concurrent change. */
  conflict: boolean
  /** Props for a text field. */
  text: (key: TextKey<T>) => {
    name: string
    value: string
    onInput: (value: string) => void
    error: string | undefined
  }
  /** Saves; resolves to whether it succeeded. */
  save: (write: (values: T) => Promise<void>) => Promise<boolean>
  dismissConflict: () => void
}

interface SendOutcome {
  busy: boolean
  failure?: Failure
}

/** Form state: values, the service's errors, and whether there are unsaved changes. */
export function useForm<T extends object>(initial: T): Form<T> {
  const [saved, setSaved] = useState(initial)
  const [values, setValues] = useState(initial)
  const [{ busy, failure }, setOutcome] = useState<SendOutcome>({ busy: false })
  const latest = useRef(values)
  latest.current = values
  const conflict = failure?.code === 'write_conflict'
  const errors = failure && !conflict ? failure.fieldErrors : {}

  const set: Form<T>['set'] = (key, value) => {
    latest.current = { ...latest.current, [key]: value }
    setValues(latest.current)
    // A changed field's error is outdated.
    setOutcome((outcome) => withoutErrorsAt(String(key), outcome))
  }
  const reset = (next: T, submission = latest.current) => {
    latest.current = { ...next, ...changesSince(submission, latest.current) }
    setSaved(next)
    setValues(latest.current)
    setOutcome({ busy: false })
  }
  const fill = (next: T) => {
    latest.current = next
    setValues(next)
    // No field has the value any more that was refused.
    setOutcome((outcome) => (hasFieldErrors(outcome) ? { busy: outcome.busy } : outcome))
  }
  const save: Form<T>['save'] = async (write) => {
    setOutcome({ busy: true })
    const submission = latest.current
    try {
      await write(submission)
      setSaved((before) => (latest.current === submission ? submission : before))
      setOutcome({ busy: false })
      return true
    } catch (error) {
      setOutcome({ busy: false, failure: asFailure(error) })
      return false
    }
  }
  return {
    current: () => latest.current,
    values,
    saved,
    set,
    reset,
    fill,
    busy,
    errors,
    failure,
    conflict,
    save,
    dirty: JSON.stringify(values) !== JSON.stringify(saved),
    dismissConflict: () => setOutcome({ busy: false }),
    text: (key) => ({
      name: key,
      value: values[key] as string,
      onInput: (value) => set(key, value as T[typeof key]),
      error: errors[key],
    }),
  }
}

const hasFieldErrors = ({ failure }: SendOutcome): boolean =>
  failure !== undefined && Object.keys(failure.fieldErrors).length > 0

function withoutErrorsAt(key: string, outcome: SendOutcome): SendOutcome {
  const { failure } = outcome
  if (!failure) return outcome
  const all = Object.entries(failure.fieldErrors)
  const remaining = all.filter(([name]) => name !== key && !name.startsWith(`${key}.`))
  if (remaining.length === all.length) return outcome
  if (remaining.length === 0) return { busy: outcome.busy }
  const { status, code, message, retryAfter } = failure
  const fieldErrors = Object.fromEntries(remaining)
  return { ...outcome, failure: new Failure({ status, code, message, fieldErrors }, retryAfter) }
}
