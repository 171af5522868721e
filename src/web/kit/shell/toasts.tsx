import { useEffect, useState } from 'preact/hooks'
import { texts } from '../../language.ts'
import { wholeFailureText } from './failures.ts'
import { Icon } from './icons.tsx'
import { asFailure } from './use_load.ts'

interface Toast {
  id: number
  kind: 'done' | 'fault'
  text: string
}

const displayMilliseconds = 6000
let counter = 0
let toasts: Toast[] = []
let redraw: (toasts: Toast[]) => void = () => undefined

function change(next: Toast[]): void {
  toasts = next
  redraw(next)
}

function show(kind: Toast['kind'], text: string): void {
  const id = ++counter
  change([...toasts.slice(-3), { id, kind, text }])
  // Failures stay until dismissed.
  if (kind === 'done') setTimeout(() => dismiss(id), displayMilliseconds)
}

function dismiss(id: number): void {
  change(toasts.filter((toast) => toast.id !== id))
}

/** Shows a success message. */
export function toast(text: string): void {
  show('done', text)
}

/** Shows a failure, worded for the user. */
export function toastFailure(error: unknown): void {
  show('fault', wholeFailureText(asFailure(error)))
}

/** The toast area, a live region for screen readers. */
export function Toasts() {
  const [visible, setVisible] = useState(toasts)
  const t = texts('kit')
  useEffect(() => {
    redraw = setVisible
    setVisible(toasts)
  }, [])
  return (
    <div class="toasts" role="status" aria-live="polite">
      {visible.map(({ id, kind, text }) => (
        <div key={id} class={`toast ${kind}`}>
          <Icon name={kind === 'done' ? 'check' : 'alert'} />
          <span class="clamp">{text}</span>
          <button type="button" class="plain" aria-label={t('dismiss')} onClick={() => dismiss(id)}>
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  )
}
