import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { texts } from '../language.ts'
import { Dialog } from './dialog.tsx'
import { failureText } from './failures.ts'
import { toast } from './toasts.tsx'
import { useUnsaved } from './unsaved.ts'
import type { Form, SaveOptions } from './use_form.ts'

/** A form's failure, with errors for which the form has no field. */
export function FormFault<T>({ form }: { form: Form<T> }) {
  const t = texts('kit')
  const { failure, conflict } = form
  if (!failure || conflict) return null
  const hasFieldErrors = Object.keys(failure.fieldErrors).length > 0
  const otherErrors = Object.entries(failure.fieldErrors).filter(([name]) => !hasField(name))
  return (
    <div class="banner bad" role="alert">
      <p>{hasFieldErrors && otherErrors.length === 0 ? t('checkFields') : failureText(failure)}</p>
      {otherErrors.map(([name, reason]) => (
        <p key={name}>
          <code>{name}</code> {reason}
        </p>
      ))}
    </div>
  )
}

function hasField(name: string): boolean {
  return document.querySelector(`[name="${CSS.escape(name)}"]`) !== null
}

/** Focuses the first invalid field, after the errors have rendered. */
export function focusFirstError(form: HTMLElement | null): void {
  setTimeout(() => form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(), 0)
}

interface FormPageProps<T> {
  form: Form<T>
  write: (values: T, options: SaveOptions) => Promise<void>
  /** Discards the input and loads the stored version. */
  reload: () => void
  /** Toast after saving; a generic one by default. */
  savedText?: string
  saveLabel?: string
  /** Allows saving without changes, for forms whose first save creates something. */
  saveUnchanged?: boolean
  children: ComponentChildren
}

/**
 * A form with a save bar: shows the service's errors at their fields, asks before unsaved changes
 * are lost, and offers a choice on a write conflict.
 */
export function FormPage<T>(props: FormPageProps<T>) {
  const { form, write, reload, saveUnchanged = false, children } = props
  const t = texts('kit')
  const element = useRef<HTMLFormElement>(null)
  const { dirty, busy } = form
  useUnsaved(dirty)
  const saveDisabled = busy || !(dirty || saveUnchanged)
  const save = async (options?: SaveOptions) => {
    if (await form.save(write, options)) toast(props.savedText ?? t('saved'))
    else focusFirstError(element.current)
  }
  return (
    <form
      ref={element}
      noValidate
      class="form-page"
      onSubmit={(event) => {
        event.preventDefault()
        if (!saveDisabled) void save()
      }}
    >
      <FormFault form={form} />
      {children}
      <div class="save-bar">
        <span class="muted" role="status">
          {dirty ? t('unsaved') : ''}
        </span>
        {/* aria-disabled keeps the focus; `disabled` would drop it. */}
        <button type="submit" class="primary" aria-disabled={saveDisabled}>
          {busy ? t('saving') : (props.saveLabel ?? t('save'))}
        </button>
      </div>
      {form.conflict ? (
        <ConflictDialog
          onClose={form.dismissConflict}
          onTakeTheirs={() => {
            form.dismissConflict()
            reload()
          }}
          onKeepMine={() => void save({ overwrite: true })}
        />
      ) : null}
    </form>
  )
}

interface ConflictProps {
  onClose: () => void
  onTakeTheirs: () => void
  onKeepMine: () => void
}

function ConflictDialog({ onClose, onTakeTheirs, onKeepMine }: ConflictProps) {
  const t = texts('kit')
  return (
    <Dialog title={t('conflictTitle')} onClose={onClose}>
      <p>{t('conflictHint')}</p>
      <footer class="actions">
        <button type="button" onClick={onTakeTheirs}>
          {t('takeTheirs')}
        </button>
        <button type="button" class="primary" onClick={onKeepMine}>
          {t('keepMine')}
        </button>
      </footer>
    </Dialog>
  )
}
