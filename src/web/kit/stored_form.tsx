import type { ComponentChildren } from 'preact'
import { FormPage } from './form_page.tsx'
import { toastFailure } from './toasts.tsx'
import { type Form, type SaveOptions, useForm } from './use_form.ts'

/** Header that makes the service refuse to overwrite a concurrent change. */
type Condition = { 'If-Match'?: string }

interface StoredFormProps<S extends { etag: string }, T extends object> {
  /** The stored version with its ETag. */
  resource: S
  read: () => Promise<S>
  onRead: (resource: S) => void
  valuesOf: (resource: S) => T
  write: (values: T, header: Condition) => Promise<unknown>
  saveUnchanged?: boolean
  children: (form: Form<T>) => ComponentChildren
}

/** Form for a stored object: written with If-Match, then read again. */
export function StoredForm<S extends { etag: string }, T extends object>(
  props: StoredFormProps<S, T>,
) {
  const { resource, read, onRead, valuesOf, saveUnchanged = false, children } = props
  const form = useForm(valuesOf(resource))
  const refetch = async (submission?: T) => {
    const fresh = await read()
    onRead(fresh)
    form.reset(valuesOf(fresh), submission)
  }
  const write = async (values: T, { overwrite }: SaveOptions) => {
    await props.write(values, overwrite ? {} : { 'If-Match': resource.etag })
    await refetch(values)
  }
  const reload = () => void refetch().catch(toastFailure)
  return <FormPage {...{ form, write, reload, saveUnchanged }}>{children(form)}</FormPage>
}
