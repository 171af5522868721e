import { useRef, useState } from 'preact/hooks'
import { api, ask } from '../../api.ts'
import { useLoad } from '../../kit/shell/use_load.ts'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import type { BulkChange } from './bulk_change.ts'

/** Limit of a usable list of choices. */
const maxChoices = 100

interface ActionsProps {
  areDeleted: boolean
  /** Whether all products that match are meant, not only chosen ones. */
  isAll: boolean
  onChoose: (change: BulkChange) => void
}

/** What can be done with the selected products. */
export function BulkActions({ areDeleted, isAll, onChoose }: ActionsProps) {
  const t = texts('catalogue')
  const setStatus = (status: 'ACTIVE' | 'INACTIVE' | 'DELETED', title: string): BulkChange => ({
    title,
    change: { status },
  })
  const named = (status: 'ACTIVE' | 'INACTIVE') =>
    setStatus(status, t('setStatus', { status: t(`status.${status}`) }))
  const changes = areDeleted
    ? [
        setStatus('ACTIVE', t('restoreProduct')),
        ...(isAll ? [] : [{ title: t('deleteForGood'), change: 'delete' } satisfies BulkChange]),
      ]
    : [named('ACTIVE'), named('INACTIVE'), setStatus('DELETED', t('bulkDelete'))]
  return (
    <>
      {changes.map((change) => (
        <button key={change.title} type="button" onClick={() => onChoose(change)}>
          {change.title}
        </button>
      ))}
      {areDeleted ? null : <Associations onChoose={onChoose} />}
    </>
  )
}

/** Tags and collections to add the products to, or to take them out of. */
function Associations({ onChoose }: Pick<ActionsProps, 'onChoose'>) {
  const { workspaceId } = useWorkspace()
  const t = texts('catalogue')
  const params = { path: { workspaceId }, query: { pageSize: maxChoices } }
  const summary = { ...params, query: { ...params.query, view: 'summary' as const } }
  const tags = useLoad(() => ask(api.GET('/v1/workspaces/{workspaceId}/tags', { params })), [])
  const collections = useLoad(
    () => ask(api.GET('/v1/workspaces/{workspaceId}/collections', { params: summary })),
    [],
  )
  return (
    <>
      <AddOrRemove
        label={t('bulkTags')}
        items={tags.value?.tags ?? []}
        groups={[
          {
            label: t('bulkAddTag'),
            changeOf: ({ id, name }) => ({
              title: t('tagAdded', { name }),
              change: { addTagIds: [id] },
            }),
          },
          {
            label: t('bulkRemoveTag'),
            changeOf: ({ id, name }) => ({
              title: t('tagRemoved', { name }),
              change: { removeTagIds: [id] },
            }),
          },
        ]}
        onChoose={onChoose}
      />
      <AddOrRemove
        label={t('bulkCollections')}
        items={collections.value?.collections ?? []}
        groups={[
          {
            label: t('bulkAddCollection'),
            changeOf: ({ id, name }) => ({
              title: t('collectionAdded', { name }),
              change: { addToCollectionIds: [id] },
            }),
          },
          {
            label: t('bulkRemoveCollection'),
            changeOf: ({ id, name }) => ({
              title: t('collectionRemoved', { name }),
              change: { removeFromCollectionIds: [id] },
            }),
          },
        ]}
        onChoose={onChoose}
      />
    </>
  )
}

interface Item {
  id: string
  name: string
}

interface AddOrRemoveProps {
  label: string
  items: readonly Item[]
  groups: readonly { label: string; changeOf: (item: Item) => BulkChange }[]
  onChoose: (change: BulkChange) => void
}

/**
 * A menu with the same items in each of its groups. The keys walk through its choices one by one, so what
 * is chosen by them is done by a button.
 */
function AddOrRemove({ label, items, groups, onChoose }: AddOrRemoveProps) {
  const [value, setValue] = useState('')
  const isByKey = useRef(false)
  const changeAt = (place: string): BulkChange | undefined => {
    const [group, item] = place.split(' ').map(Number)
    const [chosenGroup, chosenItem] = [groups[group ?? -1], items[item ?? -1]]
    return chosenGroup && chosenItem && chosenGroup.changeOf(chosenItem)
  }
  const pending = changeAt(value)
  return (
    <>
      <select
        aria-label={label}
        value={value}
        onKeyDown={() => (isByKey.current = true)}
        onPointerDown={() => (isByKey.current = false)}
        onChange={({ currentTarget }) => {
          const change = changeAt(currentTarget.value)
          if (isByKey.current) return setValue(currentTarget.value)
          currentTarget.value = ''
          setValue('')
          if (change) onChoose(change)
        }}
      >
        <option value="">{label}</option>
        {groups.map((group, groupAt) => (
          <optgroup key={group.label} label={group.label}>
            {items.map(({ id, name }, itemAt) => (
              <option key={id} value={`${groupAt} ${itemAt}`}>
                {name}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
      {pending ? (
        <button type="button" onClick={() => onChoose(pending)}>
          {pending.title}
        </button>
      ) : null}
    </>
  )
}
