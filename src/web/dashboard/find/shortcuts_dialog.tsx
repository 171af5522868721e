import { Dialog } from '../../kit/shell/dialog.tsx'
import { texts } from '../../language.ts'

/** The keys that work on every page. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const t = texts('find')
  const shortcuts = [
    [isMac() ? '⌘ K' : 'Ctrl K', t('shortcut.find')],
    [isMac() ? '⌘ S' : 'Ctrl S', t('shortcut.save')],
    ['/', t('shortcut.search')],
    ['J  K', t('shortcut.rows')],
    ['N', t('shortcut.new')],
    ['?', t('shortcut.help')],
    ['Esc', t('shortcut.close')],
  ] as const
  return (
    <Dialog title={t('shortcuts')} onClose={onClose}>
      <dl class="shortcuts">
        {shortcuts.map(([keys, what]) => (
          <div key={keys} class="row">
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

function isMac(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent)
}
