import { useEffect } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { Icon } from '../../kit/shell/icons.tsx'
import { lazyPage } from '../../kit/shell/page.tsx'
import { texts } from '../../language.ts'
import { type Membership, mayUse } from '../../session.ts'

const FindDialog = lazyPage(() => import('./find_dialog.tsx').then((m) => m.FindDialog))
const ShortcutsDialog = lazyPage(() =>
  import('./shortcuts_dialog.tsx').then((m) => m.ShortcutsDialog),
)

/** Whether keys belong to what is typed or to an open dialog. */
function isTaken({ target }: KeyboardEvent): boolean {
  const isField =
    target instanceof Element && target.closest('input, textarea, [role=combobox]') !== null
  return isField || document.querySelector('dialog[open]') !== null
}

/** Moves the focus to the next or previous row of the page's list; false if there is none. */
function moveToRow(steps: number): boolean {
  const rows = [...document.querySelectorAll('main tbody tr')]
  const at = rows.findIndex((row) => row.contains(document.activeElement))
  const row = rows[at < 0 ? 0 : Math.max(0, Math.min(rows.length - 1, at + steps))]
  const target = row?.querySelector<HTMLElement>('td.main a, td.main button, a, button')
  target?.focus()
  return target !== null && target !== undefined
}

/** Which dialog of the shortcuts is open. */
export type OpenDialog = 'find' | 'help' | undefined

interface ShortcutsProps {
  membership: Membership
  open: OpenDialog
  setOpen: (open: OpenDialog) => void
}

/** The keys that work on every page; not in the sidebar, which phones hide with all it contains. */
export function Shortcuts({ membership, open, setOpen }: ShortcutsProps) {
  const [, navigate] = useLocation()
  const { workspaceId, role } = membership
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase()
      const isCommand = event.ctrlKey || event.metaKey
      if (isCommand && key === 'k' && !document.querySelector('dialog[open]')) setOpen('find')
      else if (isCommand && key === 's') {
        const save = document.querySelector<HTMLElement>('.save-bar .primary')
        if (!save) return
        save.click()
      } else if (isCommand || event.altKey || isTaken(event)) return
      else if (key === '?') setOpen('help')
      else if (key === '/') {
        const search = document.querySelector<HTMLElement>('main input[type=search]')
        if (!search) return
        search.focus()
      } else if (key === 'j' || key === 'k') {
        if (!moveToRow(key === 'j' ? 1 : -1)) return
      } else if (key === 'n' && mayUse(role, 'products')) navigate(`/w/${workspaceId}/products/new`)
      else return
      event.preventDefault()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [workspaceId, role])
  const close = () => setOpen(undefined)
  return (
    <>
      {open === 'find' ? <FindDialog membership={membership} onClose={close} /> : null}
      {open === 'help' ? <ShortcutsDialog onClose={close} /> : null}
    </>
  )
}

/** The button that finds anything. */
export function FindButton({ onClick }: { onClick: () => void }) {
  const t = texts('find')
  return (
    <button type="button" class="find" onClick={onClick}>
      <Icon name="search" />
      <span class="grow">{t('open')}</span>
      <kbd>{/Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K'}</kbd>
    </button>
  )
}
