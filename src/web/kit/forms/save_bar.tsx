import { type ComponentChildren, createContext } from 'preact'
import { useContext, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { texts } from '../../language.ts'
import { FormFault } from './form_fault.tsx'
import type { Form } from './use_form.ts'

/** What a form says of itself to the bar of its page. */
interface SavedForm extends Pick<Form<unknown>, 'dirty' | 'failure' | 'conflict'> {
  note: 'saved' | 'waiting' | 'uploadFailed' | undefined
  /** Uploads under way. */
  uploads: number
  isBusy: boolean
  /** Whether it holds what was typed before a reload. */
  isRestored: boolean
  canSave: boolean
  /** What the button says; by default that it saves. */
  label: string | undefined
}

interface FormActions {
  /** Resolves to whether all is saved; does nothing where nothing can be saved. */
  save: () => Promise<boolean>
  discardDraft: () => void
}

interface Bar {
  tell: (id: string, form: (SavedForm & FormActions) | undefined) => void
  saveAll: () => Promise<boolean>
}

const BarContext = createContext<Bar | undefined>(undefined)

interface SavedTogetherProps {
  /** Where to go on after saving. */
  next: string | undefined
  children: ComponentChildren
}

/**
 * The forms of a page, and at its foot the one bar that saves what was changed in any of them. It is there
 * while there is something to save or to say.
 */
export function SavedTogether({ next, children }: SavedTogetherProps) {
  const [forms, setForms] = useState<ReadonlyMap<string, SavedForm & FormActions>>(new Map())
  const latest = useRef(forms)
  latest.current = forms
  const bar = useRef<Bar>({
    tell: (id, form) =>
      setForms((before) => {
        const next = new Map(before)
        if (form) next.set(id, form)
        else next.delete(id)
        return next
      }),
    // One after the other: what one form writes may change the version that another writes over.
    saveAll: async () => {
      let isSaved = true
      for (const { save } of latest.current.values()) isSaved = (await save()) && isSaved
      return isSaved
    },
  }).current
  const isNeeded = [...forms.values()].some(
    ({ canSave, isBusy, note, failure }) => canSave || isBusy || note || failure,
  )
  return (
    <BarContext.Provider value={bar}>
      {children}
      {isNeeded || (next !== undefined && forms.size > 0) ? (
        <SaveBar forms={[...forms.values()]} {...{ next }} save={bar.saveAll} />
      ) : null}
    </BarContext.Provider>
  )
}

/** Hands a form to the bar of its page; returns what saves the page. */
export function useSaveBar(form: SavedForm, actions: FormActions): () => void {
  const bar = useContext(BarContext)
  if (!bar) throw new Error('A form that is saved belongs to a page.')
  const id = useId()
  const latest = useRef(actions)
  latest.current = actions
  useLayoutEffect(
    () =>
      bar.tell(id, {
        ...form,
        save: () => latest.current.save(),
        discardDraft: () => latest.current.discardDraft(),
      }),
    Object.values(form),
  )
  useLayoutEffect(() => () => bar.tell(id, undefined), [])
  return () => void bar.saveAll()
}

interface SaveBarProps extends Pick<SavedTogetherProps, 'next'> {
  forms: readonly (SavedForm & FormActions)[]
  save: () => Promise<boolean>
}

function SaveBar({ forms, next, save }: SaveBarProps) {
  const t = texts('kit')
  const [, navigate] = useLocation()
  const goOn = async (to: string) => {
    // The forms say that they are saved first: else the page would ask about unsaved changes.
    if (await save()) setTimeout(() => navigate(to), 0)
  }
  const isBusy = forms.some((form) => form.isBusy)
  const isDisabled = isBusy || !forms.some(({ canSave }) => canSave)
  const restored = forms.filter(({ isRestored }) => isRestored)
  const label = forms.find((form) => form.label !== undefined)?.label ?? t('save')
  return (
    <div class="save-bar">
      {forms.map((form, at) => (
        <FormFault key={at} form={form} />
      ))}
      {forms.some(({ note }) => note === 'uploadFailed') ? (
        <p class="banner bad" role="alert">
          {t('uploadFailed')}
        </p>
      ) : null}
      <span class="muted" role="status">
        {statusOf(forms)}
      </span>
      {restored.length > 0 ? (
        <button
          type="button"
          class="link"
          onClick={() => restored.forEach(({ discardDraft }) => discardDraft())}
        >
          {t('discardDraft')}
        </button>
      ) : null}
      {/* aria-disabled keeps the focus; `disabled` would drop it. */}
      <button
        type="button"
        class="primary"
        aria-disabled={isDisabled}
        onClick={() => {
          if (!isDisabled) void save()
        }}
      >
        {isBusy ? t('saving') : label}
      </button>
      {next === undefined ? null : (
        <button type="button" aria-disabled={isBusy} onClick={() => isBusy || void goOn(next)}>
          {t(isDisabled ? 'next' : 'saveAndNext')}
        </button>
      )}
    </div>
  )
}

function statusOf(forms: readonly SavedForm[]): string {
  const t = texts('kit')
  const waiting = forms.filter(({ note }) => note === 'waiting')
  if (waiting.length > 0)
    return t('waitingForUploads', { count: waiting.reduce((sum, one) => sum + one.uploads, 0) })
  if (forms.some(({ isRestored }) => isRestored)) return t('draftRestored')
  if (forms.some(({ dirty }) => dirty)) return t('unsaved')
  return forms.some(({ note }) => note === 'saved') ? t('saved') : ''
}
