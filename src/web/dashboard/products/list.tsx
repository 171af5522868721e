import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { api, ask, type ContractParameters, withWholeProducts } from '../../api.ts'
import { Icon } from '../../kit/shell/icons.tsx'
import { ExportLink } from '../../kit/lists/export_link.tsx'
import { NothingFound, Paged, SearchBox, Toolbar } from '../../kit/lists/list_tools.tsx'
import { ConfirmDialog } from '../../kit/shell/dialog.tsx'
import { Page } from '../../kit/shell/page.tsx'
import { Empty, Loaded } from '../../kit/shell/states.tsx'
import { type Column, Table } from '../../kit/lists/table.tsx'
import { TagNames } from '../../kit/lists/tag_names.tsx'
import { toast, toastFailure } from '../../kit/shell/toasts.tsx'
import { useLoad } from '../../kit/shell/use_load.ts'
import { useQuery } from '../../kit/lists/use_query.ts'
import { formatDay, formatNumber, texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { LibraryDrop } from '../media/library_drop.tsx'
import { Thumb } from '../media/thumb.tsx'
import { BulkBar } from './bulk.tsx'
import { type BulkRow, deleteForGood, setStatus } from './bulk_work.ts'
import { ProductFilters } from './filters.tsx'
import type { Product } from './product_values.ts'
import { StatusPill } from './status.tsx'

export const listDefaults = {
  page: '1',
  search: '',
  sort: '-createdAt',
  status: '',
  stock: '',
  tagId: '',
  collectionId: '',
}

type Query = typeof listDefaults

const deletedView = { ...listDefaults, status: 'DELETED' }

const rowsOnPage = 25
const rowsOfBulk = 100

interface Slice {
  query: Query
  pageSize: number
  signal?: AbortSignal
}

/** The filters of the list. Deleted products have a view of their own. */
function shownBy({ page: _page, sort: _sort, ...filters }: Query) {
  return { ...filters, status: filters.status || 'ACTIVE,INACTIVE' }
}

function listProducts(workspaceId: string, { query, pageSize, signal }: Slice) {
  const { page, sort, ...filters } = query
  const activeFilters = Object.entries(shownBy(query)).filter(([, value]) => value !== '')
  return ask(
    api.GET('/v1/workspaces/{workspaceId}/products', {
      ...(signal ? { signal } : {}),
      params: {
        path: { workspaceId },
        query: {
          ...Object.fromEntries(activeFilters),
          page: Number(page),
          pageSize,
          view: 'summary',
          // A search puts the best matches first, unless another order was chosen.
          ...((filters.search === '' || sort !== listDefaults.sort) && {
            sort: sort as NonNullable<ContractParameters['ProductSort']>,
          }),
        },
      },
    }),
  ).then(withWholeProducts)
}

/** Every product that matches, read page by page in an order that changes do not disturb. */
async function readMatching(workspaceId: string, query: Query): Promise<BulkRow[]> {
  const rows: BulkRow[] = []
  for (let page = 1; ; page++) {
    const slice = { ...query, sort: 'createdAt', page: String(page) }
    const list = await listProducts(workspaceId, { query: slice, pageSize: rowsOfBulk })
    rows.push(...list.products)
    if (!list.pagination.hasNextPage) return rows
  }
}

/** All products: search, filters, sorting, pagination and bulk changes. */
export function ProductsPage() {
  const { workspaceId } = useWorkspace()
  const t = texts('catalogue')
  const [query, change] = useQuery(listDefaults)
  /** The product that is about to be deleted for good. */
  const [leaving, setLeaving] = useState<Product>()
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set())
  const list = useLoad(
    (signal) => listProducts(workspaceId, { query, pageSize: rowsOnPage, signal }),
    [workspaceId, JSON.stringify(query)],
  )
  const filter = (next: Partial<Query>) => {
    // Clear the selection, or bulk changes would hit products no longer shown.
    setSelectedIds(new Set())
    change(next)
  }
  const base = `/w/${workspaceId}/products`
  const isFiltered = Object.entries({ ...query, page: '1', sort: '' }).some(
    ([name, value]) => name !== 'page' && value !== '',
  )
  const isDeletedView = query.status === 'DELETED'
  const { summary } = list.value ?? {}
  const about = isDeletedView ? t('deletedAbout') : summary && t('productsAbout', { ...summary })
  const restore = ({ id, name }: Product) => {
    const done = () => {
      toast(t('restored', { name }))
      list.reload()
    }
    setStatus(workspaceId, id, 'ACTIVE').then(done, toastFailure)
  }
  const remove = async ({ id, name }: Product) => {
    await deleteForGood(workspaceId, id)
    toast(t('deleted', { name }))
    list.reload()
  }
  return (
    <Page
      title={t(isDeletedView ? 'deletedView' : 'products')}
      {...(about ? { about } : {})}
      actions={
        <>
          <button type="button" onClick={() => filter(isDeletedView ? listDefaults : deletedView)}>
            {t(isDeletedView ? 'allProducts' : 'deletedView')}
          </button>
          <ExportLink
            path={`/v1/workspaces/${workspaceId}/products/export`}
            filters={shownBy(query)}
          />
          <NewProduct href={`${base}/new`} />
        </>
      }
    >
      <LibraryDrop />
      <Toolbar>
        <SearchBox
          label={t('searchProducts')}
          value={query.search}
          onSearch={(search) => filter({ search })}
        />
        <ProductFilters query={query} change={filter} />
      </Toolbar>
      <BulkBar
        rows={list.value?.products.filter(({ id }) => selectedIds.has(id)) ?? []}
        total={list.value?.pagination.total ?? 0}
        readAll={() => readMatching(workspaceId, query)}
        onClear={() => setSelectedIds(new Set())}
        onDone={(failed) => {
          setSelectedIds(failed)
          list.reload()
        }}
      />
      <Loaded load={list}>
        {({ products, pagination }) => (
          <Paged
            pagination={pagination}
            onPage={(page) => change({ page })}
            none={
              isFiltered ? (
                <NothingFound onClear={() => filter(listDefaults)} />
              ) : (
                <Empty icon="bag" title={t('noProducts')} hint={t('noProductsHint')}>
                  <NewProduct href={`${base}/new`} />
                </Empty>
              )
            }
          >
            <Table
              caption={t('products')}
              columns={columnsFor(
                base,
                isDeletedView ? { restore, remove: setLeaving } : undefined,
              )}
              rows={products}
              sort={query.sort}
              onSort={(sort) => change({ sort })}
              selection={{ ids: selectedIds, change: setSelectedIds }}
              nameOf={({ name }) => name}
            />
          </Paged>
        )}
      </Loaded>
      {leaving ? (
        <ConfirmDialog
          danger
          title={t('deleteTitle', { name: leaving.name })}
          action={t('deleteForGood')}
          onConfirm={() => remove(leaving)}
          onClose={() => setLeaving(undefined)}
        >
          <p>{t('deleteForGoodHint')}</p>
        </ConfirmDialog>
      ) : null}
    </Page>
  )
}

