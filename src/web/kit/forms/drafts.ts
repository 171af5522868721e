import { useEffect, useRef, useState } from 'preact/hooks'
import { type Clash, mergeChanges } from './merge.ts'
import type { Form } from './use_form.ts'

const prefix = 'vitrine-draft'
const pauseMilliseconds = 400

let owner: string | undefined

/** Drafts are kept under an account or staff address, so that another one in this browser never sees them. */
export function setDraftOwner(person: string | undefined): void {
  owner = person
}

let isCleared = false

/** Forgets every draft in this tab, and keeps no more until the page is loaded again: the person signs out. */
export function clearDrafts(): void {
  // The form is still there when the page is left, and would be kept once more.
  isCleared = true
  try {
    const keys = Object.keys(sessionStorage).filter((key) => key.startsWith(prefix))
    for (const key of keys) sessionStorage.removeItem(key)
  } catch {
    // Storage may be blocked; then there are no drafts.
  }
}

/** The key of what this tab keeps for the account until it signs out. */
export function keptKey(name: string): string {
  return `${prefix}:${owner}:${name}`
}

export function readKept<T>(key: string): T | undefined {
  try {
    const text = sessionStorage.getItem(key)
    return text === null ? undefined : (JSON.parse(text) as T)
  } catch {
    return undefined
  }
}

export function keep<T>(key: string, value: T | undefined): void {
  try {
    if (value === undefined) sessionStorage.removeItem(key)
    else if (!isCleared) sessionStorage.setItem(key, JSON.stringify(value))
  } catch {
    // Storage may be blocked or full; a draft is only a second net.
  }
}

/** What was typed, and the stored values that it was typed over. */
interface TypedDraft<T> {
  base: T
  values: T
}

export interface RestoredDraft<T> {
  /** What was stored by others since, in fields that the draft changes too. */
  clashes: Clash<T>[]
  /** Whether the form still holds the draft. */
  isRestored: boolean
  /** Keeps what the draft brought, and asks no more about it. */
  forget: () => void
  /** Puts back what is stored; what is typed next is no draft any more. */
  discard: () => void
}

/**
 * Keeps what is typed into a form in this tab until it is saved or discarded, and puts it back after
 * a reload. Per tab, so that two tabs with one page do not overwrite each other's.
 */
export function useDraft<T extends object>(form: Form<T>, name: string): RestoredDraft<T> {
  const key = useRef(keptKey(`${location.pathname}:${name}`)).current
  const [restored, setRestored] = useState<Clash<T>[] | undefined>()
  const latest = useRef(form)
  latest.current = form
  const wasDirty = useRef(false)
  const { dirty, values } = form

  useEffect(() => {
    const draft = readKept<TypedDraft<T>>(key)
    if (!draft) return
    keep(key, undefined)
    const { values: merged, clashes } = mergeChanges(draft.base, draft.values, latest.current.saved)
    latest.current.fill(merged)
    setRestored(clashes)
  }, [])

  const keepTyped = () => {
    const { dirty: isDirty, saved, current } = latest.current
    if (isDirty) keep(key, { base: saved, values: current() })
  }

  // From the start: a page may be left before the effect of the last input.
  useEffect(() => {
    addEventListener('pagehide', keepTyped)
    return () => removeEventListener('pagehide', keepTyped)
  }, [])

  useEffect(() => {
    if (!dirty) {
      // Not before the first input: a draft may be about to fill the form.
      if (wasDirty.current) keep(key, undefined)
      return
    }
    wasDirty.current = true
    const timeout = setTimeout(keepTyped, pauseMilliseconds)
    return () => clearTimeout(timeout)
  }, [dirty, values])

  // Leaving the page was confirmed, or everything was saved.
  useEffect(() => () => keep(key, undefined), [])

  return {
    clashes: restored ?? [],
    isRestored: restored !== undefined && dirty,
    forget: () => setRestored([]),
    discard: () => {
      latest.current.fill(latest.current.saved)
      setRestored(undefined)
    },
  }
}
