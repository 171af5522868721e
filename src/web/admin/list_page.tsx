import type { ComponentChildren } from 'preact'
import type { Schemas } from '../api.ts'
import type { Choice } from '../kit/forms/choice.ts'
import { Select } from '../kit/forms/select.tsx'
import type { IconName } from '../kit/shell/icons.tsx'
import {
  hasRows,
  NothingFound,
  Pager,
  SearchBox,
  Toolbar,
  useIsBlank,
} from '../kit/lists/list_tools.tsx'
import { Page } from '../kit/shell/page.tsx'
import { Empty, Loaded } from '../kit/shell/states.tsx'
import { type Load, useLoad } from '../kit/shell/use_load.ts'
import { useQuery } from '../kit/lists/use_query.ts'
import { texts } from '../language.ts'

const pageSize = 25
const defaults = { page: '1', search: '', status: '' }

/** Query parameters common to all administration lists. */
interface SearchQuery<Status extends string> {
  page: number
  pageSize: number
  search: string
  /** Only in lists that are filtered by status. */
  status?: Status
}

interface Paginated {
  pagination: Schemas['Pagination']
}

interface ListProps<T extends Paginated, Status extends string> {
  searchLabel: string
  empty: { icon: IconName; title: string; hint?: string }
  ask: (query: SearchQuery<Status>, signal: AbortSignal) => Promise<T>
  /** What the rows can be filtered by. */
  statuses?: readonly Choice<Status>[]
  /** Controls beside the search box. */
  tools?: (search: string, onSearch: (search: string) => void) => ComponentChildren
  children: (value: T, list: Load<T>) => ComponentChildren
}

/** A list with search and pagination, both kept in the page's address. */
export function List<T extends Paginated, Status extends string = never>(
  props: ListProps<T, Status>,
) {
  const { searchLabel, empty, tools, statuses, children } = props
  const [query, change] = useQuery(defaults)
  const status = statuses?.find(({ value }) => value === query.status)?.value
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
  const isBlank = useIsBlank(list, query.search !== '' || status !== undefined)
  const onSearch = (search: string) => change({ search })
  return (
    <>
      {isBlank ? null : (
        <Toolbar>
          <SearchBox label={searchLabel} value={query.search} onSearch={onSearch} />
          {statuses ? (
            <StatusFilter
              statuses={statuses}
              status={status}
              onChange={(next) => change({ status: next })}
            />
          ) : null}
          {tools?.(query.search, onSearch)}
        </Toolbar>
      )}
      <Loaded load={list}>
        {(value) =>
          hasRows(value.pagination) ? (
            <div class="stack">
              {children(value, list)}
              <Pager pagination={value.pagination} onPage={(page) => change({ page })} />
            </div>
          ) : isBlank ? (
            <Empty {...empty} />
          ) : (
            <NothingFound onClear={() => change(defaults)} />
          )
        }
      </Loaded>
    </>
  )
}

interface StatusFilterProps<Status extends string> {
  statuses: readonly Choice<Status>[]
  status: Status | undefined
  onChange: (status: Status | '') => void
}

function StatusFilter<Status extends string>(props: StatusFilterProps<Status>) {
  const { statuses, status, onChange } = props
  const t = texts('admin')
  return (
    <Select<Status | ''>
      label={t('status')}
      value={status ?? ''}
      onChange={onChange}
      choices={[{ value: '', label: t('anyStatus') }, ...statuses]}
    />
  )
}

interface ListPageProps<T extends Paginated, Status extends string> extends ListProps<T, Status> {
  title: string
  about: string
}

export function ListPage<T extends Paginated, Status extends string = never>(
  props: ListPageProps<T, Status>,
) {
  const { title, about, ...list } = props
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
