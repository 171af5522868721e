import { Link } from 'wouter-preact'
import { api, ask, type Schemas } from '../../api.ts'
import { Loaded } from '../../kit/shell/states.tsx'
import { type Load, useLoad } from '../../kit/shell/use_load.ts'
import { texts } from '../../language.ts'
import { mayUse, useWorkspace } from '../../session.ts'
import { shopDays } from '../../time.ts'
import { Comparison } from '../usage/comparison.tsx'
import { DaysNote } from '../usage/days_note.tsx'

type Insights = Schemas['Insights']

const weekDays = 7

/** The last seven days and the seven before; null where the role may not know. */
export function useWeek(): Load<Insights | null> {
  const { workspaceId, role, timeZone } = useWorkspace()
  const query = shopDays(weekDays, timeZone)
  const params = { path: { workspaceId }, query }
  return useLoad<Insights | null>(
    (signal) =>
      mayUse(role, 'usage')
        ? ask(api.GET('/api/workspaces/{workspaceId}/insights', { signal, params }))
        : Promise.resolve(null),
    [workspaceId, timeZone],
  )
}

/** How long credits last if every day is like those of the week; undefined if none were used. */
export function daysLeft(available: number, week: Insights): number | undefined {
  const { credits } = week.figures
  return credits <= 0 ? undefined : Math.floor((available / credits) * weekDays)
}

/** What visitors did in the last seven days, against the seven before. */
export function Week({ load }: { load: Load<Insights | null> }) {
  const t = texts('home')
  const { workspaceId } = useWorkspace()
  if (load.value === null) return null
  return (
    <section class="stack" aria-labelledby="week">
      <header class="row">
        <h2 id="week" class="grow">
          {t('week')}
        </h2>
        <Link href={`/w/${workspaceId}/usage`}>{t('allUsage')}</Link>
      </header>
      <Loaded load={load}>
        {(insights) =>
          insights ? (
            <>
              <Comparison insights={insights} />
              <DaysNote />
            </>
          ) : null
        }
      </Loaded>
    </section>
  )
}
