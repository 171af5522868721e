import { useRef, useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { api, ask, type Schemas } from '../../api.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { Icon } from '../../kit/icons.tsx'
import { NothingFound, SearchBox } from '../../kit/list_tools.tsx'
import { Loaded } from '../../kit/states.tsx'
import { SteadyButton } from '../../kit/steady_button.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import { toastFailure } from '../../kit/toasts.tsx'
import { useLoad } from '../../kit/use_load.ts'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { Thumb } from '../media/thumb.tsx'
import { StatusPill } from '../products/status.tsx'

type Collection = Schemas['Collection']
type Member = Schemas['CollectionProduct']

const memberPath = '/v1/workspaces/{workspaceId}/collections/{id}/products/{productId}'

interface CollectionProductsProps {
  collection: Collection
  onChanged: () => void
}

/** The products of a collection. Adding and removing are saved immediately. */
export function CollectionProducts({ collection, onChanged }: CollectionProductsProps) {
  const { workspaceId } = useWorkspace()
  const t = texts('catalogue')
  const [adding, setAdding] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const path = (productId: string) => ({ workspaceId, id: collection.id, productId })
  const remove = (productId: string) => {
    const params = { path: path(productId) }
    ask(api.DELETE(memberPath, { params })).then(onChanged, toastFailure)
    // The row disappears with its button: move the focus to the add button.
    opener.current?.focus()
  }
  const add = (productId: string) => {
    const params = { path: path(productId) }
    ask(api.POST(memberPath, { params })).then(onChanged, toastFailure)
  }
  return (
    <section class="card" aria-labelledby="members">
      <header>
        <h2 id="members">{t('inCollection')}</h2>
        <button type="button" ref={opener} onClick={() => setAdding(true)}>
          <Icon name="plus" />
          {t('addProducts')}
        </button>
      </header>
      {collection.products.length === 0 ? (
        <p class="muted">{t('productCount', { count: 0 })}</p>
      ) : (
        <Table
          caption={t('inCollection')}
          columns={columnsFor(`/w/${workspaceId}/products`, remove)}
          rows={collection.products}
        />
      )}
      {adding ? (
        <AddProducts
          includedIds={new Set(collection.productIds)}
          onAdd={add}
          onClose={() => setAdding(false)}
        />
      ) : null}
    </section>
  )
}

function columnsFor(base: string, remove: (id: string) => void): Column<Member>[] {
  const t = texts('catalogue')
  return [
    {
      title: t('name'),
      main: true,
      cell: ({ id, name, brand, images: [cover] }) => (
        <div class="cell-main">
          <Thumb media={cover} />
          <div class="grow">
            <Link class="clamp" href={`${base}/${id}`}>
              {name}
            </Link>
            <small class="clamp">{brand}</small>
          </div>
        </div>
      ),
    },
    { title: t('status'), wide: true, cell: ({ status }) => <StatusPill status={status} /> },
    {
      title: texts('kit')('actions'),
      numeric: true,
      cell: ({ id, name }) => (
        <button
          type="button"
          class="plain"
          aria-label={t('removeFromCollection', { name })}
          onClick={() => remove(id)}
        >
          <Icon name="close" />
        </button>
      ),
    },
  ]
}

interface AddProductsProps {
  includedIds: ReadonlySet<string>
  onAdd: (productId: string) => void
  onClose: () => void
}

function AddProducts({ includedIds, onAdd, onClose }: AddProductsProps) {
  const { workspaceId } = useWorkspace()
  const t = texts('catalogue')
  const [search, setSearch] = useState('')
  const results = useLoad(
    (signal) =>
      ask(
        api.GET('/v1/workspaces/{workspaceId}/products', {
          signal,
          params: { path: { workspaceId }, query: { search, pageSize: 20, view: 'summary' } },
        }),
      ),
    [search],
  )
  return (
    <Dialog title={t('addProducts')} onClose={onClose}>
      <SearchBox autofocus label={t('searchProducts')} value={search} onSearch={setSearch} />
      <Loaded load={results}>
        {({ products }) =>
          products.length === 0 ? (
            <NothingFound onClear={() => setSearch('')} />
          ) : (
            <ul class="plain-list">
              {products.map(({ id, name, brand, images: [cover] }) => (
                <li key={id} class="cell-main">
                  <Thumb media={cover} />
                  <span class="grow">
                    {name}
                    <small>{brand}</small>
                  </span>
                  <SteadyButton
                    label={t(includedIds.has(id) ? 'isInCollection' : 'addToCollection', { name })}
                    disabled={includedIds.has(id)}
                    onClick={() => onAdd(id)}
                  >
                    <Icon name={includedIds.has(id) ? 'check' : 'plus'} />
                  </SteadyButton>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Dialog>
  )
}
