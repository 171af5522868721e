import { Link } from 'wouter-preact'
import type { Schemas } from '../../api.ts'
import { Failed } from '../../kit/shell/states.tsx'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { Comparison } from '../usage/comparison.tsx'
import { DaysNote } from '../usage/days_note.tsx'
import { type Overview, weekDays } from './overview.ts'

/** How long credits last if every day is like those of the week; undefined if none were used. */
export function daysLeft(available: number, week: Schemas['Insights']): number | undefined {
  const { credits } = week.figures
  return credits <= 0 ? undefined : Math.floor((available / credits) * weekDays)
}

interface WeekProps {
  overview: Overview
  retry: () => void
}

/** What visitors did in the last seven days, against the seven before. */
export function Week({ overview: { week, weekFailure }, retry }: WeekProps) {
  const t = texts('home')
  const { workspaceId } = useWorkspace()
  if (weekFailure) return <Failed failure={weekFailure} retry={retry} />
  if (!week) return null
  return (
    <section class="stack" aria-labelledby="week">
      <header class="row">
        <h2 id="week" class="grow">
          {t('week')}
        </h2>
        <Link href={`/w/${workspaceId}/usage`}>{t('allUsage')}</Link>
      </header>
      <Comparison insights={week} />
      <DaysNote />
    </section>
  )
}
