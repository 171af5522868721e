import { api, ask } from '../../api.ts'
import type { Choice } from '../../kit/forms/choice.ts'
import { Select } from '../../kit/forms/select.tsx'
import { Picker } from '../../kit/forms/picker.tsx'
import { Filters, setFilter } from '../../kit/lists/filters.tsx'
import { useLoad } from '../../kit/shell/use_load.ts'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { statuses } from './status.tsx'

interface FilterValues {
  status: string
  stock: string
  tagId: string
  collectionId: string
}

interface FiltersProps {
  query: FilterValues
  change: (change: Partial<FilterValues>) => void
}

/** So many are offered at once; typing finds the others. */
const maxChoices = 50

export function ProductFilters({ query, change }: FiltersProps) {
  const [t, f] = [texts('catalogue'), texts('fields')]
  const statusChoices = [
    { value: '', label: t('allStatuses') },
    ...statuses.map((status) => ({ value: status, label: t(`status.${status}`) })),
  ]
  const stockChoices = [
    { value: '', label: t('allStock') },
    { value: 'IN', label: t('stock.IN') },
    { value: 'OUT', label: t('stock.OUT') },
  ]
  const tags = useTags(query.tagId)
  const collections = useCollections(query.collectionId)
  const active = [
    ...setFilter(query.status, statusChoices, () => change({ status: '' })),
    ...setFilter(query.stock, stockChoices, () => change({ stock: '' })),
    ...setFilter(query.tagId, [tags.chosen], () => change({ tagId: '' })),
    ...setFilter(query.collectionId, [collections.chosen], () => change({ collectionId: '' })),
  ]
  return (
    <Filters active={active}>
      <Select
        label={f('status')}
        value={query.status}
        onChange={(status) => change({ status })}
        choices={statusChoices}
      />
      <Select
        label={f('stock')}
        value={query.stock}
        onChange={(stock) => change({ stock })}
        choices={stockChoices}
      />
      <Picker {...tags} label={f('tags')} onChange={({ value }) => change({ tagId: value })} />
      <Picker
        {...collections}
        label={f('collections')}
        onChange={({ value }) => change({ collectionId: value })}
      />
    </Filters>
  )
}

interface NamedItem {
  id: string
  name: string
}

const choiceOf = ({ id, name }: NamedItem): Choice<string> => ({ value: id, label: name })

/** What can be chosen, and what is; a chosen one is read by its id, because the list may lack it. */
function useItems(
  id: string,
  any: Choice<string>,
  read: () => Promise<NamedItem>,
  find: (search: string, signal: AbortSignal) => Promise<readonly NamedItem[]>,
) {
  const load = useLoad(() => (id === '' ? Promise.resolve(any) : read().then(choiceOf)), [id])
  const known = load.value?.value === id ? load.value : undefined
  return {
    chosen: known ?? { value: id, label: id === '' ? any.label : '…' },
    find: async (text: string, signal: AbortSignal) => {
      const items = (await find(text.trim(), signal)).map(choiceOf)
      return text.trim() === '' ? [any, ...items] : items
    },
  }
}

function useTags(id: string) {
  const { workspaceId } = useWorkspace()
  const path = { workspaceId }
  return useItems(
    id,
    { value: '', label: texts('catalogue')('allTags') },
    () =>
      ask(api.GET('/v1/workspaces/{workspaceId}/tags/{id}', { params: { path: { ...path, id } } })),
    async (search, signal) => {
      const params = { path, query: { search, pageSize: maxChoices } }
      return (await ask(api.GET('/v1/workspaces/{workspaceId}/tags', { signal, params }))).tags
    },
  )
}

function useCollections(id: string) {
  const { workspaceId } = useWorkspace()
  const path = { workspaceId }
  const view = 'summary' as const
  return useItems(
    id,
    { value: '', label: texts('catalogue')('allCollections') },
    () => {
      const params = { path: { ...path, id }, query: { view } }
      return ask(api.GET('/v1/workspaces/{workspaceId}/collections/{id}', { params }))
    },
    async (search, signal) => {
      const params = { path, query: { search, pageSize: maxChoices, view } }
      const call = api.GET('/v1/workspaces/{workspaceId}/collections', { signal, params })
      return (await ask(call)).collections
    },
  )
}
