import { useEffect, useRef, useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { api, ask, type Schemas, withWholeProducts } from '../../api.ts'
import { Dialog } from '../../kit/shell/dialog.tsx'
import { Icon } from '../../kit/shell/icons.tsx'
import { NothingFound, SearchBox } from '../../kit/lists/list_tools.tsx'
import { Loaded } from '../../kit/shell/states.tsx'
import { SteadyButton } from '../../kit/forms/steady_button.tsx'
import { toastFailure } from '../../kit/shell/toasts.tsx'
import { useLoad } from '../../kit/shell/use_load.ts'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { Thumb } from '../media/thumb.tsx'
import { StatusPill } from '../products/status.tsx'

type Collection = Schemas['Collection']
type Member = Schemas['CollectionProduct']

const memberPath = '/v1/workspaces/{workspaceId}/collections/{id}/products/{productId}'
const orderPath = '/v1/workspaces/{workspaceId}/collections/{id}/products'

interface CollectionProductsProps {
  collection: Collection
  onChanged: () => void
}

/** The products of a collection in their order. Every change is saved immediately. */
export function CollectionProducts({ collection, onChanged }: CollectionProductsProps) {
  const { workspaceId } = useWorkspace()
  const t = texts('catalogue')
  const [adding, setAdding] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const { id } = collection
  const path = (productId: string) => ({ workspaceId, id, productId })
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
  const order = (productIds: string[]) => {
    const params = { path: { workspaceId, id } }
    ask(api.PUT(orderPath, { params, body: { productIds } })).then(onChanged, toastFailure)
  }
  return (
    <section class="card" aria-labelledby="members">
      <header>
        <div>
          <h2 id="members">{t('inCollection')}</h2>
          <p class="hint">{t('orderHint')}</p>
        </div>
        <button type="button" ref={opener} onClick={() => setAdding(true)}>
          <Icon name="plus" />
          {t('addProducts')}
        </button>
      </header>
      {collection.products.length === 0 ? (
        <p class="muted">{t('productCount', { count: 0 })}</p>
      ) : (
        <OrderedProducts products={collection.products} onOrder={order} onRemove={remove} />
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

interface OrderedProductsProps {
  products: readonly Member[]
  onOrder: (productIds: string[]) => void
  onRemove: (productId: string) => void
}

/** Dragged or moved with the arrow buttons; what is dragged is saved when it is dropped. */
function OrderedProducts({ products, onOrder, onRemove }: OrderedProductsProps) {
  const { workspaceId } = useWorkspace()
  const t = texts('catalogue')
  const [shown, setShown] = useState(products)
  const [draggedId, setDraggedId] = useState<string | undefined>()
  const [announcement, announce] = useState('')
  useEffect(() => setShown(products), [products])
  const moved = (id: string, to: number) => {
    const product = shown.find((one) => one.id === id)
    return product ? shown.filter((one) => one !== product).toSpliced(to, 0, product) : shown
  }
  const save = (next: readonly Member[]) => onOrder(next.map(({ id }) => id))
  const step = ({ id, name }: Member, to: number) => {
    const next = moved(id, to)
    setShown(next)
    save(next)
    announce(t('productAt', { name, position: to + 1, total: shown.length }))
  }
  return (
    <>
      <ol class="ordered plain-list">
        {shown.map((product, at) => (
          <li
            key={product.id}
            draggable
            class={draggedId === product.id ? 'cell-main dragged' : 'cell-main'}
            onDragStart={() => setDraggedId(product.id)}
            onDragEnd={() => {
              setDraggedId(undefined)
              save(shown)
            }}
            onDragOver={(event) => {
              if (draggedId === undefined) return
              event.preventDefault()
              if (draggedId !== product.id) setShown(moved(draggedId, at))
            }}
          >
            <Thumb media={product.images[0]} />
            <div class="grow">
              <Link class="clamp" href={`/w/${workspaceId}/products/${product.id}`}>
                {product.name}
              </Link>
              <small class="clamp">{product.brand}</small>
            </div>
            <StatusPill status={product.status} />
            <OrderTools
              {...{ product, at, last: shown.length - 1, onRemove }}
              onStep={(to) => step(product, to)}
            />
          </li>
        ))}
      </ol>
      <p class="hidden" role="status">
        {announcement}
      </p>
    </>
  )
}

interface OrderToolsProps {
  product: Member
  at: number
  last: number
  onStep: (to: number) => void
  onRemove: (productId: string) => void
}

function OrderTools({ product: { id, name }, at, last, onStep, onRemove }: OrderToolsProps) {
  const t = texts('catalogue')
  return (
    <span class="nowrap-text">
      <SteadyButton
        plain
        label={t('moveEarlier', { name })}
        disabled={at === 0}
        onClick={() => onStep(at - 1)}
      >
        <Icon name="up" />
      </SteadyButton>
      <SteadyButton
        plain
        label={t('moveLater', { name })}
        disabled={at === last}
        onClick={() => onStep(at + 1)}
      >
        <Icon name="down" />
      </SteadyButton>
      <button
        type="button"
        class="plain"
        aria-label={t('removeFromCollection', { name })}
        onClick={() => onRemove(id)}
      >
        <Icon name="close" />
      </button>
    </span>
  )
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
      ).then(withWholeProducts),
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
