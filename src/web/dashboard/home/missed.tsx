import { Link } from 'wouter-preact'
import type { Schemas } from '../../api.ts'
import type { Load } from '../../kit/shell/use_load.ts'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { Counts } from '../usage/site.tsx'

const shown = 5

/** What visitors of the last seven days searched for in vain: what to add, or to name as they do. */
export function Missed({ figures: { value } }: { figures: Load<Schemas['SiteFigures'] | null> }) {
  const t = texts('home')
  const { workspaceId } = useWorkspace()
  if (!value || value.missed.length === 0) return null
  return (
    <section class="card" aria-labelledby="missed">
      <header>
        <h2 id="missed">{t('missed')}</h2>
        <Link href={`/w/${workspaceId}/usage`}>{t('allUsage')}</Link>
      </header>
      <Counts counts={value.missed.slice(0, shown)} />
    </section>
  )
}
