import { useRef } from 'preact/hooks'
import { api, ask } from '../../api.ts'
import { Picker } from '../../kit/forms/picker.tsx'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import type { BulkChange } from './bulk_change.ts'

/** So many are offered at once; typing finds the others. */
const offered = 30

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

/** Tags and collections to add the products to, or to take them out of; found by typing. */
function Associations({ onChoose }: Pick<ActionsProps, 'onChoose'>) {
  const { workspaceId } = useWorkspace()
  const t = texts('catalogue')
  const path = { workspaceId }
  const findTags = async (search: string, signal: AbortSignal) => {
    const params = { path, query: { search, pageSize: offered } }
    return (await ask(api.GET('/v1/workspaces/{workspaceId}/tags', { signal, params }))).tags
  }
  const findCollections = async (search: string, signal: AbortSignal) => {
    const params = { path, query: { search, pageSize: offered, view: 'summary' as const } }
    const call = api.GET('/v1/workspaces/{workspaceId}/collections', { signal, params })
    return (await ask(call)).collections
  }
  return (
    <>
      <Menu
        label={t('bulkTags')}
        find={findTags}
        changesOf={({ id, name }) => [
          { title: t('tagAdded', { name }), change: { addTagIds: [id] } },
          { title: t('tagRemoved', { name }), change: { removeTagIds: [id] } },
        ]}
        onChoose={onChoose}
      />
      <Menu
        label={t('bulkCollections')}
        find={findCollections}
        changesOf={({ id, name }) => [
          { title: t('collectionAdded', { name }), change: { addToCollectionIds: [id] } },
          { title: t('collectionRemoved', { name }), change: { removeFromCollectionIds: [id] } },
        ]}
        onChoose={onChoose}
      />
    </>
  )
}

interface MenuItem {
  id: string
  name: string
}

interface MenuProps {
  label: string
  find: (search: string, signal: AbortSignal) => Promise<readonly MenuItem[]>
  /** What can be done with an item. */
  changesOf: (item: MenuItem) => BulkChange[]
  onChoose: (change: BulkChange) => void
}

/** The changes of what is found: first every addition, then every removal. */
function Menu({ label, find, changesOf, onChoose }: MenuProps) {
  const changes = useRef(new Map<string, BulkChange>())
  return (
    <Picker
      label={label}
      chosen={{ value: '', label }}
      find={async (text, signal) => {
        const found = (await find(text, signal)).map(({ id, name }) => ({
          id,
          changes: changesOf({ id, name }),
        }))
        const choices = [0, 1].flatMap((at) =>
          found.flatMap(({ id, changes: { [at]: change } }) =>
            change ? [{ value: `${at}-${id}`, change }] : [],
          ),
        )
        changes.current = new Map(choices.map(({ value, change }) => [value, change]))
        return choices.map(({ value, change }) => ({ value, label: change.title }))
      }}
      onChange={({ value }) => {
        const change = changes.current.get(value)
        if (change) onChoose(change)
      }}
    />
  )
}
