import type { ComponentChildren } from 'preact'
import type { Schemas } from '../api.ts'
import { Select } from '../kit/fields.tsx'
import type { IconName } from '../kit/icons.tsx'
import { hasRows, NothingFound, Pager, SearchBox, Toolbar } from '../kit/list_tools.tsx'
import { Page } from '../kit/page.tsx'
import { Empty, Loaded } from '../kit/states.tsx'
import { type Load, useLoad } from '../kit/use_load.ts'
import { useQuery } from '../kit/use_query.ts'
import { texts } from '../language.ts'

const pageSize = 25
const defaults = { page: '1', search: '', status: '' }
const standings = ['ACTIVE', 'SUSPENDED'] as const satisfies Schemas['Standing'][]

/** Query parameters common to all administration lists. */
export interface SearchQuery {
  page: number
  pageSize: number
  search: string
  /** Only in lists that are filtered by status. */
  status?: Schemas['Standing']
}

interface Paginated {
  pagination: Schemas['Pagination']
}

interface ListProps<T extends Paginated> {
  searchLabel: string
  empty: { icon: IconName; title: string; hint?: string }
  ask: (query: SearchQuery, signal: AbortSignal) => Promise<T>
  /** Whether the rows are active or suspended. */
  byStatus?: boolean
  /** Controls beside the search box. */
  tools?: (search: string, onSearch: (search: string) => void) => ComponentChildren
  children: (value: T, list: Load<T>) => ComponentChildren
}

/** A list with search and pagination, both kept in the page's address. */
export function List<T extends Paginated>(props: ListProps<T>) {
  const { searchLabel, empty, tools, byStatus = false, children } = props
  const [query, change] = useQuery(defaults)
  const status = byStatus ? standings.find((one) => one === query.status) : undefined
  const searchQuery = {
    page: Number(query.page),
    pageSize,
    search: query.search,
    ...(status ? { status } : {}),
  }
  const list = useLoad(
    (signal) => props.ask(searchQuery, signal),
    [query.page, query.search, status],
  )
  const onSearch = (search: string) => change({ search })
  return (
    <>
      <Toolbar>
        <SearchBox label={searchLabel} value={query.search} onSearch={onSearch} />
        {byStatus ? (
          <StandingFilter status={status} onChange={(next) => change({ status: next })} />
        ) : null}
        {tools?.(query.search, onSearch)}
      </Toolbar>
      <Loaded load={list}>
        {(value) =>
          hasRows(value.pagination) ? (
            <div class="stack">
              {children(value, list)}
              <Pager pagination={value.pagination} onPage={(page) => change({ page })} />
            </div>
          ) : value.pagination.total === 0 && query.search === '' && !status ? (
            <Empty {...empty} />
          ) : (
            <NothingFound onClear={() => change(defaults)} />
          )
        }
      </Loaded>
    </>
  )
}

interface StandingFilterProps {
  status: Schemas['Standing'] | undefined
  onChange: (status: Schemas['Standing'] | '') => void
}

function StandingFilter({ status, onChange }: StandingFilterProps) {
  const t = texts('admin')
  return (
    <Select
      label={t('status')}
      value={status ?? ''}
      onChange={onChange}
      choices={[
        { value: '', label: t('anyStatus') },
        ...standings.map((value) => ({ value, label: t(`standing.${value}`) })),
      ]}
    />
  )
}

interface ListPageProps<T extends Paginated> extends ListProps<T> {
  title: string
  about: string
}

export function ListPage<T extends Paginated>({ title, about, ...list }: ListPageProps<T>) {
  return (
    <Page title={title} about={about}>
      <List {...list} />
    </Page>
  )
}

/** The rows with one replaced by its updated version. */
export function replaceRow<Row extends { id: string }>(rows: readonly Row[], updated: Row): Row[] {
  return rows.map((row) => (row.id === updated.id ? updated : row))
}
