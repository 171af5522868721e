import type { Schemas } from '../../api.ts'
import { texts } from '../../language.ts'
import { day } from '../../time.ts'

export type ChangeSet = Schemas['ChangeSet']

export const setPath = '/v1/workspaces/{workspaceId}/change-sets/{id}'

/** Whether a step goes on in the background. */
export function isUnderWay({ state }: ChangeSet): boolean {
  return state === 'PLANNING' || state === 'APPLYING' || state === 'UNDOING'
}

/** How long an applied set can be undone. */
const undoDays = 30

export function mayBeUndone({ state, appliedAt }: ChangeSet): boolean {
  if (state !== 'APPLIED' || appliedAt === null) return false
  return Date.parse(appliedAt) > Date.now() - undoDays * day
}

/** How many products the set changes, creates or deletes. */
export function writesOf({ counts }: ChangeSet): number {
  return counts.creates + counts.updates + counts.deletes
}

export function titleOf({ title, fileName, createdBy }: ChangeSet): string {
  const t = texts('changes')
  return title || fileName || t('untitled', { name: createdBy.name })
}

/** What the rows do, in words: "12 new, 3 changed". */
export function countsText({ counts, state, progress }: ChangeSet): string {
  const t = texts('changes')
  if (state === 'PLANNING') return t('rowCount', { count: progress.total })
  const kinds = ['creates', 'updates', 'deletes', 'unchanged', 'errors'] as const
  const parts = kinds
    .filter((kind) => counts[kind] > 0)
    .map((kind) => t(`count.${kind}`, { count: counts[kind] }))
  return parts.join(', ') || t('rowCount', { count: 0 })
}

/** A person, or a key or an agent by name. */
export function actorText({ type, name }: Schemas['ChangeSetActor']): string {
  const t = texts('changes')
  if (type === 'API_KEY') return t('byKey', { name })
  return type === 'AGENT' ? t('byAgent', { name }) : name
}

/** What goes on now, and how far it is; applying and undoing are one step for all rows. */
export function progressOf(set: ChangeSet): { text: string; value?: number } {
  const { state, progress } = set
  const t = texts('changes')
  if (state !== 'PLANNING')
    return { text: t(state === 'UNDOING' ? 'undoing' : 'applying', { count: writesOf(set) }) }
  const { done, total } = progress
  return { text: t('planning', { done, total }), ...(total > 0 && { value: done / total }) }
}

/** What has become of a set that was to be applied or undone, in a sentence. */
export function outcomeText(set: ChangeSet, aim: 'apply' | 'undo'): string {
  const t = texts('changes')
  if (set.state === 'UNDONE') return t('wasUndone')
  if (set.state === 'APPLIED' && aim === 'apply') return appliedText(set)
  if (set.failure !== null) return set.failure
  return t(set.counts.errors > 0 ? 'noneChanged' : 'nothingToChange')
}

function appliedText({ counts }: ChangeSet): string {
  const t = texts('changes')
  const { creates, updates, deletes } = counts
  const kinds = { done: updates, created: creates, deleted: deletes }
  const parts = Object.entries(kinds)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => t(`was.${kind as keyof typeof kinds}`, { count }))
  return parts.join(' · ')
}
