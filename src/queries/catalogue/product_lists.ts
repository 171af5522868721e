import { type Kysely, type RawBuilder, sql } from 'kysely'
import { stretchOf } from '../../core/paging.ts'
import { identityOf } from '../../db/own_connection.ts'
import { plannedEachTime, statementOf, tableOf, workspaceRead } from '../../db/prepared.ts'
import type { Database } from '../../db/schema.ts'
import type { components, operations } from '../../generated/types.ts'
import type { JsonRows, JsonText } from '../../core/json_text.ts'
import { getCatalogueCounts, type ProductCounts, productCounts } from './counters.ts'
import { type ProductField, weighedParts, weighedProducts } from './product_fields.ts'
import {
  conditionsOf,
  type FilterParameters,
  filterValuesOf,
  isEmpty,
  orderOf,
  type ProductFilters,
  type ProductSort,
  shapeOf,
} from './product_filters.ts'
import { findSearched } from './search/product_search.ts'
import { remembered } from '../../db/remembered.ts'
import { type ReadRows, rowsOf, type WeighedRows } from './weighed_rows.ts'

/* Raw SQL: PostgreSQL writes the JSON of the answer, so no row becomes an object on the way. */

type Product = components['schemas']['Product']
type ProductsQuery = NonNullable<operations['list_products']['parameters']['query']>

interface ProductPage {
  page: number
  pageSize: number
  /** By default the best matches of a search come first, otherwise the newest products. */
  sort: ProductSort | undefined
  view: NonNullable<ProductsQuery['view']>
  /** Only these fields, instead of a view. */
  fields?: readonly ProductField[] | undefined
}

interface ListedProducts {
  products: JsonRows<Product>
  total: number
  counts: ProductCounts
}

interface ProductsParameters extends FilterParameters {
  limit: number
  offset: number
}

type ProductsParameter = (name: keyof ProductsParameters) => RawBuilder<unknown>

/** Counts the matches of a filter. */
const counterOf = (filters: ProductFilters) =>
  statementOf(`count ${shapeOf(filters)}`, () =>
    workspaceRead<ProductsParameters>()(
      plannedEachTime,
      (_db, parameter) => sql<{ total: number }>`
        select count(*) as total from ${tableOf('products')} p where ${conditionsOf(filters, parameter)}`,
    ),
  )

/** Finds the ids of a page, as the text of an array, which is passed back unchanged. */
const finderOf = (filters: ProductFilters, sort: ProductSort, reversed: boolean) =>
  statementOf(`find ${sort} ${reversed} ${shapeOf(filters)}`, () =>
    workspaceRead<ProductsParameters>()(
      plannedEachTime,
      (_db, parameter) => sql<{ ids: string }>`
        select ${idsOf(filters, sort, reversed, parameter)} as ids`,
    ),
  )

/** The same for a first page, which needs no total, together with the counts. */
const firstFinderOf = (filters: ProductFilters, sort: ProductSort) =>
  statementOf(`first ${sort} ${shapeOf(filters)}`, () =>
    workspaceRead<ProductsParameters>()(
      plannedEachTime,
      (_db, parameter) => sql<{ counts: ProductCounts; ids: string }>`
        select ${productCounts}, ${idsOf(filters, sort, false, parameter)} as ids
        from ${tableOf('catalogue_counters')} c where c.workspace_id = ${parameter('workspaceId')}`,
    ),
  )

/** The ids of a page in list order, even if they were read from the end. */
function idsOf(
  filters: ProductFilters,
  sort: ProductSort,
  reversed: boolean,
  parameter: ProductsParameter,
): RawBuilder<string> {
  const from = sql`from ${tableOf('products')} p where ${conditionsOf(filters, parameter)}
    order by ${orderOf(sort, reversed)}
    limit ${parameter('limit')} offset ${parameter('offset')}`
  if (!reversed) return sql`array(select p.id ${from})::text`
  return sql`array(select p.id from (select p.id, p.created_at, p.updated_at, p.undone_at, p.name, p.stock
    ${from}) p
    order by ${orderOf(sort, false)})::text`
}

