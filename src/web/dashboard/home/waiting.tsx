import { Link } from 'wouter-preact'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { actorText, countsText, titleOf } from '../changes/change_set.ts'
import type { Overview } from './overview.ts'

/** What agents want to do, and may not without the word of a person. */
export function Waiting({ overview: { waiting } }: { overview: Overview }) {
  const t = texts('home')
  const { workspaceId } = useWorkspace()
  if (!waiting || waiting.sets.length === 0) return null
  const changes = `/w/${workspaceId}/changes`
  return (
    <section class="card" aria-labelledby="waiting">
      <header>
        <h2 id="waiting">{t('waiting', { count: waiting.total })}</h2>
        <Link href={changes}>{t('allChanges')}</Link>
      </header>
      <ul class="plain-list">
        {waiting.sets.map((set) => (
          <li key={set.id} class="row">
            <span class="grow">
              <Link class="clamp" href={`${changes}/${set.id}`}>
                {titleOf(set)}
              </Link>
              <small class="muted">
                {actorText(set.createdBy)} · {countsText(set)}
              </small>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
