import { useEffect, useRef, useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { api, ask, type Schemas, withWholeProducts } from '../../api.ts'
import { Dialog } from '../../kit/shell/dialog.tsx'
import { Icon } from '../../kit/shell/icons.tsx'
import { NothingFound, SearchBox } from '../../kit/lists/list_tools.tsx'
import { Loaded } from '../../kit/shell/states.tsx'
import { SteadyButton } from '../../kit/forms/steady_button.tsx'
import { useLoad } from '../../kit/shell/use_load.ts'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { Thumb } from '../media/thumb.tsx'
import { StatusPill } from '../products/status.tsx'

/** A product of a collection, as the form shows it. */
export type Member = Pick<
  Schemas['CollectionProduct'],
  'id' | 'name' | 'brand' | 'status' | 'images'
>

export function memberOf({ id, name, brand, status, images }: Member): Member {
  return { id, name, brand, status, images: images.slice(0, 1) }
}

interface CollectionProductsProps {
  products: readonly Member[]
  error: string | undefined
  onChange: (products: Member[]) => void
}

/** The products of a collection in their order. */
export function CollectionProducts({ products, error, onChange }: CollectionProductsProps) {
  const t = texts('catalogue')
  const [adding, setAdding] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const remove = (productId: string) => {
    onChange(products.filter(({ id }) => id !== productId))
    // The row disappears with its button: move the focus to the add button.
    opener.current?.focus()
  }
  return (
    <section
      class="card"
      aria-labelledby="members"
      data-field="products"
      data-label={t('inCollection')}
    >
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
      {error ? <p class="error">{error}</p> : null}
      {products.length === 0 ? (
        <p class="muted">{t('productCount', { count: 0 })}</p>
      ) : (
        <OrderedProducts products={products} onOrder={onChange} onRemove={remove} />
      )}
      {adding ? (
        <AddProducts
          includedIds={new Set(products.map(({ id }) => id))}
          onAdd={(product) => onChange([...products, product])}
          onClose={() => setAdding(false)}
        />
      ) : null}
    </section>
  )
}

interface OrderedProductsProps {
  products: readonly Member[]
  onOrder: (products: Member[]) => void
  onRemove: (productId: string) => void
}

/** Dragged or moved with the arrow buttons. */
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
  const step = ({ id, name }: Member, to: number) => {
    const next = moved(id, to)
    onOrder([...next])
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
              onOrder([...shown])
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
  onAdd: (product: Member) => void
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
              {products.map(memberOf).map((product) => {
                const { id, name, brand, images } = product
                const isIn = includedIds.has(id)
                return (
                  <li key={id} class="cell-main">
                    <Thumb media={images[0]} />
                    <span class="grow">
                      {name}
                      <small>{brand}</small>
                    </span>
                    <SteadyButton
                      label={t(isIn ? 'isInCollection' : 'addToCollection', { name })}
                      disabled={isIn}
                      onClick={() => onAdd(product)}
                    >
                      <Icon name={isIn ? 'check' : 'plus'} />
                    </SteadyButton>
                  </li>
                )
              })}
            </ul>
          )
        }
      </Loaded>
    </Dialog>
  )
}
