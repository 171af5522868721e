import { useState } from 'preact/hooks'
import { api, ask, type Schemas } from '../../api.ts'
import { CheckField } from '../../kit/forms/fields.tsx'
import { FormPage } from '../../kit/forms/form_page.tsx'
import { useForm } from '../../kit/forms/use_form.ts'
import { SearchBox } from '../../kit/lists/list_tools.tsx'
import { Loaded } from '../../kit/shell/states.tsx'
import { useLoad } from '../../kit/shell/use_load.ts'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'

type Collection = Schemas['Collection']

const memberPath = '/v1/workspaces/{workspaceId}/collections/{id}/products/{productId}'

interface CollectionsValues {
  /** Ticks that differ from what is stored, by collection. */
  ticks: Record<string, boolean>
}

/** The collections that a product is in. */
export function ProductCollections({ productId }: { productId: string }) {
  const { workspaceId } = useWorkspace()
  const [t, f] = [texts('catalogue'), texts('fields')]
  const [search, setSearch] = useState('')
  const query = { search, pageSize: 100, view: 'summary' as const }
  const params = { path: { workspaceId }, query }
  const list = useLoad(
    (signal) => ask(api.GET('/v1/workspaces/{workspaceId}/collections', { signal, params })),
    [search],
  )
  const form = useForm<CollectionsValues>({ ticks: {} })
  const isStored = ({ productIds }: Collection) => productIds.includes(productId)
  const tick = (collection: Collection, isIn: boolean) => {
    const others = without(form.current().ticks, collection.id)
    const isChange = isIn !== isStored(collection)
    form.set('ticks', isChange ? { ...others, [collection.id]: isIn } : others)
  }
  const write = async ({ ticks }: CollectionsValues) => {
    try {
      for (const [id, isIn] of Object.entries(ticks)) {
        const change = { params: { path: { workspaceId, id, productId } } }
        await ask<unknown>(isIn ? api.POST(memberPath, change) : api.DELETE(memberPath, change))
        // What is done is not done again if a later one fails.
        form.set('ticks', without(form.current().ticks, id))
      }
    } finally {
      list.reload()
    }
  }
  return (
    <section class="card" aria-labelledby="in-collections">
      <h2 id="in-collections">{f('collections')}</h2>
      <Loaded load={list}>
        {({ collections, pagination }) => (
          <>
            {pagination.total > 10 || search !== '' ? (
              <SearchBox label={t('searchCollections')} value={search} onSearch={setSearch} />
            ) : null}
            {collections.length === 0 ? <p class="muted">{t('noCollections')}</p> : null}
            <FormPage form={form} draft="collections" write={write}>
              <div class="ticks">
                {collections.map((collection) => (
                  <CheckField
                    key={collection.id}
                    name={`collection-${collection.id}`}
                    label={<span class="clamp">{collection.name}</span>}
                    checked={form.values.ticks[collection.id] ?? isStored(collection)}
                    onChange={(isIn) => tick(collection, isIn)}
                  />
                ))}
              </div>
            </FormPage>
          </>
        )}
      </Loaded>
    </section>
  )
}

function without(ticks: CollectionsValues['ticks'], id: string): CollectionsValues['ticks'] {
  return Object.fromEntries(Object.entries(ticks).filter(([other]) => other !== id))
}