/**
 * Reads products by id, always with the same plan. A product may have been unpublished since it was found,
 * and visitors must not see it then.
 */
const readersOf = (view: ProductPage['view'], published: boolean) =>
  workspaceRead<{ workspaceId: string; ids: string }>()(
    `list_${published ? 'published' : 'products'}_${view}`,
    (_db, parameter) =>
      weighedProducts(view, parameter('workspaceId'), {
        order: sql`p.place`,
        beside: sql`page.place`,
        from: sql`unnest(${parameter('ids')}::text[]) with ordinality as page (id, place)
          join ${tableOf('products')} p on p.workspace_id = ${parameter('workspaceId')} and p.id = page.id
            ${published ? sql`and p.status = 'ACTIVE'` : sql``}`,
      }),
  )
const readers = {
  all: { full: readersOf('full', false), summary: readersOf('summary', false) },
  published: { full: readersOf('full', true), summary: readersOf('summary', true) },
}

/**
 * The first page of the newest products, all or published: the most common request. Its size is part of the
 * statement, because a plan for any size would be a plan for the largest. With the two statements of other
 * lists it takes 1.30 times the CPU, published 1.13 (`npx tsx scripts/bench/against.ts <folder> --only
 * list`).
 */
const newestOf = (size: number, published: boolean) =>
  workspaceRead<{ workspaceId: string }>()(
    `list_newest_${size}_${published ? 'published' : 'products'}`,
    (_db, parameter) => {
      const order = orderOf('-createdAt', false)
      const listed = weighedProducts('full', parameter('workspaceId'), {
        order,
        from: sql`${tableOf('products')} p where p.workspace_id = ${parameter('workspaceId')}
          ${published ? sql`and p.status = 'ACTIVE'` : sql``}
          order by ${order} limit ${sql.lit(size)}`,
      })
      return sql<{ counts: ProductCounts } & WeighedRows>`
        select counted.counts, listed.json, listed.heavy
        from (select ${productCounts} from ${tableOf('catalogue_counters')} c
          where c.workspace_id = ${parameter('workspaceId')}) counted, (${listed}) listed`
    },
  )
const sizes = [20, 50, 100]
const newest = {
  all: new Map(sizes.map((size) => [size, newestOf(size, false)])),
  published: new Map(sizes.map((size) => [size, newestOf(size, true)])),
}

/** The total from the counters, for lists without a filter or with only a status. */
function countedTotal(
  { status, ...others }: ProductFilters,
  { active, inactive, deleted }: ProductCounts,
): number | undefined {
  if (!isEmpty(others)) return undefined
  if (status === undefined) return active + inactive + deleted
  const [first, ...more] = status
  const single = { ACTIVE: active, INACTIVE: inactive, DELETED: deleted }
  return first === undefined || more.length > 0 ? undefined : single[first]
}

/** A page of products as JSON, with the filter's total. */
export async function listProducts(
  db: Kysely<Database>,
  workspaceId: string,
  filters: ProductFilters,
  request: ProductPage,
): Promise<ListedProducts> {
  const { page, pageSize, view, fields, sort = '-createdAt' } = request
  const plain = page === 1 && sort === '-createdAt' && view === 'full' && !fields
  const { status, ...others } = filters
  const published = status?.length === 1 && status[0] === 'ACTIVE'
  const newestLists = published ? newest.published : status ? undefined : newest.all
  const listNewest = plain && isEmpty(others) ? newestLists?.get(pageSize) : undefined
  if (listNewest) {
    const [row] = await listNewest(db, { workspaceId })
    const { counts } = row!
    const products = rowsOf<Product>(row!, productsById(db, workspaceId, view, published))
    return { products, total: countedTotal(filters, counts)!, counts }
  }
  const { ids, total, counts } = await findProductIds(db, workspaceId, filters, request)
  if (ids === noIds) return { products: '[]' as JsonText<Product[]>, total, counts }
  if (fields) return { products: await readParts(db, workspaceId, fields, ids), total, counts }
  const { [view]: read } = published ? readers.published : readers.all
  const [row] = await read(db, { workspaceId, ids })
  const products = rowsOf<Product>(row!, productsById(db, workspaceId, view, published))
  return { products, total, counts }
}

