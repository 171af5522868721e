import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { Failure } from '../../api.ts'
import { texts } from '../../language.ts'
import { useUnsaved } from '../forms/unsaved.ts'
import { wholeFailureText } from './failures.ts'
import { Icon } from './icons.tsx'
import { asFailure } from './use_load.ts'

interface DialogProps {
  title: string
  onClose: () => void
  children: ComponentChildren
  size?: 'small' | 'large'
  /** Whether something was typed that is lost with the dialog: then it asks before it closes. */
  dirty?: boolean
}

/** A modal dialog. The native element traps the focus, closes on Escape and restores the focus. */
export function Dialog({ title, onClose, children, size = 'small', dirty = false }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const [asking, setAsking] = useState(false)
  const leave = () => (dirty ? setAsking(true) : onClose())
  useUnsaved(dirty)
  const titleId = useId()
  const t = texts('kit')
  useEffect(() => {
    const dialog = element.current
    const opener = document.activeElement
    dialog?.showModal()
    return () => {
      dialog?.close()
      // The opener may have been removed; then move the focus to the page content.
      const focusTarget = opener?.isConnected ? opener : document.getElementById('content')
      if (focusTarget instanceof HTMLElement) focusTarget.focus()
    }
  }, [])
  return (
    <dialog
      ref={element}
      class={`dialog ${size}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        leave()
      }}
      onClose={() => {
        const dialog = element.current
        if (!dialog || dialog.open) return
        // A browser lets no page refuse Escape time and again.
        if (dirty) dialog.showModal()
        leave()
      }}
      // Not on click: a text selection that starts inside may end outside. A slip beside it loses no text.
      onPointerDown={(event) => event.target === element.current && !dirty && onClose()}
    >
      <div class="dialog-body">
        <header>
          <h2 id={titleId} class="clamp" title={title}>
            {title}
          </h2>
          <button type="button" class="plain" aria-label={t('close')} onClick={leave}>
            <Icon name="close" />
          </button>
        </header>
        {children}
      </div>
      {asking ? (
        <UnsavedDialog
          title={t('closeTitle')}
          hint={t('closeHint')}
          onDiscard={onClose}
          onStay={() => setAsking(false)}
        />
      ) : null}
    </dialog>
  )
}

interface UnsavedProps {
  title: string
  hint: string
  onDiscard: () => void
  onStay: () => void
}

/** Asks whether what was typed may be lost. */
export function UnsavedDialog({ title, hint, onDiscard, onStay }: UnsavedProps) {
  const t = texts('kit')
  return (
    <Dialog title={title} onClose={onStay}>
      <p>{hint}</p>
      <footer class="actions">
        <button type="button" onClick={onDiscard}>
          {t('discard')}
        </button>
        <button type="button" class="primary" onClick={onStay}>
          {t('stay')}
        </button>
      </footer>
    </Dialog>
  )
}

interface ConfirmProps {
  title: string
  /** The consequences. */
  children: ComponentChildren
  action: string
  danger?: boolean
  onConfirm: () => Promise<void>
  onClose: () => void
}

/** Asks for confirmation; a failure is shown in the dialog, which stays open. */
export function ConfirmDialog(props: ConfirmProps) {
  const { title, children, action, danger = false, onConfirm, onClose } = props
  const [{ busy, failure }, setOutcome] = useState<{ busy: boolean; failure?: Failure }>({
    busy: false,
  })
  const t = texts('kit')
  const confirm = () => {
    setOutcome({ busy: true })
    onConfirm().then(onClose, (error: unknown) =>
      setOutcome({ busy: false, failure: asFailure(error) }),
    )
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="prose">{children}</div>
      {failure ? (
        <p class="banner bad" role="alert">
          {wholeFailureText(failure)}
        </p>
      ) : null}
      <footer class="actions">
        <button type="button" autofocus onClick={onClose}>
          {t('cancel')}
        </button>
        <button
          type="button"
          class={danger ? 'danger' : 'primary'}
          disabled={busy}
          onClick={confirm}
        >
          {action}
        </button>
      </footer>
    </Dialog>
  )
}
