import { api, ask, type Schemas } from '../../api.ts'
import { Select } from '../../kit/forms/select.tsx'
import { Toolbar } from '../../kit/lists/list_tools.tsx'
import { Icon } from '../../kit/shell/icons.tsx'
import { Empty, Loaded } from '../../kit/shell/states.tsx'
import { useLoad } from '../../kit/shell/use_load.ts'
import { formatDays, formatNumber, texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { Actors } from './actors.tsx'
import { Chart } from './chart.tsx'
import { downloadCsv } from './csv.ts'
import { NumbersTable, tableRows } from './numbers.tsx'
import { type Metric, seriesOf } from './series.ts'
import type { ChangeQuery, UsageQuery } from './usage_query.ts'

/** What was done by anybody, the team, its keys and its agents too: by actor or by operation. */
export function Everybody({ query, change }: { query: UsageQuery; change: ChangeQuery }) {
  const { workspaceId, timeZone } = useWorkspace()
  const t = texts('usage')
  const { from, to } = query
  const by = query.by === 'EVENT' ? 'EVENT' : 'ACTOR'
  const metric: Metric = query.metric === 'credits' ? 'credits' : 'events'
  const days = useLoad(
    (signal) =>
      ask(
        api.GET('/api/workspaces/{workspaceId}/usage/days', {
          signal,
          params: { path: { workspaceId }, query: { from, to, by, days: 'SHOP' } },
        }),
      ),
    [workspaceId, from, to, by, timeZone],
  )
  const exportCsv = () => {
    if (!days.value) return
    const rows = tableRows(seriesOf(days.value, metric))
    downloadCsv(`vitrine-${metric}-${from}-${to}.csv`, rows)
  }
  return (
    <>
      <Toolbar>
        <Select
          label={t('by')}
          value={query.by}
          choices={[
            { value: 'ACTOR', label: t('byActor') },
            { value: 'EVENT', label: t('byEvent') },
          ]}
          onChange={(value) => change({ by: value })}
        />
        <Select
          label={t('metric')}
          value={query.metric}
          choices={[
            { value: 'events', label: t('events') },
            { value: 'credits', label: t('credits') },
          ]}
          onChange={(value) => change({ metric: value })}
        />
        <button type="button" onClick={exportCsv} disabled={!days.value?.days.length}>
          <Icon name="down" />
          {t('exportCsv')}
        </button>
      </Toolbar>
      <Loaded load={days}>{(value) => <OverTime value={value} metric={metric} />}</Loaded>
      <Actors from={from} to={to} page={query.page} onPage={(page) => change({ page })} />
    </>
  )
}

function OverTime({ value, metric }: { value: Schemas['UsageByDay']; metric: Metric }) {
  const t = texts('usage')
  const series = seriesOf(value, metric)
  const days = formatDays(value.from, value.to)
  const total = value.days.reduce((sum, one) => sum + one[metric], 0)
  if (series.keys.length === 0)
    return <Empty icon="chart" title={t('nothing')} hint={t('nothingHint')} />
  return (
    <>
      <section class="card" aria-labelledby="over-time">
        <h2 id="over-time">{t('overTime')}</h2>
        <Chart series={series} label={t('chart', { metric: t(metric), days })} />
      </section>
      <details class="card" open>
        <summary>
          {t('numbers')} · {t('total')}: {formatNumber(total)}
        </summary>
        <NumbersTable series={series} />
      </details>
    </>
  )
}
