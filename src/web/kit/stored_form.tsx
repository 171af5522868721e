import type { ComponentChildren } from 'preact'
import { FormPage } from './form_page.tsx'
import { toastFailure } from './toasts.tsx'
import { type Form, type SaveOptions, useForm } from './use_form.ts'

/** Header that makes the service refuse to overwrite a concurrent change. */
type Condition = { 'If-Match'?: string }

interface StoredFormProps<S extends { etag: string }, T extends object> {
  /** The stored version with its ETag. */
  stored: S
  read: () => Promise<S>
  onRead: (stored: S) => void
  valuesOf: (stored: S) => T
  write: (values: T, header: Condition) => Promise<unknown>
  saveUnchanged?: boolean
  children: (form: Form<T>) => ComponentChildren
}

/** Form for a stored object: written with If-Match, then read again. */
export function StoredForm<S extends { etag: string }, T extends object>(
  props: StoredFormProps<S, T>,
) {
  const { stored, read, onRead, valuesOf, saveUnchanged = false, children } = props
  const form = useForm(valuesOf(stored))
  const take = async (sent?: T) => {
    const fresh = await read()
    onRead(fresh)
    form.reset(valuesOf(fresh), sent)
  }
  const write = async (values: T, { overwrite }: SaveOptions) => {
    await props.write(values, overwrite ? {} : { 'If-Match': stored.etag })
    await take(values)
  }
  const reload = () => void take().catch(toastFailure)
  return <FormPage {...{ form, write, reload, saveUnchanged }}>{children(form)}</FormPage>
}
