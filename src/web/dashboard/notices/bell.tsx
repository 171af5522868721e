import { useId, useRef, useState } from 'preact/hooks'
import { Icon } from '../../kit/shell/icons.tsx'
import { lazyPage } from '../../kit/shell/page.tsx'
import { useDismiss } from '../../kit/shell/use_dismiss.ts'
import { texts } from '../../language.ts'
import type { Membership } from '../../session.ts'

const NoticesPanel = lazyPage(() => import('./panel.tsx').then((m) => m.NoticesPanel))

interface BellProps {
  membership: Membership
  /** How many things wait for the reader. */
  count: number
}

/** Opens what concerns the reader. */
export function Bell({ membership, count }: BellProps) {
  const t = texts('notices')
  const [open, setOpen] = useState(false)
  const element = useRef<HTMLDivElement>(null)
  const id = useId()
  const close = () => setOpen(false)
  useDismiss(element, open, close)
  return (
    <div class="bell" ref={element}>
      <button
        type="button"
        class="plain"
        aria-label={count === 0 ? t('title') : t('titleCount', { count })}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        <Icon name="bell" />
        {count === 0 ? null : <span class="dot" />}
      </button>
      <div id={id} class="bell-panel" hidden={!open}>
        {open ? <NoticesPanel membership={membership} onGo={close} /> : null}
      </div>
    </div>
  )
}
