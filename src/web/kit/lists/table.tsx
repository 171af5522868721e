import type { ComponentChildren } from 'preact'
import { texts } from '../../language.ts'

export interface Column<Row> {
  title: string
  cell: (row: Row) => ComponentChildren
  /** The service's name for the sort field. */
  sort?: string
  numeric?: boolean
  /** Hidden on narrow screens. */
  wide?: boolean
  /** The column that names the row; on phones, the head of its card. */
  main?: boolean
  /** On phones, takes a line of the card for itself. */
  whole?: boolean
}

interface Selection {
  ids: ReadonlySet<string>
  change: (ids: ReadonlySet<string>) => void
}

interface TableProps<Row extends { id: string }> {
  /** Table caption for screen readers. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  /** `name` or `-name`, as in the contract. */
  sort?: string
  onSort?: (sort: string) => void
  selection?: Selection
  /** Name of a row, for its checkbox label. */
  nameOf?: (row: Row) => string
}

/**
 * A compact table with optional sorting and selection. Roles are explicit, because stacking the
 * cells on phones with CSS removes the implicit ones.
 */
export function Table<Row extends { id: string }>(props: TableProps<Row>) {
  const { caption, columns, rows, selection, nameOf = ({ id }) => id } = props
  return (
    <div class="table-scroll" tabIndex={0} role="group" aria-label={caption}>
      <table role="table">
        <caption class="hidden">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {selection ? <SelectAll rows={rows} selection={selection} /> : null}
            {columns.map((column) => (
              <Header key={column.title} {...{ column }} {...sorting(props)} />
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={row.id} role="row" class={selection?.ids.has(row.id) ? 'chosen' : undefined}>
              {selection ? (
                <SelectRow id={row.id} name={nameOf(row)} selection={selection} />
              ) : null}
              {columns.map((column) => (
                <td
                  key={column.title}
                  role="cell"
                  class={classOf(column)}
                  data-title={column.title}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function sorting<Row extends { id: string }>({ sort, onSort }: TableProps<Row>) {
  return sort === undefined || onSort === undefined ? {} : { sorting: { sort, onSort } }
}

function classOf<Row>({ numeric, wide, main, whole }: Column<Row>): string | undefined {
  const classes = [numeric && 'numeric', wide && 'wide', main && 'main', whole && 'whole']
  return classes.filter(Boolean).join(' ') || undefined
}

interface HeaderProps<Row> {
  column: Column<Row>
  sorting?: { sort: string; onSort: (sort: string) => void }
}

function Header<Row>({ column, sorting }: HeaderProps<Row>) {
  const { title, sort: name } = column
  if (name === undefined || !sorting)
    return (
      <th scope="col" role="columnheader" class={classOf(column)}>
        {title}
      </th>
    )
  const { sort, onSort } = sorting
  const order = sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : 'none'
  return (
    <th scope="col" role="columnheader" class={classOf(column)} aria-sort={order}>
      <button
        type="button"
        class="sort"
        onClick={() => onSort(order === 'ascending' ? `-${name}` : name)}
      >
        {title}
        <span class="sort-mark" aria-hidden="true">
          {order === 'ascending' ? '↑' : order === 'descending' ? '↓' : '↕'}
        </span>
      </button>
    </th>
  )
}

function SelectAll({ rows, selection }: { rows: readonly { id: string }[]; selection: Selection }) {
  const t = texts('kit')
  const selectedCount = rows.filter(({ id }) => selection.ids.has(id)).length
  return (
    <th scope="col" role="columnheader" class="select">
      <label class="check">
        <input
          type="checkbox"
          checked={rows.length > 0 && selectedCount === rows.length}
          indeterminate={selectedCount > 0 && selectedCount < rows.length}
          onChange={({ currentTarget }) =>
            selection.change(new Set(currentTarget.checked ? rows.map(({ id }) => id) : []))
          }
        />
        <span class="hidden">{t('selectAll')}</span>
      </label>
    </th>
  )
}

function SelectRow(props: { id: string; name: string; selection: Selection }) {
  const { id, name, selection } = props
  const t = texts('kit')
  return (
    <td class="select" role="cell">
      <input
        type="checkbox"
        aria-label={t('selectRow', { name })}
        checked={selection.ids.has(id)}
        onChange={({ currentTarget }) => {
          const ids = new Set(selection.ids)
          if (currentTarget.checked) ids.add(id)
          else ids.delete(id)
          selection.change(ids)
        }}
      />
    </td>
  )
}