/**
 * Reads fields of products by id. There are more sets of fields than statements to prepare, so each
 * statement is built for its call.
 */
export async function readParts(
  db: Kysely<Database>,
  workspaceId: string,
  fields: readonly ProductField[],
  ids: string,
): Promise<JsonRows<Product>> {
  const read = async (some: string) => {
    const { rows } = await weighedParts(fields, sql`${workspaceId}`, {
      order: sql`p.place`,
      beside: sql`page.place`,
      from: sql`unnest(${some}::text[]) with ordinality as page (id, place)
        join ${tableOf('products')} p on p.workspace_id = ${workspaceId} and p.id = page.id`,
    }).execute(db)
    return rows[0]!
  }
  return rowsOf(await read(ids), (some) => read(`{${some.join()}}`))
}

/** Reads groups of products by their ids. */
export function productsById(
  db: Kysely<Database>,
  workspaceId: string,
  view: ProductPage['view'],
  published: boolean,
): ReadRows {
  const { [view]: read } = published ? readers.published : readers.all
  return async (ids) => (await read(db, { workspaceId, ids: `{${ids.join()}}` }))[0]!
}

const noIds = '{}'

interface FoundPage {
  /** As the text of an array, which is passed back unchanged. */
  ids: string
  total: number
  counts: ProductCounts
}

/** The ids of a page, the filter's total and the counts of the catalogue. */
export async function findProductIds(
  db: Kysely<Database>,
  workspaceId: string,
  filters: ProductFilters,
  { page, pageSize, sort }: Pick<ProductPage, 'page' | 'pageSize' | 'sort'>,
): Promise<FoundPage> {
  const place = { limit: pageSize, offset: (page - 1) * pageSize }
  if (filters.search.trim()) {
    const { ids, ...found } = await findSearched(db, workspaceId, filters, { ...place, sort })
    return { ids: `{${ids.join()}}`, ...found }
  }
  return findPage(db, filterValuesOf(workspaceId, filters), filters, {
    page,
    pageSize,
    sort: sort ?? '-createdAt',
  })
}

async function findPage(
  db: Kysely<Database>,
  values: FilterParameters,
  filters: ProductFilters,
  { page, pageSize, sort }: { page: number; pageSize: number; sort: ProductSort },
): Promise<FoundPage> {
  const totalIn = (counts: ProductCounts) =>
    countedTotal(filters, counts) ??
    remembered(identityOf(db), JSON.stringify([values, filters]), counts.changes, async () => {
      const [row] = await counterOf(filters)(db, { ...values, limit: 0, offset: 0 })
      return row!.total
    })
  if (page === 1) {
    const place = { limit: pageSize, offset: 0 }
    const [row] = await firstFinderOf(filters, sort)(db, { ...values, ...place })
    const { ids, counts } = row!
    // If the first page is not full, it is the whole list.
    const count = ids === noIds ? 0 : ids.split(',').length
    return { ids, total: count < pageSize ? count : await totalIn(counts), counts }
  }
  const counts = await getCatalogueCounts(db, values.workspaceId)
  const total = await totalIn(counts)
  const stretch = stretchOf(page, pageSize, total)
  if (!stretch) return { ids: noIds, total, counts }
  const { reversed, ...place } = stretch
  const [row] = await finderOf(filters, sort, reversed)(db, { ...values, ...place })
  return { ids: row!.ids, total, counts }
}
