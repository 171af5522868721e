import { Link } from 'wouter-preact'
import { Page } from '../../kit/shell/page.tsx'
import { Loaded } from '../../kit/shell/states.tsx'
import { useLoad } from '../../kit/shell/use_load.ts'
import { formatNumber, texts } from '../../language.ts'
import { apiOrigin, useWorkspace } from '../../session.ts'
import { ActivityEntry } from '../activity/entry.tsx'
import { soldOutAt } from '../products/sold_out.ts'
import { WhereToVisit } from '../website/where.tsx'
import { Checklist } from './checklist.tsx'
import { type Overview, readOverview } from './overview.ts'
import { Missed } from './missed.tsx'
import { OpenQuestions } from './questions.tsx'
import { Waiting } from './waiting.tsx'
import { daysLeft, Week } from './week.tsx'

/** Where a member begins: what to do next, how the week is going, what changed lately. */
export function HomePage() {
  const membership = useWorkspace()
  const t = texts('home')
  const { workspaceId, timeZone } = membership
  const load = useLoad(() => readOverview(membership), [workspaceId, timeZone])
  return (
    <Page title={membership.workspaceName} about={t('about')} actions={<WhereToVisit />}>
      <Loaded load={load}>
        {(overview) => (
          <>
            <Waiting overview={overview} />
            <Checklist overview={overview} />
            <OpenQuestions overview={overview} onReplied={load.reload} />
            <Week overview={overview} retry={load.reload} />
            <Missed overview={overview} />
            <Figures overview={overview} />
            <Latest overview={overview} />
            <Docs />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function Figures({ overview: { soldOut, wallet, week } }: { overview: Overview }) {
  const t = texts('home')
  const { workspaceId } = useWorkspace()
  const base = `/w/${workspaceId}`
  const lasts = wallet && week && daysLeft(wallet.available, week)
  const figures = [
    {
      label: t('soldOut'),
      value: soldOut,
      note: undefined,
      href: soldOutAt(workspaceId),
    },
    {
      label: t('credits'),
      value: wallet?.available,
      note: lasts === undefined ? undefined : t('lasts', { count: lasts }),
      href: `${base}/wallet`,
    },
  ]
  return (
    <div class="cards figures">
      {figures.map(({ label, value, note, href }) =>
        value === undefined ? null : (
          <Link key={label} class="card figure" href={href}>
            <span class="muted">{label}</span>
            <b>{formatNumber(value)}</b>
            {note ? <small class="muted">{note}</small> : null}
          </Link>
        ),
      )}
    </div>
  )
}

function Latest({ overview: { latest } }: { overview: Overview }) {
  const t = texts('home')
  const { workspaceId } = useWorkspace()
  if (!latest || latest.length === 0) return null
  return (
    <section class="card" aria-labelledby="latest">
      <header>
        <h2 id="latest">{t('latest')}</h2>
        <Link href={`/w/${workspaceId}/activity`}>{t('allActivity')}</Link>
      </header>
      <ul class="activities plain-list">
        {latest.map((activity) => (
          <ActivityEntry key={activity.id} activity={activity} />
        ))}
      </ul>
    </section>
  )
}

/** Where the site is built from: the reference of the API. */
function Docs() {
  const t = texts('home')
  return (
    <p>
      <a href={`${apiOrigin()}/docs`}>{t('docsLink')}</a>
    </p>
  )
}
