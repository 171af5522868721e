import { type Column, Table } from '../../kit/lists/table.tsx'
import { formatDate, formatNumber, texts } from '../../language.ts'
import { kindName, type Series } from './series.ts'

interface Row {
  id: string
}

/** The chart's numbers, without empty days. */
export function NumbersTable({ series }: { series: Series }) {
  const t = texts('usage')
  const columns: Column<Row>[] = [
    { title: t('day'), cell: ({ id }) => <span class="nowrap-text">{formatDate(id)}</span> },
    ...series.keys.map((key) => ({
      title: kindName(key),
      numeric: true,
      cell: ({ id }: Row) => formatNumber(series.at(id, key)),
    })),
    {
      title: t('total'),
      numeric: true,
      cell: ({ id }) => <b>{formatNumber(totalOn(series, id))}</b>,
    },
  ]
  const rows = series.dates
    .filter((date) => totalOn(series, date) !== 0)
    .toReversed()
    .map((id) => ({ id }))
  return <Table caption={t('numbers')} columns={columns} rows={rows} />
}

function totalOn({ keys, at }: Series, date: string): number {
  return keys.reduce((sum, key) => sum + at(date, key), 0)
}

/** The same as CSV rows, including empty days. */
export function tableRows(series: Series): (string | number)[][] {
  const t = texts('usage')
  const head = [t('day'), ...series.keys.map(kindName), t('total')]
  const lines = series.dates.map((date) => [
    date,
    ...series.keys.map((key) => series.at(date, key)),
    totalOn(series, date),
  ])
  return [head, ...lines]
}
