import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { texts } from '../../language.ts'
import { ConflictDialog } from './conflict_dialog.tsx'
import { useDraft } from './drafts.ts'
import { failureText } from '../shell/failures.ts'
import type { Clash } from './merge.ts'
import { PendingContext, usePending } from './pending.ts'
import { toast } from '../shell/toasts.tsx'
import { useUnsaved } from './unsaved.ts'
import type { Form } from './use_form.ts'

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
        <p key={name}>{reason}</p>
      ))}
    </div>
  )
}

/** A list in one field, such as a link on each line, has the errors of its items. */
function hasField(name: string): boolean {
  const names = [name, name.replace(/\.\d+$/, '')]
  return names.some((one) => document.querySelector(`[name="${CSS.escape(one)}"]`) !== null)
}

/** Focuses the first invalid field, after the errors have rendered. */
export function focusFirstError(form: HTMLElement | null): void {
  setTimeout(() => form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(), 0)
}

interface FormPageProps<T> {
  form: Form<T>
  /** Tells the drafts of one page's forms apart. */
  draft: string
  write: (values: T) => Promise<void>
  /** Fields that somebody else changed as well, after a conflict. */
  clashes?: Clash<T>[]
  /** Who changed them. */
  clashesWith?: string | undefined
  /** Decides a conflict: takes the other side's values of these fields. */
  resolve?: (theirKeys: ReadonlySet<string>) => void
  /** Toast after saving; without one, the save bar says that it is saved. */
  savedText?: string
  saveLabel?: string
  /** Allows saving without changes, for forms whose first save creates something. */
  saveUnchanged?: boolean
  children: ComponentChildren
}

/**
 * A form with a save bar: shows the service's errors at their fields, waits for uploads, keeps what
 * is typed over a reload, asks before it is lost, and lets the person decide a write conflict.
 */
export function FormPage<T extends object>(props: FormPageProps<T>) {
  const { form, write, clashes = [], saveUnchanged = false, children } = props
  const t = texts('kit')
  const element = useRef<HTMLFormElement>(null)
  const pending = usePending()
  const draft = useDraft(form, props.draft)
  const [note, setNote] = useState<'saved' | 'waiting' | 'uploadFailed' | undefined>()
  const mounted = useMounted()
  const { dirty, busy } = form
  const hasChanges = dirty || pending.count > 0
  useUnsaved(hasChanges)
  const isBusy = busy || note === 'waiting'
  const saveDisabled = isBusy || !(hasChanges || saveUnchanged)
  const confirm = () => {
    // A page that is gone by now cannot say it.
    if (props.savedText !== undefined) toast(props.savedText)
    else if (mounted.current) setNote('saved')
    else toast(t('saved'))
  }
  const save = async () => {
    setNote(pending.count > 0 ? 'waiting' : undefined)
    const arrived = await pending.settle()
    setNote(arrived ? undefined : 'uploadFailed')
    if (!arrived) return
    if (await form.save(write)) confirm()
    else focusFirstError(element.current)
  }
  const resolve = (theirKeys: ReadonlySet<string>) => {
    form.dismissConflict()
    props.resolve?.(theirKeys)
    void save()
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
      onInput={() => setNote((now) => (now === 'saved' ? undefined : now))}
    >
      <PendingContext.Provider value={pending}>{children}</PendingContext.Provider>
      <div class="save-bar">
        <FormFault form={form} />
        {note === 'uploadFailed' ? (
          <p class="banner bad" role="alert">
            {t('uploadFailed')}
          </p>
        ) : null}
        <span class="muted" role="status">
          {statusOf(note, { isDirty: dirty, isRestored: draft.isRestored, count: pending.count })}
        </span>
        {draft.isRestored ? (
          <button type="button" class="link" onClick={draft.discard}>
            {t('discardDraft')}
          </button>
        ) : null}
        {/* aria-disabled keeps the focus; `disabled` would drop it. */}
        <button type="submit" class="primary" aria-disabled={saveDisabled}>
          {isBusy ? t('saving') : (props.saveLabel ?? t('save'))}
        </button>
      </div>
      {form.conflict && clashes.length > 0 ? (
        <ConflictDialog
          form={element.current}
          clashes={clashes}
          by={props.clashesWith}
          action={t('saveChoice')}
          onClose={form.dismissConflict}
          onChoose={resolve}
        />
      ) : null}
      {draft.clashes.length > 0 ? (
        <ConflictDialog
          form={element.current}
          clashes={draft.clashes}
          action={t('takeChoice')}
          onClose={draft.forget}
          onChoose={(theirKeys) => {
            for (const { key } of draft.clashes)
              if (theirKeys.has(key)) form.set(key, form.saved[key])
            draft.forget()
          }}
        />
      ) : null}
    </form>
  )
}

interface Progress {
  isDirty: boolean
  isRestored: boolean
  /** Uploads under way. */
  count: number
}

function statusOf(note: string | undefined, { isDirty, isRestored, count }: Progress): string {
  const t = texts('kit')
  if (note === 'waiting') return t('waitingForUploads', { count })
  if (isRestored) return t('draftRestored')
  if (isDirty) return t('unsaved')
  return note === 'saved' ? t('saved') : ''
}

function useMounted(): { readonly current: boolean } {
  const mounted = useRef(true)
  useEffect(
    () => () => {
      mounted.current = false
    },
    [],
  )
  return mounted
}
