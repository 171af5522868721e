import { api, ask, type Schemas } from '../../api.ts'
import { Pager } from '../../kit/lists/list_tools.tsx'
import { Loaded } from '../../kit/shell/states.tsx'
import { type Column, Table } from '../../kit/lists/table.tsx'
import { useLoad } from '../../kit/shell/use_load.ts'
import { formatNumber, formatTime, texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { kindName } from './series.ts'

interface ActorsProps {
  from: string
  to: string
  page: string
  onPage: (page: string) => void
}

type Row = Schemas['UsageRow'] & { id: string }

/** Actors in the period, latest first. */
export function Actors({ from, to, page, onPage }: ActorsProps) {
  const { workspaceId, timeZone } = useWorkspace()
  const t = texts('usage')
  const report = useLoad(
    (signal) =>
      ask(
        api.GET('/v1/workspaces/{workspaceId}/usage', {
          signal,
          params: {
            path: { workspaceId },
            query: { from, to, days: 'SHOP', page: Number(page), pageSize: 20 },
          },
        }),
      ),
    [workspaceId, from, to, page, timeZone],
  )
  return (
    <section class="stack" aria-labelledby="who">
      <h2 id="who">{t('who')}</h2>
      <Loaded load={report}>
        {({ usage, totals, pagination }) => (
          <div class="stack">
            <Totals totals={totals} />
            {usage.length > 0 ? (
              <Table caption={t('who')} columns={columns()} rows={usage.map(withId)} />
            ) : null}
            <Pager pagination={pagination} onPage={onPage} />
          </div>
        )}
      </Loaded>
    </section>
  )
}

function withId(row: Schemas['UsageRow']): Row {
  return { ...row, id: `${row.actorType} ${row.userId ?? ''}` }
}

function Totals({ totals }: { totals: Schemas['UsageReport']['totals'] }) {
  const t = texts('usage')
  return (
    <div class="cards">
      {(['events', 'requests', 'credits'] as const).map((name) => (
        <div key={name} class="card figure">
          <span class="muted">{t(name)}</span>
          <b>{formatNumber(totals[name])}</b>
        </div>
      ))}
    </div>
  )
}

/** Guests share one row, and so does the system: they have no name beyond their type. */
function personOf({ userId, name }: Row): string {
  return userId === null ? '' : name
}

function columns(): Column<Row>[] {
  const t = texts('usage')
  const number = (title: string, valueOf: (row: Row) => number, wide = false): Column<Row> => ({
    title,
    wide,
    numeric: true,
    cell: (row) => formatNumber(valueOf(row)),
  })
  return [
    {
      title: t('name'),
      main: true,
      cell: (row) => (
        <div class="cell-main">
          <div class="break">
            <b>{personOf(row) || kindName(row.actorType)}</b>
            {personOf(row) ? <small>{kindName(row.actorType)}</small> : null}
          </div>
        </div>
      ),
    },
    number(t('events'), ({ events }) => events),
    number(t('requests'), ({ requests }) => requests),
    number(t('credits'), ({ credits }) => credits),
    number(t('views'), ({ productViews }) => productViews, true),
    number(t('visits'), ({ visits }) => visits, true),
    {
      title: t('lastUsed'),
      wide: true,
      cell: ({ lastUsedAt }) => <span class="muted nowrap-text">{formatTime(lastUsedAt)}</span>,
    },
  ]
}
