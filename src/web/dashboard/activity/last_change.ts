import { api, ask, type Schemas } from '../../api.ts'
import { texts } from '../../language.ts'
import { mayUse, useSession, useWorkspace } from '../../session.ts'
import { actorOf } from './words.ts'

type Of = { resourceId: string } | { topic: Schemas['ActivityTopic'] }

/** Finds out who changed something last; undefined if this role cannot know. */
export function useLastChange(of: Of): () => Promise<string | undefined> {
  const { workspaceId, role } = useWorkspace()
  const { id } = useSession().session.account
  return async () => {
    if (!mayUse(role, 'activity')) return undefined
    const params = { path: { workspaceId }, query: { ...of, pageSize: 1 } }
    const call = api.GET('/v1/workspaces/{workspaceId}/activity', { params })
    // Who it was is a courtesy: without it, the conflict can be decided just the same.
    const list = await ask(call).catch(() => undefined)
    const [last] = list?.activities ?? []
    if (!last) return undefined
    const isOwn = last.actorId === id && last.connectionName === ''
    const actor = actorOf(last)
    return isOwn ? texts('activity')('byYou', { name: actor }) : actor
  }
}
