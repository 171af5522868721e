import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { parameterLimits } from '../../../generated/limits.ts'
import type { Schemas } from '../../api.ts'
import { texts } from '../../language.ts'
import { Icon } from '../shell/icons.tsx'
import { SteadyButton } from '../forms/steady_button.tsx'
import { Empty, Loading } from '../shell/states.tsx'
import type { Load } from '../shell/use_load.ts'

const pauseMilliseconds = 250

interface SearchBoxProps {
  label: string
  value: string
  onSearch: (text: string) => void
  /** Used in dialogs that start with a search. */
  autofocus?: boolean
}

/** Searches while typing, debounced. */
export function SearchBox({ label, value, onSearch, autofocus = false }: SearchBoxProps) {
  const [text, setText] = useState(value)
  const callback = useRef(onSearch)
  callback.current = onSearch
  useEffect(() => setText(value), [value])
  useEffect(() => {
    if (text === value) return
    const timeout = setTimeout(() => callback.current(text), pauseMilliseconds)
    return () => clearTimeout(timeout)
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
        // Inside a form, Enter would save it.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
    </div>
  )
}

/** Above a list: search, filters, actions. */
export function Toolbar({ children }: { children: ComponentChildren }) {
  return <div class="toolbar">{children}</div>
}

type AnyList = Pick<Load<{ pagination: Schemas['Pagination'] }>, 'value'>

/**
 * Whether there is nothing at all, so that there is nothing to search either. It is decided when an answer
 * arrives: once a search in vain is cleared, its answer is still there, and its box must keep the focus.
 */
export function useIsBlank({ value }: AnyList, isFiltered: boolean): boolean {
  const decided = useRef<{ by?: AnyList['value']; isBlank: boolean }>({ isBlank: false })
  if (decided.current.by !== value)
    decided.current = { by: value, isBlank: !isFiltered && value?.pagination.total === 0 }
  return decided.current.isBlank
}

interface PagerProps {
  pagination: Schemas['Pagination']
  onPage: (page: string) => void
}

export function Pager({ pagination, onPage }: PagerProps) {
  const { page, limit, total, hasNextPage, hasPreviousPage } = pagination
  const t = texts('kit')
  const element = useRef<HTMLDivElement>(null)
  if (total === 0) return null
  const range = { from: (page - 1) * limit + 1, to: Math.min(page * limit, total), total }
  const go = (next: number) => {
    onPage(String(next))
    // Scroll to the start of the next page.
    element.current?.parentElement?.scrollIntoView({ block: 'start' })
  }
  return (
    // No landmark: a page with two lists would have two of one name.
    <div class="pager" role="group" aria-label={t('paging')} ref={element}>
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
    </div>
  )
}

/** The page no longer exists, for example after its only row was deleted: go to the last one. */
function PastTheEnd({ pagination: { totalPages }, onPage }: PagerProps) {
  useEffect(() => onPage(String(totalPages)), [totalPages])
  return <Loading />
}

/** False for an empty list, or if the address names a page past the end. */
export function hasRows({ page, limit, total }: Schemas['Pagination']): boolean {
  return (page - 1) * limit < total
}

interface PagedProps extends PagerProps {
  /** Shown instead of an empty list. */
  none: ComponentChildren
  children: ComponentChildren
}

/** One page of a list with its pager. */
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

/** Empty state for a search without results. */
export function NothingFound({ onClear }: { onClear: () => void }) {
  const t = texts('kit')
  const clear = (event: { currentTarget: HTMLElement }) => {
    // The button disappears: move the focus to the search box.
    const container = event.currentTarget.closest('dialog, main')
    container?.querySelector<HTMLElement>('input[type=search]')?.focus()
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
