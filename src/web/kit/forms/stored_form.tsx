import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Failure } from '../../api.ts'
import type { InWords } from './conflict_dialog.tsx'
import { FormPage } from './form_page.tsx'
import { type Clash, mergeChanges } from './merge.ts'
import { type Form, useForm } from './use_form.ts'

/** Header that makes the service refuse to overwrite a concurrent change. */
type Condition = { 'If-Match'?: string }

interface StoredFormProps<S extends { etag: string }, T extends object> {
  /** Tells the forms of one page apart. */
  draft: string
  /** The stored version with its ETag. */
  resource: S
  read: () => Promise<S>
  onRead: (resource: S) => void
  valuesOf: (resource: S) => T
  /** Writes over the version `stored`, or is refused with a conflict. */
  write: (values: T, header: Condition, stored: S) => Promise<unknown>
  /** Who wrote the stored version, where that can be known. */
  changedBy?: () => Promise<string | undefined>
  /** Words for values that are names of the contract. */
  inWords?: InWords
  saveUnchanged?: boolean
  children: (form: Form<T>) => ComponentChildren
}

interface Conflict<S, T> {
  fresh: S
  clashes: Clash<T>[]
  by: string | undefined
}

/** Concurrent changes that one save merges before it gives up. */
const maxMerges = 5

/**
 * Form for a stored object: written with If-Match, then read again. Concurrent changes to other
 * fields are kept; the person decides about fields that both sides changed.
 */
export function StoredForm<S extends { etag: string }, T extends object>(
  props: StoredFormProps<S, T>,
) {
  const { draft, resource, read, onRead, valuesOf, saveUnchanged = false, children } = props
  const form = useForm(valuesOf(resource))
  const stored = useRef(resource)
  const [conflict, setConflict] = useState<Conflict<S, T> | undefined>()
  // The page has read a newer version: go on from it, unless that would hide a clash from the save.
  useEffect(() => {
    if (resource === stored.current) return
    const theirs = valuesOf(resource)
    if (mergeChanges(form.saved, form.current(), theirs).clashes.length > 0) return
    stored.current = resource
    form.reset(theirs, form.saved)
  }, [resource])

  const take = (fresh: S) => {
    stored.current = fresh
    onRead(fresh)
  }
  const write = async (submission: T) => {
    let [version, values] = [stored.current, submission]
    for (let merges = 0; ; merges++) {
      try {
        await props.write(values, { 'If-Match': version.etag }, version)
        break
      } catch (error) {
        if (!isConflict(error) || merges === maxMerges) throw error
        const fresh = await read()
        const merge = mergeChanges(valuesOf(version), values, valuesOf(fresh))
        if (merge.clashes.length > 0) {
          setConflict({ fresh, clashes: merge.clashes, by: await props.changedBy?.() })
          throw error
        }
        ;[version, values] = [fresh, merge.values]
      }
    }
    const fresh = await read()
    take(fresh)
    form.reset(valuesOf(fresh), submission)
  }
  /** Goes on from their version, with my other changes and my value where I chose it. */
  const resolve = (theirKeys: ReadonlySet<string>) => {
    if (!conflict) return
    const theirs = valuesOf(conflict.fresh)
    form.reset(theirs, valuesOf(stored.current))
    for (const key of Object.keys(theirs) as (keyof T & string)[])
      if (theirKeys.has(key)) form.set(key, theirs[key])
    take(conflict.fresh)
  }
  return (
    <FormPage
      {...{ form, draft, write, resolve, saveUnchanged }}
      clashes={conflict?.clashes ?? []}
      clashesWith={conflict?.by}
      inWords={props.inWords}
    >
      {children(form)}
    </FormPage>
  )
}

function isConflict(error: unknown): boolean {
  return error instanceof Failure && error.code === 'write_conflict'
}
