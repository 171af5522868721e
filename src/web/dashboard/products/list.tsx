import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { api, ask, type Parameters } from '../../api.ts'
import { Icon } from '../../kit/icons.tsx'
import { NothingFound, Paged, SearchBox, Toolbar } from '../../kit/list_tools.tsx'
import { Page } from '../../kit/page.tsx'
import { Empty, Loaded } from '../../kit/states.tsx'
import { type Column, Table } from '../../kit/table.tsx'
import { useLoad } from '../../kit/use_load.ts'
import { useQuery } from '../../kit/use_query.ts'
import { formatDay, formatNumber, texts } from '../../language.ts'
import { useWorkspace } from '../../session.ts'
import { Thumb } from '../media/thumb.tsx'
import { BulkBar } from './bulk.tsx'
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

function listProducts(workspaceId: string, query: Query, signal: AbortSignal) {
  const { page, sort, ...filters } = query
  const activeFilters = Object.entries(filters).filter(([, value]) => value !== '')
  return ask(
    api.GET('/v1/workspaces/{workspaceId}/products', {
      signal,
      params: {
        path: { workspaceId },
        query: {
          ...Object.fromEntries(activeFilters),
          page: Number(page),
          pageSize: 25,
          view: 'summary',
          // A search puts the best matches first, unless another order was chosen.
          ...((filters.search === '' || sort !== listDefaults.sort) && {
            sort: sort as NonNullable<Parameters['ProductSort']>,
          }),
        },
      },
    }),
  )
}

/** All products: search, filters, sorting, pagination and bulk changes. */
export function ProductsPage() {
  const { workspaceId } = useWorkspace()
  const t = texts('catalogue')
  const [query, change] = useQuery(listDefaults)
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set())
  const list = useLoad(
    (signal) => listProducts(workspaceId, query, signal),
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
  const { summary } = list.value ?? {}
  return (
    <Page
      title={t('products')}
      {...(summary ? { about: t('productsAbout', { ...summary }) } : {})}
      actions={<NewProduct href={`${base}/new`} />}
    >
      <Toolbar>
        <SearchBox
          label={t('searchProducts')}
          value={query.search}
          onSearch={(search) => filter({ search })}
        />
        <ProductFilters query={query} change={filter} />
      </Toolbar>
      <BulkBar
        ids={selectedIds}
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
              columns={columnsFor(base)}
              rows={products}
              sort={query.sort}
              onSort={(sort) => change({ sort })}
              selection={{ ids: selectedIds, change: setSelectedIds }}
              nameOf={({ name }) => name}
            />
          </Paged>
        )}
      </Loaded>
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

function columnsFor(base: string): Column<Product>[] {
  const t = texts('catalogue')
  return [
    {
      title: t('name'),
      sort: 'name',
      cell: ({ id, name, sku, images: [cover] }) => (
        <div class="cell-main">
          <Thumb media={cover} />
          <div class="grow">
            <Link href={`${base}/${id}`}>{name}</Link>
            <small>{sku}</small>
          </div>
        </div>
      ),
    },
    { title: t('brand'), wide: true, cell: ({ brand }) => brand },
    { title: t('status'), cell: ({ status }) => <StatusPill status={status} /> },
    { title: t('stock'), sort: 'stock', numeric: true, cell: ({ stock }) => formatNumber(stock) },
    {
      title: t('tags'),
      wide: true,
      cell: ({ tags }) => <span class="muted">{tags.map(({ name }) => name).join(', ')}</span>,
    },
    {
      title: t('added'),
      sort: 'createdAt',
      wide: true,
      cell: ({ createdAt }) => <span class="muted nowrap-text">{formatDay(createdAt)}</span>,
    },
  ]
}
