import type { Schemas } from '../../api.ts'
import { limits } from '../../../generated/limits.ts'

type Patch = Schemas['ChangeSetSelection']['change']

/** What is done with many products: a change of each, or their deletion for good. */
export interface BulkChange {
  /** What people call it. */
  title: string
  change: Patch | 'delete'
}

/** Which products: chosen ones, or all that match the filters of the list. */
export type BulkTarget = { ids: readonly string[] } | { where: Schemas['ProductSelection'] }

/** The change set for it. */
export function changeSetOf(
  { title, change }: BulkChange,
  target: BulkTarget,
): Schemas['ChangeSetCreate'] {
  const named = { title: title.slice(0, limits.ChangeSetCreate.title.maxLength) }
  if ('ids' in target)
    return {
      ...named,
      rows: target.ids.map((id) =>
        change === 'delete' ? { action: 'delete', id } : { action: 'patch', id, data: change },
      ),
    }
  // A selection changes what it finds; only chosen products are deleted for good.
  if (change === 'delete') throw new Error('Only chosen products can be deleted for good.')
  return { ...named, select: { where: target.where, change } }
}
