import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Schemas } from '../api.ts'
import { texts } from '../language.ts'
import { kit } from '../messages/kit.ts'
import { Icon } from './icons.tsx'
import { Empty } from './states.tsx'

const pauseMilliseconds = 250

interface SearchBoxProps {
  label: string
  value: string
  onSearch: (text: string) => void
}

/** Searches as somebody types, after a short pause. */
export function SearchBox({ label, value, onSearch }: SearchBoxProps) {
  const [text, setText] = useState(value)
  const act = useRef(onSearch)
  act.current = onSearch
  useEffect(() => setText(value), [value])
  useEffect(() => {
    if (text === value) return
    const pause = setTimeout(() => act.current(text), pauseMilliseconds)
    return () => clearTimeout(pause)
  }, [text])
  return (
    <div class="search">
      <Icon name="search" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        maxLength={200}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
    </div>
  )
}

/** What stands above a list: search, filters, actions. */
export function Toolbar({ children }: { children: ComponentChildren }) {
  return <div class="toolbar">{children}</div>
}

interface PagerProps {
  pagination: Schemas['Pagination']
  onPage: (page: string) => void
}

export function Pager({ pagination, onPage }: PagerProps) {
  const { page, limit, total, hasNextPage, hasPreviousPage } = pagination
  const t = texts(kit)
  if (total === 0) return null
  const range = { from: (page - 1) * limit + 1, to: Math.min(page * limit, total), total }
  return (
    <nav class="pager" aria-label={t('paging')}>
      <span class="muted">{t('pageRange', range)}</span>
      <button
        type="button"
        aria-label={t('previousPage')}
        disabled={!hasPreviousPage}
        onClick={() => onPage(String(page - 1))}
      >
        ‹
      </button>
      <button
        type="button"
        aria-label={t('nextPage')}
        disabled={!hasNextPage}
        onClick={() => onPage(String(page + 1))}
      >
        ›
      </button>
    </nav>
  )
}

/** A list that is empty because of what was searched for. */
export function NothingFound({ onClear }: { onClear: () => void }) {
  const t = texts(kit)
  return (
    <Empty icon="search" title={t('nothingFound')} hint={t('nothingFoundHint')}>
      <button type="button" onClick={onClear}>
        {t('clearFilters')}
      </button>
    </Empty>
  )
}