function NewProduct({ href }: { href: string }) {
  const t = texts('catalogue')
  return (
    <Link class="button primary" href={href}>
      <Icon name="plus" />
      {t('newProduct')}
    </Link>
  )
}

interface DeletedActions {
  restore: (product: Product) => void
  remove: (product: Product) => void
}

/** In the view of deleted products, each can be restored or deleted for good. */
function columnsFor(base: string, deleted?: DeletedActions): Column<Product>[] {
  const t = texts('catalogue')
  const columns: Column<Product>[] = [
    {
      title: t('name'),
      main: true,
      sort: 'name',
      cell: ({ id, name, sku, images: [cover] }) => (
        <div class="cell-main">
          <Thumb media={cover} />
          <div class="grow">
            <Link class="clamp" href={`${base}/${id}`}>
              {name}
            </Link>
            <small class="clamp">{sku}</small>
          </div>
        </div>
      ),
    },
    {
      title: t('brand'),
      wide: true,
      cell: ({ brand }) => <span class="clamp">{brand}</span>,
    },
    { title: t('status'), cell: ({ status }) => <StatusPill status={status} /> },
    { title: t('stock'), sort: 'stock', numeric: true, cell: ({ stock }) => formatNumber(stock) },
    {
      title: t('tags'),
      wide: true,
      cell: ({ tags }) => <TagNames tags={tags} />,
    },
    {
      title: t('added'),
      sort: 'createdAt',
      wide: true,
      cell: ({ createdAt }) => <span class="muted nowrap-text">{formatDay(createdAt)}</span>,
    },
  ]
  if (!deleted) return columns
  // All have one status, and the place is needed for the way back.
  const shown = columns.filter(({ title }) => title !== t('status') && title !== t('tags'))
  const actions: Column<Product> = {
    title: texts('kit')('actions'),
    numeric: true,
    cell: (product) => (
      <div class="cell-actions">
        <button
          type="button"
          aria-label={t('restoreNamed', { name: product.name })}
          onClick={() => deleted.restore(product)}
        >
          {t('restoreProduct')}
        </button>
        <button
          type="button"
          aria-label={t('deleteForGoodNamed', { name: product.name })}
          onClick={() => deleted.remove(product)}
        >
          {t('deleteForGood')}
        </button>
      </div>
    ),
  }
  return [...shown, actions]
}
