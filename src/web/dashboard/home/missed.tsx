import { Link } from 'wouter-preact'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { Counts } from '../usage/site.tsx'
import type { Overview } from './overview.ts'

const shown = 5

/** What visitors searched for in vain: what to add, or to name as they do. */
export function Missed({ overview: { missed } }: { overview: Overview }) {
  const t = texts('home')
  const { workspaceId } = useWorkspace()
  if (!missed || missed.length === 0) return null
  return (
    <section class="card" aria-labelledby="missed">
      <header>
        <h2 id="missed">{t('missed')}</h2>
        <Link href={`/w/${workspaceId}/usage`}>{t('allUsage')}</Link>
      </header>
      <Counts counts={missed.slice(0, shown)} />
    </section>
  )
}
