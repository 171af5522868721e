import { Link } from 'wouter-preact'
import type { Schemas } from '../../api.ts'
import { Pill, type Tone } from '../../kit/shell/pill.tsx'
import { formatTime, texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { PutBack } from './put_back.tsx'
import { actorOf, deedOf, fieldLabel, valueText } from './words.ts'

type Activity = Schemas['Activity']

const tones: Record<ReturnType<typeof deedOf>, Tone> = {
  created: 'good',
  changed: 'info',
  deleted: 'bad',
  restored: 'good',
  undone: 'quiet',
}

/** Pages of single resources, by the prefix of their ids; others have one page for all. */
const pagesOf: Record<string, string> = {
  prod: 'products',
  coll: 'collections',
  cs: 'changes',
}

const prefixOf = (id: string) => id.split('_')[0] ?? ''

/** What the write was about: a change set also has an entry for each of its products. */
function topicOf({ topic, resourceId }: Activity): Activity['topic'] {
  return topic === 'change_sets' && prefixOf(resourceId) === 'prod' ? 'products' : topic
}

interface EntryProps {
  activity: Activity
  /** Where a write can be put back: what to do after that. */
  onPutBack?: () => void
}

/** One write: who, what and when; the changed fields below it. */
export function ActivityEntry({ activity, onPutBack }: EntryProps) {
  const t = texts('activity')
  const deed = deedOf(activity)
  return (
    <li class="activity">
      <div class="activity-line">
        <Pill tone={tones[deed]}>{t(deed)}</Pill>
        <span class="activity-what clamp">
          <Subject activity={activity} />{' '}
          <span class="muted">{t(`topic.${topicOf(activity)}`)}</span>
        </span>
        <span class="activity-by muted">
          {actorOf(activity)} · <span class="nowrap-text">{formatTime(activity.createdAt)}</span>
        </span>
      </div>
      {activity.changes.length > 0 ? (
        <details>
          <summary class="muted">
            {activity.changes.map(({ field }) => fieldLabel(field)).join(', ')}
          </summary>
          <dl class="changes">
            {activity.changes.map(({ field, before, after }) => (
              <div key={field}>
                <dt>{fieldLabel(field)}</dt>
                <dd class="break">
                  <del>{valueText(field, before)}</del> → <ins>{valueText(field, after)}</ins>
                </dd>
              </div>
            ))}
          </dl>
        </details>
      ) : null}
      {onPutBack ? <PutBack activity={activity} onDone={onPutBack} /> : null}
    </li>
  )
}

function Subject({ activity }: { activity: Activity }) {
  const { workspaceId } = useWorkspace()
  const { resourceId, resourceName } = activity
  const page = pagesOf[prefixOf(resourceId)]
  if (!page || resourceName === '' || deedOf(activity) === 'deleted') return <b>{resourceName}</b>
  return <Link href={`/w/${workspaceId}/${page}/${resourceId}`}>{resourceName}</Link>
}
