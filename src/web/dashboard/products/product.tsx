import { Link, useSearch } from 'wouter-preact'
import { api, ask, askTagged, type Tagged } from '../../api.ts'
import { rowAfter } from '../../kit/lists/list_memory.ts'
import { Page } from '../../kit/shell/page.tsx'
import { Loaded } from '../../kit/shell/states.tsx'
import { useLoad } from '../../kit/shell/use_load.ts'
import { texts } from '../../language.ts'
import { mayUse, useWorkspace } from '../../session.ts'
import { HistoryLink } from '../activity/history_link.tsx'
import { DeleteButton } from '../delete_button.tsx'
import { deleteForGood, setStatus } from './product_status.ts'
import { ProductCollections } from './collections.tsx'
import { ProductFacts } from './facts.tsx'
import { NewProductForm, ProductForm } from './form.tsx'
import { KeptAnswers } from './kept_answers.tsx'
import type { Product } from './product_values.ts'
import { ProductQuestions } from './questions.tsx'

/** Editor for a new or existing product. */
export function ProductPage({ id }: { id: string }) {
  const t = texts('catalogue')
  const { workspaceId } = useWorkspace()
  const crumb = { href: `/w/${workspaceId}/products`, label: t('products') }
  if (id === 'new')
    return (
      <Page title={t('newProduct')} crumb={crumb}>
        <NewProduct />
      </Page>
    )
  return <ExistingProduct key={id} id={id} crumb={crumb} />
}

/** An empty product, or a copy of the one that the address names. */
function NewProduct() {
  const { workspaceId } = useWorkspace()
  const from = new URLSearchParams(useSearch()).get('from')
  const params = { path: { workspaceId, id: from ?? '' } }
  const source = useLoad(
    () =>
      from === null
        ? Promise.resolve(null)
        : ask(api.GET('/v1/workspaces/{workspaceId}/products/{id}', { params })),
    [from],
  )
  return (
    <Loaded load={source}>
      {(product) => <NewProductForm {...(product ? { source: product } : {})} />}
    </Loaded>
  )
}

interface ExistingProps {
  id: string
  crumb: { href: string; label: string }
}

function ExistingProduct({ id, crumb }: ExistingProps) {
  const { workspaceId, role } = useWorkspace()
  const t = texts('catalogue')
  const params = { path: { workspaceId, id } }
  const read = () => askTagged(api.GET('/v1/workspaces/{workspaceId}/products/{id}', { params }))
  const product = useLoad<Tagged<Product>>(read, [id])
  const nextId = rowAfter(crumb.href, id)
  return (
    <Page
      title={product.value?.value.name ?? t('product')}
      crumb={crumb}
      {...(nextId === undefined ? {} : { next: `${crumb.href}/${nextId}` })}
      actions={
        product.value ? (
          <>
            <HistoryLink of={{ resourceId: id }} />
            <Link class="button" href={`/w/${workspaceId}/products/new?from=${id}`}>
              {t('duplicate')}
            </Link>
            <DeleteProduct product={product.value.value} />
          </>
        ) : null
      }
    >
      <Loaded load={product}>
        {(tagged) => <ProductForm tagged={tagged} read={read} onRead={product.set} />}
      </Loaded>
      {product.value ? (
        <>
          <ProductCollections productId={id} />
          <ProductQuestions productId={id} />
          {mayUse(role, 'ai_settings') ? <KeptAnswers productId={id} /> : null}
          <ProductFacts product={product.value.value} />
        </>
      ) : null}
    </Page>
  )
}

/** Puts the product among the deleted ones; one that is there already is deleted for good. */
function DeleteProduct({ product: { id, name, status } }: { product: Product }) {
  const { workspaceId } = useWorkspace()
  const t = texts('catalogue')
  const list = `/w/${workspaceId}/products`
  if (status === 'DELETED')
    return (
      <DeleteButton
        name={name}
        action={t('deleteForGood')}
        remove={() => deleteForGood(workspaceId, id)}
        backTo={`${list}?status=DELETED`}
      >
        {t('deleteForGoodHint')}
      </DeleteButton>
    )
  return (
    <DeleteButton
      name={name}
      action={t('deleteProduct')}
      title={t('trashTitle', { name })}
      done={t('trashed', { name })}
      remove={() => setStatus(workspaceId, id, 'DELETED')}
      backTo={list}
    >
      {t('deleteProductHint')}
    </DeleteButton>
  )
}
