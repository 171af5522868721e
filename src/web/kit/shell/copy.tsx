import { useState } from 'preact/hooks'
import { texts } from '../../language.ts'
import { Icon } from './icons.tsx'
import { toastFailure } from './toasts.tsx'

/** Copies a text to the clipboard and confirms it. */
export function CopyButton({ text, label }: { text: string; label?: string }) {
  const t = texts('kit')
  const [copied, setCopied] = useState(false)
  const copy = () => {
    navigator.clipboard.writeText(text).then(() => setCopied(true), toastFailure)
  }
  return (
    <button type="button" onClick={copy}>
      <Icon name={copied ? 'check' : 'copy'} />
      <span aria-live="polite">{copied ? t('copied') : (label ?? t('copy'))}</span>
    </button>
  )
}
