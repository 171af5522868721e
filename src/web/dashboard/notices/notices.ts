import { api, ask } from '../../api.ts'
import type { IconName } from '../../kit/shell/icons.tsx'
import { texts } from '../../language.ts'
import { type Membership, mayUse } from '../../session.ts'
import { day } from '../../time.ts'
import { soldOut, soldOutAt } from '../products/sold_out.ts'

/** Something that concerns the reader, and where it is dealt with. */
export interface Notice {
  icon: IconName
  text: string
  href: string
}

const base = '/v1/workspaces/{workspaceId}'
/** What is older has been seen or does not matter. */
const recentDays = 7

const isRecent = (time: string) => Date.now() - Date.parse(time) < recentDays * day

/** All that concerns the member of a workspace now. */
export async function readNotices(membership: Membership, invitations: number): Promise<Notice[]> {
  const { role } = membership
  const parts: Promise<Notice[]>[] = []
  if (mayUse(role, 'questions')) parts.push(readQuestions(membership))
  if (mayUse(role, 'change_sets')) parts.push(readWaiting(membership))
  if (mayUse(role, 'feedback')) parts.push(readFeedback(membership))
  if (mayUse(role, 'products')) parts.push(readStock(membership))
  if (mayUse(role, 'wallet') && mayUse(role, 'credits')) parts.push(readCredits(membership))
  if (role === 'owner') parts.push(readAgents())
  const t = texts('notices')
  const own: Notice[] =
    invitations === 0
      ? []
      : [{ icon: 'inbox', text: t('invitations', { count: invitations }), href: '/invitations' }]
  return [...own, ...(await Promise.all(parts)).flat()]
}

async function readQuestions({ workspaceId }: Membership): Promise<Notice[]> {
  const params = { path: { workspaceId }, query: { pageSize: 1 } }
  const { pagination } = await ask(api.GET(`${base}/questions/unanswered`, { params }))
  return counted('chat', 'unanswered', pagination.total, `/w/${workspaceId}/unanswered`)
}

async function readWaiting({ workspaceId }: Membership): Promise<Notice[]> {
  const params = { path: { workspaceId }, query: { waiting: true, pageSize: 1 } }
  const { pagination } = await ask(api.GET(`${base}/change-sets`, { params }))
  return counted('replace', 'changes', pagination.total, `/w/${workspaceId}/changes`)
}

async function readFeedback({ workspaceId }: Membership): Promise<Notice[]> {
  const params = { path: { workspaceId }, query: { pageSize: 20 } }
  const { feedbacks } = await ask(api.GET(`${base}/feedback`, { params }))
  const count = feedbacks.filter(({ createdAt }) => isRecent(createdAt)).length
  return counted('inbox', 'feedback', count, `/w/${workspaceId}/feedback`)
}

async function readStock({ workspaceId }: Membership): Promise<Notice[]> {
  const params = { path: { workspaceId }, query: { ...soldOut, pageSize: 1 } }
  const { pagination } = await ask(api.GET(`${base}/products`, { params }))
  return counted('bag', 'soldOut', pagination.total, soldOutAt(workspaceId))
}

async function readCredits({ workspaceId }: Membership): Promise<Notice[]> {
  const params = { path: { workspaceId } }
  const [{ available }, { below }] = await Promise.all([
    ask(api.GET(`${base}/wallet`, { params })),
    ask(api.GET('/api/workspaces/{workspaceId}/balance-alert', { params })),
  ])
  if (available > 0 && (below === null || available >= below)) return []
  const text = texts('notices')('credits', { count: Math.max(0, available) })
  return [{ icon: 'wallet', text, href: `/w/${workspaceId}/wallet` }]
}

async function readAgents(): Promise<Notice[]> {
  const { connections } = await ask(api.GET('/api/connections'))
  return connections
    .filter(({ createdAt, revokedAt }) => revokedAt === null && isRecent(createdAt))
    .map(({ clientName }) => ({
      icon: 'key',
      text: texts('notices')('agent', { name: clientName }),
      href: '/integrations',
    }))
}

function counted(
  icon: IconName,
  key: 'unanswered' | 'changes' | 'feedback' | 'soldOut',
  count: number,
  href: string,
): Notice[] {
  return count === 0 ? [] : [{ icon, text: texts('notices')(key, { count }), href }]
}
