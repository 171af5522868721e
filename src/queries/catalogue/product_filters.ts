import { type RawBuilder, sql } from 'kysely'
import type { operations } from '../../generated/types.ts'
import { nameOrder } from './name_order.ts'

type Query = NonNullable<operations['list_products']['parameters']['query']>

export type ProductSort = NonNullable<Query['sort']>

export interface ProductFilters {
  search: string
  status: NonNullable<Query['status']> | undefined
  stock: Query['stock']
  tagId: Query['tagId']
  collectionId: Query['collectionId']
}

/** Parameters of every statement about a filter; those of unused filters are empty. */
export interface FilterParameters {
  workspaceId: string
  statuses: string[]
  tagId: string
  collectionId: string
}

type Parameter = (name: keyof FilterParameters) => RawBuilder<unknown>

const columns = {
  createdAt: sql.ref('p.created_at'),
  name: nameOrder('p.name'),
  stock: sql.ref('p.stock'),
}

/** The order of a list. The id breaks ties, so that no row is repeated or skipped between pages. */
export function orderOf(sort: ProductSort, reversed: boolean): RawBuilder<unknown> {
  const column = columns[sort.replace('-', '') as keyof typeof columns]
  const direction = sort.startsWith('-') !== reversed ? sql`desc` : sql`asc`
  return sql`${column} ${direction}, p.id ${direction}`
}

/** The conditions of a filter, but for its search. */
export function conditionsOf(filters: ProductFilters, parameter: Parameter): RawBuilder<unknown> {
  const { status, stock, tagId, collectionId } = filters
  const conditions = [sql`p.workspace_id = ${parameter('workspaceId')}`]
  if (status) conditions.push(sql`p.status = any(${parameter('statuses')})`)
  if (stock) conditions.push(stock === 'IN' ? sql`p.stock > 0` : sql`p.stock = 0`)
  if (tagId)
    conditions.push(sql`exists (select from product_tags t
      where t.workspace_id = ${parameter('workspaceId')} and t.product_id = p.id
        and t.tag_id = ${parameter('tagId')})`)
  if (collectionId)
    conditions.push(sql`exists (select from collection_products l
      where l.workspace_id = ${parameter('workspaceId')} and l.product_id = p.id
        and l.collection_id = ${parameter('collectionId')})`)
  return sql.join(conditions, sql` and `)
}

/** The conditions of a filter: filters of the same shape share a statement. */
export function shapeOf({ status, stock, tagId, collectionId }: ProductFilters): string {
  const filters = { status, tagId, collectionId }
  const names = Object.entries(filters).flatMap(([name, value]) => (value ? [name] : []))
  return [...names, stock ?? ''].join()
}

/** Prepared statements by shape; a few hundred at most. */
const statements = new Map<string, unknown>()

export function statementOf<S>(shape: string, make: () => S): S {
  const existing = statements.get(shape) as S | undefined
  if (existing) return existing
  const statement = make()
  statements.set(shape, statement)
  return statement
}

export function filterValuesOf(workspaceId: string, filters: ProductFilters): FilterParameters {
  const { status, tagId = '', collectionId = '' } = filters
  return { workspaceId, statuses: status ?? [], tagId, collectionId }
}
