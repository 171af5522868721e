import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { Failure } from '../api.ts'
import { Dialog } from '../kit/shell/dialog.tsx'
import { focusFirstError, FormFault } from '../kit/forms/form_fault.tsx'
import type { Form } from '../kit/forms/use_form.ts'
import { texts } from '../language.ts'

interface FormDialogProps<T> {
  title: string
  form: Form<T>
  action: string
  write: (values: T) => Promise<void>
  onClose: () => void
  children: ComponentChildren
}

/** A short form in a dialog that closes on success. */
export function FormDialog<T>(props: FormDialogProps<T>) {
  const { title, form, action, write, onClose, children } = props
  const t = texts('kit')
  const element = useRef<HTMLFormElement>(null)
  const save = async () => {
    if (await form.save(write)) onClose()
    else focusFirstError(element.current)
  }
  return (
    <Dialog title={title} onClose={onClose} dirty={form.dirty}>
      <form
        ref={element}
        noValidate
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <FormFault form={form} />
        {children}
        <footer class="actions">
          <button type="button" onClick={onClose}>
            {t('cancel')}
          </button>
          <button type="submit" class="primary" disabled={form.busy}>
            {form.busy ? t('saving') : action}
          </button>
        </footer>
      </form>
    </Dialog>
  )
}

/** Parses a typed whole number. Its range is checked by the service. */
export function wholeNumber(field: string, text: string): number {
  if (/^\s*[+-]?\d+\s*$/.test(text)) return Number(text)
  const message = texts('admin')('wholeNumber')
  throw new Failure({
    status: 400,
    code: 'invalid_input',
    message,
    fieldErrors: { [field]: message },
  })
}
