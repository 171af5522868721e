import { api, ask, type Schemas } from '../../api.ts'
import { Select } from '../../kit/forms/select.tsx'
import { Filters, setFilter } from '../../kit/lists/filters.tsx'
import { NothingFound, Paged, Toolbar, useIsBlank } from '../../kit/lists/list_tools.tsx'
import { Page } from '../../kit/shell/page.tsx'
import { Empty, Loaded } from '../../kit/shell/states.tsx'
import { useLoad } from '../../kit/shell/use_load.ts'
import { useQuery } from '../../kit/lists/use_query.ts'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { ActivityEntry } from './entry.tsx'

const defaults = { page: '1', topic: '', actorType: '', resourceId: '' }
type ActivityQuery = typeof defaults

const topics = [
  'products',
  'collections',
  'tags',
  'media',
  'questions',
  'website',
  'ai_settings',
  'workspace',
  'members',
] as const satisfies Schemas['ActivityTopic'][]
const actorTypes = ['OWNER', 'STAFF', 'API_KEY', 'AGENT'] as const satisfies Schemas['ActorType'][]

function listActivity(
  workspaceId: string,
  { page, ...filters }: ActivityQuery,
  signal: AbortSignal,
) {
  const active = Object.entries(filters).filter(([, value]) => value !== '')
  const query = {
    ...Object.fromEntries(active),
    page: Number(page),
    pageSize: 25,
    view: 'full' as const,
  }
  const params = { path: { workspaceId }, query }
  return ask(api.GET('/v1/workspaces/{workspaceId}/activity', { signal, params }))
}

/** Who changed what, and when. */
export function ActivityPage() {
  const { workspaceId } = useWorkspace()
  const t = texts('activity')
  const [query, change] = useQuery(defaults)
  const list = useLoad(
    (signal) => listActivity(workspaceId, query, signal),
    [workspaceId, JSON.stringify(query)],
  )
  const topicChoices = [
    { value: '', label: t('allTopics') },
    ...topics.map((value) => ({ value, label: t(`topic.${value}`) })),
  ]
  const actorChoices = [
    { value: '', label: t('allActors') },
    ...actorTypes.map((value) => ({ value, label: t(`actor.${value}`) })),
  ]
  const isBlank = useIsBlank(
    list,
    query.topic !== '' || query.actorType !== '' || query.resourceId !== '',
  )
  return (
    <Page title={t('title')} about={t('about')}>
      {isBlank ? null : (
        <Toolbar>
          <Filters
            active={[
              ...setFilter(query.topic, topicChoices, () => change({ topic: '' })),
              ...setFilter(query.actorType, actorChoices, () => change({ actorType: '' })),
            ]}
          >
            <Select
              label={t('allTopics')}
              value={query.topic}
              onChange={(topic) => change({ topic, resourceId: '' })}
              choices={topicChoices}
            />
            <Select
              label={t('allActors')}
              value={query.actorType}
              onChange={(actorType) => change({ actorType })}
              choices={actorChoices}
            />
          </Filters>
          {query.resourceId === '' ? null : (
            <button type="button" onClick={() => change({ resourceId: '' })}>
              {t('showAll')}
            </button>
          )}
        </Toolbar>
      )}
      <Loaded load={list}>
        {({ activities, pagination }) => (
          <Paged
            pagination={pagination}
            onPage={(page) => change({ page })}
            none={
              isBlank ? (
                <Empty icon="clock" title={t('none')} hint={t('noneHint')} />
              ) : (
                <NothingFound onClear={() => change(defaults)} />
              )
            }
          >
            <div class="card">
              <ul class="activities plain-list">
                {activities.map((activity) => (
                  <ActivityEntry key={activity.id} activity={activity} onPutBack={list.reload} />
                ))}
              </ul>
            </div>
          </Paged>
        )}
      </Loaded>
    </Page>
  )
}
