import type { ComponentChildren } from 'preact'
import { useId, useRef, useState } from 'preact/hooks'
import { texts } from '../../language.ts'
import { Icon } from './icons.tsx'
import { useDismiss } from './use_dismiss.ts'

/** What is needed now and then: beside the main action, and on phones behind one button. */
export function MoreActions({ children }: { children: ComponentChildren }) {
  const [open, setOpen] = useState(false)
  const element = useRef<HTMLDivElement>(null)
  const id = useId()
  useDismiss(element, open, () => setOpen(false))
  return (
    <div class="more" ref={element}>
      <button
        type="button"
        class="more-toggle"
        aria-label={texts('kit')('more')}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        <Icon name="more" />
      </button>
      <div id={id} class={open ? 'more-panel open' : 'more-panel'}>
        {children}
      </div>
    </div>
  )
}
