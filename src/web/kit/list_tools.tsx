import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { parameterLimits } from '../../generated/limits.ts'
import type { Schemas } from '../api.ts'
import { texts } from '../language.ts'
import { Icon } from './icons.tsx'
import { SteadyButton } from './steady_button.tsx'
import { Empty, Loading } from './states.tsx'

const pauseMilliseconds = 250

interface SearchBoxProps {
  label: string
  value: string
  onSearch: (text: string) => void
  /** In a dialog one begins by searching. */
  autofocus?: boolean
}

/** Searches as somebody types, after a short pause. */
export function SearchBox({ label, value, onSearch, autofocus = false }: SearchBoxProps) {
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
        maxLength={parameterLimits.Search.maxLength}
        autofocus={autofocus}
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
  const t = texts('kit')
  const element = useRef<HTMLElement>(null)
  if (total === 0) return null
  const range = { from: (page - 1) * limit + 1, to: Math.min(page * limit, total), total }
  const go = (next: number) => {
    onPage(String(next))
    // The next page is read from its beginning.
    element.current?.parentElement?.scrollIntoView({ block: 'start' })
  }
  return (
    <nav class="pager" aria-label={t('paging')} ref={element}>
      <span class="muted" role="status">
        {t('pageRange', range)}
      </span>
      {hasPreviousPage || hasNextPage ? (
        <>
          <SteadyButton
            label={t('previousPage')}
            disabled={!hasPreviousPage}
            onClick={() => go(page - 1)}
          >
            ‹
          </SteadyButton>
          <SteadyButton label={t('nextPage')} disabled={!hasNextPage} onClick={() => go(page + 1)}>
            ›
          </SteadyButton>
        </>
      ) : null}
    </nav>
  )
}

/** A page behind the last one, as after its only line was deleted: the last one is shown instead. */
function PastTheEnd({ pagination: { totalPages }, onPage }: PagerProps) {
  useEffect(() => onPage(String(totalPages)), [totalPages])
  return <Loading />
}

/** An address may name a page that is no more, and a list may be empty. */
export function hasRows({ page, limit, total }: Schemas['Pagination']): boolean {
  return (page - 1) * limit < total
}

interface PagedProps extends PagerProps {
  /** What is there in place of an empty list. */
  none: ComponentChildren
  children: ComponentChildren
}

/** One page of a list with the way to the others. */
export function Paged({ pagination, onPage, none, children }: PagedProps) {
  if (pagination.total === 0) return <>{none}</>
  if (!hasRows(pagination)) return <PastTheEnd {...{ pagination, onPage }} />
  return (
    <div class="stack">
      {children}
      <Pager {...{ pagination, onPage }} />
    </div>
  )
}

/** A list that is empty because of what was searched for. */
export function NothingFound({ onClear }: { onClear: () => void }) {
  const t = texts('kit')
  const clear = (event: { currentTarget: HTMLElement }) => {
    // The button goes with what it stands for; the search is where one goes on.
    const around = event.currentTarget.closest('dialog, main')
    around?.querySelector<HTMLElement>('input[type=search]')?.focus()
    onClear()
  }
  return (
    <Empty icon="search" title={t('nothingFound')} hint={t('nothingFoundHint')}>
      <button type="button" onClick={clear}>
        {t('clearFilters')}
      </button>
    </Empty>
  )
}
