import { useEffect, useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { api, ask, type ContractParameters, type Schemas, withWholeProducts } from '../../api.ts'
import { Icon } from '../../kit/shell/icons.tsx'
import { ExportLink } from '../../kit/lists/export_link.tsx'
import { rememberRows } from '../../kit/lists/list_memory.ts'
import { NothingFound, Paged, SearchBox, Toolbar, useIsBlank } from '../../kit/lists/list_tools.tsx'
import { ConfirmDialog } from '../../kit/shell/dialog.tsx'
import { MoreActions } from '../../kit/shell/more_actions.tsx'
import { Page } from '../../kit/shell/page.tsx'
import { Empty, Loaded } from '../../kit/shell/states.tsx'
import { Table } from '../../kit/lists/table.tsx'
import { useLoad } from '../../kit/shell/use_load.ts'
import { SavedViews } from '../../kit/lists/saved_views.tsx'
import { useQuery } from '../../kit/lists/use_query.ts'
import { texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { ImportLink } from '../changes/import_link.tsx'
import { beginRun, useRun } from '../changes/run.ts'
import { RunBar } from '../changes/run_bar.tsx'
import { BulkBar } from './bulk.tsx'
import { type BulkChange, changeSetOf } from './bulk_change.ts'
import { columnsFor } from './columns.tsx'
import { ProductFilters } from './filters.tsx'
import { PhotoButton, PhotoDrop, usePhotoDrafts } from './photo_drafts.tsx'
import type { Product } from './product_values.ts'
import { SampleButton } from './sample.tsx'

export const listDefaults = {
  page: '1',
  search: '',
  sort: '-createdAt',
  status: '',
  stock: '',
  tagId: '',
  collectionId: '',
}

type ListQuery = typeof listDefaults

const deletedView = { ...listDefaults, status: 'DELETED' }

const rowsOnPage = 25

interface Slice {
  query: ListQuery
  pageSize: number
  signal?: AbortSignal
}

/** The filters of the list. Deleted products have a view of their own. */
function shownBy({ page: _page, sort: _sort, ...filters }: ListQuery) {
  return { ...filters, status: filters.status || 'ACTIVE,INACTIVE' }
}

function hasFilters({ page: _page, sort: _sort, ...filters }: ListQuery): boolean {
  return Object.values(filters).some((value) => value !== '')
}

/** The same filters as a selection, for a change of all that match. */
function selectionOf(query: ListQuery): Schemas['ProductSelection'] {
  const { status, ...others } = shownBy(query)
  const active = Object.entries(others).filter(([, value]) => value !== '')
  return { ...Object.fromEntries(active), status: status.split(',') as Product['status'][] }
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
  const filter = (next: Partial<ListQuery>) => {
    // Clear the selection, or bulk changes would hit products no longer shown.
    setSelectedIds(new Set())
    change(next)
  }
  const base = `/w/${workspaceId}/products`
  const shownIds = list.value?.products.map(({ id }) => id) ?? []
  useEffect(() => {
    if (list.value) rememberRows(base, shownIds)
  }, [list.value])
  const isFiltered = hasFilters(query)
  const isBlank = useIsBlank(list, isFiltered)
  const isDeletedView = query.status === 'DELETED'
  const { summary } = list.value ?? {}
  const about = isDeletedView ? t('deletedAbout') : summary && t('productsAbout', { ...summary })
  const run = useRun(workspaceId)
  const drafts = usePhotoDrafts(list.value?.products[0]?.brand)
  const ofDeleted = {
    restore: (product: Product) => restore(workspaceId, product),
    remove: setLeaving,
  }
  return (
    <Page
      title={t(isDeletedView ? 'deletedView' : 'products')}
      {...(about ? { about } : {})}
      actions={
        <>
          <ListActions query={query} show={filter} drafts={drafts} />
          <NewProduct href={`${base}/new`} />
        </>
      }
    >
      <PhotoDrop drafts={drafts} />
      {isBlank ? null : (
        <Toolbar>
          <SearchBox
            label={t('searchProducts')}
            value={query.search}
            onSearch={(search) => filter({ search })}
          />
          <ProductFilters query={query} change={filter} />
        </Toolbar>
      )}
      <SavedViews
        list={`products:${workspaceId}`}
        query={query}
        isFiltered={isFiltered && !isDeletedView}
        onOpen={(view) => filter({ ...listDefaults, ...view })}
      />
      {run ? <RunBar run={run} onOver={list.reload} /> : null}
      {run && !run.isOver && !run.failure ? null : (
        <BulkBar
          ids={shownIds.filter((id) => selectedIds.has(id))}
          total={list.value?.pagination.total ?? 0}
          where={selectionOf(query)}
          areDeleted={isDeletedView}
          onClear={() => setSelectedIds(new Set())}
        />
      )}
      <Loaded load={list}>
        {({ products, pagination }) => (
          <Paged
            pagination={pagination}
            onPage={(page) => change({ page })}
            none={
              isBlank ? (
                <NoProducts base={base} />
              ) : (
                <NothingFound onClear={() => filter(listDefaults)} />
              )
            }
          >
            <Table
              caption={t('products')}
              columns={columnsFor(base, isDeletedView ? ofDeleted : undefined)}
              rows={products}
              sort={query.sort}
              onSort={(sort) => change({ sort })}
              selection={{ ids: selectedIds, change: setSelectedIds }}
              nameOf={({ name }) => name}
            />
          </Paged>
        )}
      </Loaded>
      {leaving ? <DeleteDialog product={leaving} onClose={() => setLeaving(undefined)} /> : null}
    </Page>
  )
}

/** Changes one product as many are changed: it can be undone. */
function changeOne(workspaceId: string, { id }: Product, what: BulkChange): void {
  beginRun(workspaceId, changeSetOf(what, { ids: [id] }))
}

function restore(workspaceId: string, product: Product): void {
  changeOne(workspaceId, product, {
    title: texts('catalogue')('restoreNamed', { name: product.name }),
    change: { status: 'ACTIVE' },
  })
}

function DeleteDialog({ product, onClose }: { product: Product; onClose: () => void }) {
  const { workspaceId } = useWorkspace()
  const { name } = product
  const t = texts('catalogue')
  const title = t('deleteForGoodNamed', { name })
  return (
    <ConfirmDialog
      danger
      title={t('deleteTitle', { name })}
      action={t('deleteForGood')}
      onConfirm={() => {
        changeOne(workspaceId, product, { title, change: 'delete' })
        return Promise.resolve()
      }}
      onClose={onClose}
    >
      <p>{t('deleteForGoodHint')}</p>
    </ConfirmDialog>
  )
}

/** What is done now and then, and the way to the deleted products and back. */
function ListActions({
  query,
  show,
  drafts,
}: {
  query: ListQuery
  show: (query: ListQuery) => void
  drafts: ReturnType<typeof usePhotoDrafts>
}) {
  const { workspaceId } = useWorkspace()
  const t = texts('catalogue')
  const isDeletedView = query.status === 'DELETED'
  return (
    <MoreActions>
      <button type="button" onClick={() => show(isDeletedView ? listDefaults : deletedView)}>
        <Icon name={isDeletedView ? 'bag' : 'trash'} />
        {t(isDeletedView ? 'allProducts' : 'deletedView')}
      </button>
      <ExportLink path={`/v1/workspaces/${workspaceId}/products/export`} filters={shownBy(query)} />
      <ImportLink />
      <PhotoButton drafts={drafts} />
    </MoreActions>
  )
}

function NoProducts({ base }: { base: string }) {
  const t = texts('catalogue')
  return (
    <Empty icon="bag" title={t('noProducts')} hint={t('noProductsHint')}>
      <div class="row">
        <NewProduct href={`${base}/new`} />
        <SampleButton />
      </div>
    </Empty>
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
