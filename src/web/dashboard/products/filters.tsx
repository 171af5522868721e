import { api, ask } from '../../api.ts'
import { Select } from '../../kit/forms/fields.tsx'
import { useLoad } from '../../kit/shell/use_load.ts'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { statuses } from './status.tsx'

interface Filters {
  status: string
  stock: string
  tagId: string
  collectionId: string
}

interface FiltersProps {
  query: Filters
  change: (change: Partial<Filters>) => void
}

/** Limit of a usable list of choices; beyond it, search is quicker. */
const maxChoices = 100

export function ProductFilters({ query, change }: FiltersProps) {
  const { workspaceId } = useWorkspace()
  const t = texts('catalogue')
  const params = { path: { workspaceId }, query: { pageSize: maxChoices } }
  const tags = useLoad(() => ask(api.GET('/v1/workspaces/{workspaceId}/tags', { params })), [])
  const summary = { ...params, query: { ...params.query, view: 'summary' as const } }
  const collections = useLoad(
    () => ask(api.GET('/v1/workspaces/{workspaceId}/collections', { params: summary })),
    [],
  )
  return (
    <>
      <Select
        label={t('status')}
        value={query.status}
        onChange={(status) => change({ status })}
        choices={[
          { value: '', label: t('allStatuses') },
          ...statuses.map((status) => ({ value: status, label: t(`status.${status}`) })),
        ]}
      />
      <Select
        label={t('stock')}
        value={query.stock}
        onChange={(stock) => change({ stock })}
        choices={[
          { value: '', label: t('allStock') },
          { value: 'IN', label: t('stock.IN') },
          { value: 'OUT', label: t('stock.OUT') },
        ]}
      />
      <Select
        label={t('tags')}
        value={query.tagId}
        onChange={(tagId) => change({ tagId })}
        choices={[{ value: '', label: t('allTags') }, ...choicesOf(tags.value?.tags)]}
      />
      <Select
        label={t('collections')}
        value={query.collectionId}
        onChange={(collectionId) => change({ collectionId })}
        choices={[
          { value: '', label: t('allCollections') },
          ...choicesOf(collections.value?.collections),
        ]}
      />
    </>
  )
}

function choicesOf(items: readonly { id: string; name: string }[] = []) {
  return items.map(({ id, name }) => ({ value: id, label: name }))
}
