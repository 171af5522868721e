import { type RawBuilder, sql } from 'kysely'
import { identityKeyOf, likePatternOf } from '../../core/text.ts'
import type { operations } from '../../generated/types.ts'

type Query = NonNullable<operations['list_products']['parameters']['query']>

/** The filters of `list_products`, except for its text. */
type Narrowing = Omit<Query, 'page' | 'pageSize' | 'sort' | 'view' | 'search'>

export type ProductFilters = { search: string } & {
  [Name in keyof Narrowing]?: Narrowing[Name] | undefined
}

/** Parameters of the lists; those of unused filters are empty. */
export interface Parameters {
  workspaceId: string
  pattern: string
  statuses: string[]
  tagId: string
  collectionId: string
  updatedSince: string
  skuKey: Buffer
  ids: string[]
  limit: number
  offset: number
}

export type Parameter = (name: keyof Parameters) => RawBuilder<unknown>

/** The conditions of a filter. */
export function conditionsOf(filters: ProductFilters, parameter: Parameter): RawBuilder<unknown> {
  const { search, status, stock, tagId, collectionId, hasImages, updatedSince, sku, ids } = filters
  const conditions = [sql`p.workspace_id = ${parameter('workspaceId')}`]
  if (status) conditions.push(sql`p.status = any(${parameter('statuses')})`)
  if (stock) conditions.push(stock === 'IN' ? sql`p.stock > 0` : sql`p.stock = 0`)
  if (search) conditions.push(sql`p.search like ${parameter('pattern')}`)
  if (tagId)
    conditions.push(sql`exists (select from product_tags t
      where t.workspace_id = ${parameter('workspaceId')} and t.product_id = p.id
        and t.tag_id = ${parameter('tagId')})`)
  if (collectionId)
    conditions.push(sql`exists (select from collection_products l
      where l.workspace_id = ${parameter('workspaceId')} and l.product_id = p.id
        and l.collection_id = ${parameter('collectionId')})`)
  if (hasImages !== undefined)
    conditions.push(sql`${hasImages ? sql`` : sql`not`} exists (select from product_images i
      where i.workspace_id = ${parameter('workspaceId')} and i.product_id = p.id)`)
  if (updatedSince) conditions.push(sql`p.updated_at >= ${parameter('updatedSince')}::timestamptz`)
  if (sku) conditions.push(sql`p.sku_key = ${parameter('skuKey')}`)
  if (ids) conditions.push(sql`p.id = any(${parameter('ids')})`)
  return sql.join(conditions, sql` and `)
}

/** Filters of the same shape share a statement. */
export function shapeOf({ stock, hasImages, ...filters }: ProductFilters): string {
  const names = Object.entries(filters).flatMap(([name, value]) => (value ? [name] : []))
  return [...names.sort(), stock ?? '', hasImages ?? ''].join()
}

/** Whether nothing beside the status is filtered. */
export function isEmpty(filters: Omit<ProductFilters, 'status'>): boolean {
  return Object.values(filters).every((value) => value === undefined || value === '')
}

export type Values = Omit<Parameters, 'limit' | 'offset'>

const noKey = Buffer.alloc(0)

/** The parameters of a filter. */
export function valuesOf(workspaceId: string, filters: ProductFilters): Values {
  const { search, status, tagId = '', collectionId = '', updatedSince = '', sku, ids } = filters
  return {
    workspaceId,
    pattern: search && likePatternOf(search),
    statuses: status ?? [],
    tagId,
    collectionId,
    updatedSince,
    skuKey: sku ? identityKeyOf(sku) : noKey,
    ids: ids ?? [],
  }
}
