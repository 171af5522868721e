import { useState } from 'preact/hooks'
import { api, ask, type Schemas } from '../../api.ts'
import { CheckField } from '../../kit/forms/fields.tsx'
import { SearchBox } from '../../kit/lists/list_tools.tsx'
import { Loaded } from '../../kit/shell/states.tsx'
import { toastFailure } from '../../kit/shell/toasts.tsx'
import { useLoad } from '../../kit/shell/use_load.ts'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'

type Collection = Schemas['Collection']

const memberPath = '/v1/workspaces/{workspaceId}/collections/{id}/products/{productId}'

/** The collections that a product is in. A tick is saved at once. */
export function ProductCollections({ productId }: { productId: string }) {
  const { workspaceId } = useWorkspace()
  const t = texts('catalogue')
  const [search, setSearch] = useState('')
  const query = { search, pageSize: 100, view: 'summary' as const }
  const params = { path: { workspaceId }, query }
  const list = useLoad(
    (signal) => ask(api.GET('/v1/workspaces/{workspaceId}/collections', { signal, params })),
    [search],
  )
  const put = ({ id }: Collection, isIn: boolean) => {
    const change = { params: { path: { workspaceId, id, productId } } }
    const call = isIn ? api.POST(memberPath, change) : api.DELETE(memberPath, change)
    ask<unknown>(call).catch(toastFailure).finally(list.reload)
  }
  return (
    <section class="card" aria-labelledby="in-collections">
      <div>
        <h2 id="in-collections">{t('collections')}</h2>
        <p class="hint">{t('inCollectionsHint')}</p>
      </div>
      <Loaded load={list}>
        {({ collections, pagination }) => (
          <>
            {pagination.total > 10 || search !== '' ? (
              <SearchBox label={t('searchCollections')} value={search} onSearch={setSearch} />
            ) : null}
            {collections.length === 0 ? <p class="muted">{t('noCollections')}</p> : null}
            <div class="ticks">
              {collections.map((collection) => (
                <CheckField
                  key={collection.id}
                  name={`collection-${collection.id}`}
                  label={<span class="clamp">{collection.name}</span>}
                  checked={collection.productIds.includes(productId)}
                  onChange={(isIn) => put(collection, isIn)}
                />
              ))}
            </div>
          </>
        )}
      </Loaded>
    </section>
  )
}
