import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { texts } from '../../language.ts'
import { ConflictDialog, type InWords } from './conflict_dialog.tsx'
import { useDraft } from './drafts.ts'
import { focusFirstError } from './form_fault.tsx'
import type { Clash } from './merge.ts'
import { PendingContext, usePending } from './pending.ts'
import { useSaveBar } from './save_bar.tsx'
import { toast } from '../shell/toasts.tsx'
import { useUnsaved } from './unsaved.ts'
import type { Form } from './use_form.ts'

interface FormPageProps<T> {
  form: Form<T>
  /** Tells the drafts of one page's forms apart. */
  draft: string
  write: (values: T) => Promise<void>
  /** Fields that somebody else changed as well, after a conflict. */
  clashes?: Clash<T>[]
  /** Who changed them. */
  clashesWith?: string | undefined
  /** Words for values of the clashing fields. */
  inWords?: InWords | undefined
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
 * A form that the bar of its page saves: shows the service's errors at their fields, waits for uploads,
 * keeps what is typed over a reload, asks before it is lost, and lets the person decide a write conflict.
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
  const canSave = !isBusy && (hasChanges || saveUnchanged)
  const confirm = () => {
    // A page that is gone by now cannot say it.
    if (props.savedText !== undefined) toast(props.savedText)
    else if (mounted.current) setNote('saved')
    else toast(t('saved'))
  }
  const save = async () => {
    setNote(pending.count > 0 ? 'waiting' : undefined)
    const arrived = await pending.wait()
    setNote(arrived ? undefined : 'uploadFailed')
    const isSaved = arrived && (await form.save(write))
    if (isSaved) confirm()
    else if (arrived) focusFirstError(element.current)
    return isSaved
  }
  const resolve = (theirKeys: ReadonlySet<string>) => {
    form.dismissConflict()
    props.resolve?.(theirKeys)
    void save()
  }
  const saveAll = useSaveBar(
    {
      dirty,
      failure: form.failure,
      conflict: form.conflict,
      note,
      uploads: pending.count,
      isBusy,
      isRestored: draft.isRestored,
      canSave,
      label: props.saveLabel,
    },
    {
      save: () => (canSave ? save() : Promise.resolve(!isBusy)),
      discardDraft: draft.discard,
    },
  )
  return (
    <form
      ref={element}
      noValidate
      class="form-page"
      onSubmit={(event) => {
        event.preventDefault()
        saveAll()
      }}
      onInput={() => setNote((now) => (now === 'saved' ? undefined : now))}
    >
      <PendingContext.Provider value={pending}>{children}</PendingContext.Provider>
      {/* Without a button of its own, Enter would not save the form. */}
      <button type="submit" hidden />
      {form.conflict && clashes.length > 0 ? (
        <ConflictDialog
          form={element.current}
          clashes={clashes}
          by={props.clashesWith}
          inWords={props.inWords}
          action={t('saveChoice')}
          onClose={form.dismissConflict}
          onChoose={resolve}
        />
      ) : null}
      {draft.clashes.length > 0 ? (
        <ConflictDialog
          form={element.current}
          clashes={draft.clashes}
          inWords={props.inWords}
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
