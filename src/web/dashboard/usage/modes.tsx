import type { Schemas } from '../../api.ts'
import { type Column, Table } from '../../kit/lists/table.tsx'
import { formatNumber, texts } from '../../language.ts'
import { kindName } from './series.ts'

type Row = Schemas['InsightMode'] & { id: string }

/** What answers of each kind cost. */
export function Modes({ modes }: { modes: Schemas['InsightMode'][] }) {
  const t = texts('usage')
  if (modes.length === 0) return null
  const columns: Column<Row>[] = [
    {
      title: t('kind'),
      main: true,
      cell: ({ kind, comprehensive }) => (
        <span>
          {kindName(kind)} <span class="muted">{t(comprehensive ? 'thorough' : 'fast')}</span>
        </span>
      ),
    },
    { title: t('requests'), numeric: true, cell: ({ questions }) => formatNumber(questions) },
    { title: t('credits'), numeric: true, cell: ({ credits }) => formatNumber(credits) },
  ]
  const rows = modes.map((mode) => ({ ...mode, id: `${mode.kind} ${mode.comprehensive}` }))
  return (
    <section class="stack" aria-labelledby="modes">
      <h2 id="modes">{t('modes')}</h2>
      <Table caption={t('modes')} columns={columns} rows={rows} />
    </section>
  )
}
