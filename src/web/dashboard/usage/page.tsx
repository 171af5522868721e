import { api, ask, type Schemas } from '../../api.ts'
import { Select } from '../../kit/forms/fields.tsx'
import { Icon } from '../../kit/shell/icons.tsx'
import { ExportLink } from '../../kit/lists/export_link.tsx'
import { Toolbar } from '../../kit/lists/list_tools.tsx'
import { Page } from '../../kit/shell/page.tsx'
import { Empty, Loaded } from '../../kit/shell/states.tsx'
import { useLoad } from '../../kit/shell/use_load.ts'
import { useQuery } from '../../kit/lists/use_query.ts'
import { formatDays, formatNumber, texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { day } from '../../time.ts'
import { Chart } from './chart.tsx'
import { downloadCsv } from './csv.ts'
import { Actors } from './actors.tsx'
import { NumbersTable, tableRows } from './numbers.tsx'
import { Products } from './products.tsx'
import { type Metric, type Series, seriesOf } from './series.ts'

function daysAgo(days: number): string {
  return new Date(Date.now() - days * day).toISOString().slice(0, 10)
}

interface Query extends Record<string, string> {
  page: string
  from: string
  to: string
  by: string
  metric: string
}

/** Usage over time by actor or operation: chart, table, actors and CSV download. */
export function UsagePage() {
  const { workspaceId } = useWorkspace()
  const t = texts('usage')
  const defaults = { page: '1', from: daysAgo(29), to: daysAgo(0), by: 'ACTOR', metric: 'events' }
  const [query, change] = useQuery<Query>(defaults)
  const { from, to } = query
  const by = query.by === 'EVENT' ? 'EVENT' : 'ACTOR'
  const metric: Metric = query.metric === 'credits' ? 'credits' : 'events'
  const days = useLoad(
    (signal) =>
      ask(
        api.GET('/api/workspaces/{workspaceId}/usage/days', {
          signal,
          params: { path: { workspaceId }, query: { from, to, by } },
        }),
      ),
    [workspaceId, from, to, by],
  )
  const exportCsv = () => {
    if (!days.value) return
    const rows = tableRows(seriesOf(days.value, metric))
    downloadCsv(`vitrine-${metric}-${from}-${to}.csv`, rows)
  }
  return (
    <Page
      title={t('title')}
      about={t('about')}
      actions={
        <>
          <button type="button" onClick={exportCsv} disabled={!days.value?.days.length}>
            <Icon name="down" />
            {t('exportCsv')}
          </button>
          <ExportLink
            path={`/v1/workspaces/${workspaceId}/usage/events/export`}
            filters={{ from, to }}
            label={t('exportEvents')}
          />
        </>
      }
    >
      <RangeBar query={query} change={change} />
      <Loaded load={days}>{(value) => <OverTime value={value} metric={metric} />}</Loaded>
      <Actors from={from} to={to} page={query.page} onPage={(page) => change({ page })} />
      <Products from={from} to={to} key={`${from} ${to}`} />
    </Page>
  )
}

const spans = [7, 30, 90] as const

function RangeBar({ query, change }: { query: Query; change: (part: Partial<Query>) => void }) {
  const t = texts('usage')
  return (
    <Toolbar>
      <div class="range">
        <label class="inline-field">
          {t('from')}
          <input
            type="date"
            value={query.from}
            max={query.to}
            onChange={({ currentTarget }) =>
              currentTarget.value && change({ from: currentTarget.value })
            }
          />
        </label>
        <label class="inline-field">
          {t('to')}
          <input
            type="date"
            value={query.to}
            min={query.from}
            onChange={({ currentTarget }) =>
              currentTarget.value && change({ to: currentTarget.value })
            }
          />
        </label>
      </div>
      <div class="chips">
        {spans.map((count) => (
          <button
            key={count}
            type="button"
            class="chip"
            aria-label={t('lastDaysLong', { count })}
            aria-pressed={query.from === daysAgo(count - 1) && query.to === daysAgo(0)}
            onClick={() => change({ from: daysAgo(count - 1), to: daysAgo(0) })}
          >
            {t('lastDays', { count })}
          </button>
        ))}
      </div>
      <Select
        label={t('by')}
        value={query.by}
        choices={[
          { value: 'ACTOR', label: t('byActor') },
          { value: 'EVENT', label: t('byEvent') },
        ]}
        onChange={(by) => change({ by })}
      />
      <Select
        label={t('metric')}
        value={query.metric}
        choices={[
          { value: 'events', label: t('events') },
          { value: 'credits', label: t('credits') },
        ]}
        onChange={(metric) => change({ metric })}
      />
    </Toolbar>
  )
}

function OverTime({ value, metric }: { value: Schemas['UsageByDay']; metric: Metric }) {
  const t = texts('usage')
  const series = seriesOf(value, metric)
  const days = formatDays(value.from, value.to)
  return (
    <div class="stack">
      {/* The fields above are in the browser's form; here the days are in the reader's. */}
      <p class="muted">{days}</p>
      {series.keys.length === 0 ? (
        <Empty icon="chart" title={t('nothing')} hint={t('nothingHint')} />
      ) : (
        <DaysOf {...{ value, metric, series, days }} />
      )}
    </div>
  )
}

interface DaysProps {
  value: Schemas['UsageByDay']
  metric: Metric
  series: Series
  days: string
}

function DaysOf({ value, metric, series, days }: DaysProps) {
  const t = texts('usage')
  return (
    <>
      <section class="card" aria-labelledby="over-time">
        <h2 id="over-time">{t('overTime')}</h2>
        <Chart series={series} label={t('chart', { metric: t(metric), days })} />
      </section>
      <details class="card" open>
        <summary>
          {t('numbers')} · {t('total')}: {formatNumber(totalOf(value, metric))}
        </summary>
        <NumbersTable series={series} />
      </details>
    </>
  )
}

function totalOf({ days }: Schemas['UsageByDay'], metric: Metric): number {
  return days.reduce((sum, one) => sum + one[metric], 0)
}
