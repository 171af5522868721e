import { useMemo } from 'preact/hooks'
import { api, ask, type Schemas } from '../../api.ts'
import { DateField } from '../../kit/forms/date_field.tsx'
import { CheckField } from '../../kit/forms/fields.tsx'
import { ExportLink } from '../../kit/lists/export_link.tsx'
import { Toolbar } from '../../kit/lists/list_tools.tsx'
import { useQuery } from '../../kit/lists/use_query.ts'
import { Page } from '../../kit/shell/page.tsx'
import { Empty, Loaded } from '../../kit/shell/states.tsx'
import { useLoad } from '../../kit/shell/use_load.ts'
import { formatDays, texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { day, daysAgo, shopDays } from '../../time.ts'
import { Chart } from './chart.tsx'
import { Comparison } from './comparison.tsx'
import { DaysNote } from './days_note.tsx'
import { Everybody } from './everybody.tsx'
import { Modes } from './modes.tsx'
import { Products } from './products.tsx'
import { Questions } from './questions.tsx'
import { datesBetween, type Series } from './series.ts'
import { Site } from './site.tsx'
import type { ChangeQuery, UsageQuery } from './usage_query.ts'

/** What visitors did, against the days before; on request, what everybody did. */
export function UsagePage() {
  const { workspaceId, timeZone } = useWorkspace()
  const t = texts('usage')
  const { from: first, to: today } = shopDays(30, timeZone)
  const defaults = { page: '1', from: first, to: today, by: 'ACTOR', metric: 'events', all: '' }
  const [query, change] = useQuery<UsageQuery>(defaults)
  const { from, to } = query
  const days = 'SHOP' as const
  const params = { path: { workspaceId }, query: { from, to, days } }
  const insights = useLoad(
    (signal) => ask(api.GET('/api/workspaces/{workspaceId}/insights', { signal, params })),
    [workspaceId, from, to, timeZone],
  )
  // Drawn for other figures alone: on a phone, the touch of another range would wait for the chart.
  const visitors = useMemo(
    () => insights.value && <Visitors insights={insights.value} />,
    [insights.value],
  )
  return (
    <Page
      title={t('title')}
      about={t('about')}
      actions={
        <ExportLink
          path={`/v1/workspaces/${workspaceId}/usage/events/export`}
          filters={{ from, to, days }}
          label={t('exportEvents')}
        />
      }
    >
      <RangeBar query={query} change={change} />
      <DaysNote />
      <Compared from={from} to={to} />
      <Loaded load={insights}>{() => visitors}</Loaded>
      {/* Asked for at once, but shown after the figures above, which would push it away. */}
      <div class="loaded" hidden={!insights.value && !insights.failure}>
        <Questions from={from} to={to} />
        <Site from={from} to={to} />
        <Products from={from} to={to} />
        <CheckField
          name="all"
          label={t('everybody')}
          hint={t('everybodyHint')}
          checked={query.all !== ''}
          onChange={(isAll) => change({ all: isAll ? '1' : '' })}
        />
        {query.all === '' ? null : <Everybody query={query} change={change} />}
      </div>
    </Page>
  )
}

const spans = [7, 30, 90] as const

function RangeBar({ query, change }: { query: UsageQuery; change: ChangeQuery }) {
  const t = texts('usage')
  const { timeZone } = useWorkspace()
  const today = daysAgo(0, timeZone)
  return (
    <Toolbar>
      <div class="chips">
        {spans.map((count) => (
          <button
            key={count}
            type="button"
            class="chip"
            aria-label={t('lastDaysLong', { count })}
            aria-pressed={query.from === daysAgo(count - 1, timeZone) && query.to === today}
            onClick={() => change({ from: daysAgo(count - 1, timeZone), to: today })}
          >
            {t('lastDays', { count })}
          </button>
        ))}
      </div>
      <div class="range">
        <div class="inline-field">
          {t('from')}
          <DateField
            label={t('from')}
            value={query.from}
            max={query.to}
            onChange={(from) => change({ from })}
          />
        </div>
        <div class="inline-field">
          {t('to')}
          <DateField
            label={t('to')}
            value={query.to}
            min={query.from}
            onChange={(to) => change({ to })}
          />
        </div>
      </div>
    </Toolbar>
  )
}

const counted = ['visits', 'views', 'questions', 'clicks'] as const

/** The figures of visitors by day. */
function seriesOf({ days, from, to, figures }: Schemas['Insights']): Series {
  const t = texts('usage')
  const byDate = new Map(days.map((one) => [one.date, one]))
  return {
    dates: datesBetween(from, to),
    keys: counted.filter((key) => figures[key] > 0),
    at: (date, key) => byDate.get(date)?.[key as (typeof counted)[number]] ?? 0,
    nameOf: (key) => t(`visitors.${key as (typeof counted)[number]}`),
  }
}

/** Said before the figures come, which are compared with as many days before. */
function Compared({ from, to }: { from: string; to: string }) {
  const t = texts('usage')
  // The address may hold anything; the service says what is wrong with it.
  if (!(Date.parse(from) <= Date.parse(to))) return null
  const length = datesBetween(from, to).length * day
  const earlier = (date: string, by: number) =>
    new Date(Date.parse(date) - by).toISOString().slice(0, 10)
  const before = formatDays(earlier(from, length), earlier(from, day))
  return <p class="muted">{t('comparedWith', { days: formatDays(from, to), before })}</p>
}

function Visitors({ insights }: { insights: Schemas['Insights'] }) {
  const t = texts('usage')
  const days = formatDays(insights.from, insights.to)
  const series = seriesOf(insights)
  return (
    <div class="stack">
      <Comparison insights={insights} />
      {series.keys.length === 0 ? (
        <Empty icon="chart" title={t('noVisitors')} hint={t('nothingHint')} />
      ) : (
        <section class="card" aria-labelledby="visitors">
          <h2 id="visitors">{t('visitors')}</h2>
          <Chart series={series} label={t('visitorsChart', { days })} />
        </section>
      )}
      <Modes modes={insights.modes} />
    </div>
  )
}
