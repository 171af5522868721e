import { useEffect, useId, useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { parameterLimits } from '../../../generated/limits.ts'
import { Dialog } from '../../kit/shell/dialog.tsx'
import { Icon } from '../../kit/shell/icons.tsx'
import { useLoad } from '../../kit/shell/use_load.ts'
import { texts } from '../../language.ts'
import type { Membership } from '../../session.ts'
import { findInCatalogue, findPages, type Destination } from './results.ts'

const pauseMilliseconds = 150

interface FindDialogProps {
  membership: Membership
  onClose: () => void
}

/** Finds products, collections, tags, pictures, pages and actions by their words. */
export function FindDialog({ membership, onClose }: FindDialogProps) {
  const t = texts('find')
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const [, navigate] = useLocation()
  const listId = useId()
  const search = usePaused(text)
  const load = useLoad((signal) => findInCatalogue(membership, search, signal), [search])
  const found = [...(load.value ?? []), ...findPages(membership, text)]
  const chosen = found[Math.min(at, found.length - 1)]
  const go = ({ href }: Destination) => {
    onClose()
    navigate(href)
  }
  const move = (steps: number) =>
    setAt((now) => Math.max(0, Math.min(found.length - 1, now + steps)))
  return (
    <Dialog title={t('title')} onClose={onClose}>
      <input
        type="search"
        role="combobox"
        aria-label={t('title')}
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={chosen ? `${listId}-${chosen.key}` : undefined}
        placeholder={t('placeholder')}
        maxLength={parameterLimits.Search.maxLength}
        autofocus
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value)
          setAt(0)
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') move(1)
          else if (event.key === 'ArrowUp') move(-1)
          else if (event.key === 'Enter' && chosen) go(chosen)
          // The browser would only empty the field.
          else if (event.key === 'Escape') onClose()
          else return
          event.preventDefault()
        }}
      />
      <ul class="found plain-list" role="listbox" id={listId} aria-label={t('results')}>
        {found.map((one) => (
          <li
            key={one.key}
            id={`${listId}-${one.key}`}
            role="option"
            aria-selected={one === chosen}
            onClick={() => go(one)}
          >
            <Icon name={one.icon} />
            <span class="grow clamp">{one.name}</span>
            <small class="muted">{one.kind}</small>
          </li>
        ))}
      </ul>
      <p class="muted" role="status">
        {found.length === 0 && !load.loading ? t('nothing') : ''}
      </p>
    </Dialog>
  )
}

/** The text once the person has paused typing. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const timeout = setTimeout(() => setPaused(text), pauseMilliseconds)
    return () => clearTimeout(timeout)
  }, [text])
  return paused
}
