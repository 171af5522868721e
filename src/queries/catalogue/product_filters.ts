import { type RawBuilder, sql } from 'kysely'
import { identityKeyOf, likePatternOf, searchTextOf } from '../../core/text.ts'
import { tableOf } from '../../db/prepared.ts'
import type { components, operations } from '../../generated/types.ts'
import { nameOrder } from './name_order.ts'

/* Raw SQL: conditions that several statements share, and an expression over the texts of searches. */

type FilterQuery = NonNullable<operations['list_products']['parameters']['query']>

export type ProductSort = components['schemas']['ProductOrder']

/** The filters of `list_products`, except for its text. */
type Narrowing = Omit<FilterQuery, 'page' | 'pageSize' | 'sort' | 'view' | 'fields' | 'search'>

export type ProductFilters = { search: string } & {
  [Name in keyof Narrowing]?: Narrowing[Name] | undefined
}

/** Parameters of every statement about a filter; those of unused filters are empty. */
export interface FilterParameters {
  workspaceId: string
  statuses: string[]
  tagId: string
  collectionId: string
  updatedSince: string
  skuKey: Buffer
  /** As in the text for searches, where the brand is a line of its own. */
  brand: string
  brandPattern: string
  onlyIds: string[]
}

type FilterParameter = (name: keyof FilterParameters) => RawBuilder<unknown>

/** When a product was last changed. An undo resets `updated_at` but counts as a change. */
const changedAt = sql`greatest(p.updated_at, p.undone_at)`

const columns = {
  createdAt: sql.ref('p.created_at'),
  updatedAt: changedAt,
  name: nameOrder('p.name'),
  stock: sql.ref('p.stock'),
}

/** The order of a list. The id breaks ties, so that no row is repeated or skipped between pages. */
export function orderOf(sort: ProductSort, reversed: boolean): RawBuilder<unknown> {
  const column = columns[sort.replace('-', '') as keyof typeof columns]
  const direction = sort.startsWith('-') !== reversed ? sql`desc` : sql`asc`
  return sql`${column} ${direction}, p.id ${direction}`
}

/** The conditions of a filter, without its search. */
export function conditionsOf(
  filters: ProductFilters,
  parameter: FilterParameter,
): RawBuilder<unknown> {
  const { status, stock, tagId, collectionId, hasImages, updatedSince, sku, ids } = filters
  const { hasDescription, hasTags, hasDuplicates, brand } = filters
  const conditions = [sql`p.workspace_id = ${parameter('workspaceId')}`]
  if (status) conditions.push(sql`p.status = any(${parameter('statuses')})`)
  if (stock) conditions.push(stock === 'IN' ? sql`p.stock > 0` : sql`p.stock = 0`)
  if (tagId)
    conditions.push(sql`exists (select from ${tableOf('product_tags')} t
      where t.workspace_id = ${parameter('workspaceId')} and t.product_id = p.id
        and t.tag_id = ${parameter('tagId')})`)
  if (collectionId)
    conditions.push(sql`exists (select from ${tableOf('collection_products')} l
      where l.workspace_id = ${parameter('workspaceId')} and l.product_id = p.id
        and l.collection_id = ${parameter('collectionId')})`)
  if (hasImages !== undefined)
    conditions.push(sql`${hasImages ? sql`` : sql`not`} exists (select from ${tableOf('product_images')} i
      where i.workspace_id = ${parameter('workspaceId')} and i.product_id = p.id)`)
  if (hasDescription !== undefined)
    conditions.push(hasDescription ? sql`p.description <> ''` : sql`p.description = ''`)
  if (hasTags !== undefined)
    conditions.push(sql`${hasTags ? sql`` : sql`not`} exists (select from ${tableOf('product_tags')} t
      where t.workspace_id = ${parameter('workspaceId')} and t.product_id = p.id)`)
  if (hasDuplicates !== undefined)
    conditions.push(
      sql`p.id ${hasDuplicates ? sql`` : sql`not`} in (${twinsIn(parameter('workspaceId'))})`,
    )
  // The index of searches finds products with these words; then the line after the name must be the brand.
  if (brand)
    conditions.push(sql`p.search like ${parameter('brandPattern')} and ${parameter('brand')} =
      split_part(p.search, E'\n', 2 + ${breaksIn('p')})`)
  if (updatedSince) conditions.push(sql`${changedAt} >= ${parameter('updatedSince')}::timestamptz`)
  if (sku) conditions.push(sql`p.sku_key = ${parameter('skuKey')}`)
  if (ids) conditions.push(sql`p.id = any(${parameter('onlyIds')})`)
  return sql.join(conditions, sql` and `)
}

/** How many line breaks the name has in the text for searches. */
function breaksIn(table: string): RawBuilder<number> {
  const name = sql.ref(`${table}.name`)
  return sql`length(${name}) - length(replace(${name}, E'\n', ''))`
}

/** Characters that people use differently when they write the same name. */
const separators = sql.lit(' \t\n\u00a0-_.,:;/\\|&+*\'"()[]{}!?#–—’‘“”·•®™')

/** Products that share their name with another one, apart from spaces and punctuation. */
function twinsIn(workspace: RawBuilder<unknown>): RawBuilder<unknown> {
  const name = sql`array_to_string((string_to_array(x.search, E'\n'))[:1 + ${breaksIn('x')}], '')`
  return sql`select id from (
    select x.id, count(*) over (partition by translate(${name}, ${separators}, '')) as twins
    from ${tableOf('products')} x where x.workspace_id = ${workspace} and x.status <> 'DELETED') named
    where twins > 1`
}

/** The shape of a filter: filters of the same shape share a statement. */
export function shapeOf(filters: ProductFilters): string {
  const { status, stock, tagId, collectionId, updatedSince, sku, brand, ids } = filters
  const { hasImages, hasDescription, hasTags, hasDuplicates } = filters
  const conditions = { status, tagId, collectionId, updatedSince, sku, brand, ids }
  const names = Object.entries(conditions).flatMap(([name, value]) => (value ? [name] : []))
  const states = [stock, hasImages, hasDescription, hasTags, hasDuplicates].map(
    (state) => state ?? '',
  )
  return [...names, ...states].join()
}

/** Whether none of the filters is used. */
export function isEmpty(filters: Partial<ProductFilters>): boolean {
  return Object.values(filters).every((value) => value === undefined || value === '')
}

const noKey = Buffer.alloc(0)

export function filterValuesOf(workspaceId: string, filters: ProductFilters): FilterParameters {
  const { status, tagId = '', collectionId = '', updatedSince = '', sku, brand = '', ids } = filters
  return {
    workspaceId,
    statuses: status ?? [],
    tagId,
    collectionId,
    updatedSince,
    skuKey: sku ? identityKeyOf(sku) : noKey,
    brand: searchTextOf(brand),
    brandPattern: likePatternOf(brand),
    onlyIds: ids ?? [],
  }
}
