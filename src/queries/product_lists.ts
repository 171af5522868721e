import { type Kysely, type RawBuilder, sql } from 'kysely'
import { likePatternOf } from '../core/text.ts'
import { prepared } from '../db/prepared.ts'
import type { Database } from '../db/schema.ts'
import type { components, operations } from '../generated/types.ts'
import type { JsonText } from '../operation.ts'
import { productJson } from './catalogue_json.ts'
import type { CatalogueCounts } from './counters.ts'

type Product = components['schemas']['Product']
type Query = NonNullable<operations['list_products']['parameters']['query']>

export interface ProductFilters {
  search: string
  status: NonNullable<Query['status']> | undefined
  stock: Query['stock']
  tagId: Query['tagId']
  collectionId: Query['collectionId']
}

export interface ProductPage {
  sort: NonNullable<Query['sort']>
  view: NonNullable<Query['view']>
  limit: number
  offset: number
}

const columns = { createdAt: 'created_at', name: 'name', stock: 'stock' } as const

/** The order of a list. The id breaks ties, so that no row is seen twice or missed between pages. */
function orderOf(sort: ProductPage['sort'], reversed: boolean): RawBuilder<unknown> {
  const column = sql.ref(`p.${columns[sort.replace('-', '') as keyof typeof columns]}`)
  const direction = sort.startsWith('-') !== reversed ? sql`desc` : sql`asc`
  return sql`${column} ${direction}, p.id ${direction}`
}

function conditionsOf(workspaceId: string, filters: ProductFilters): RawBuilder<unknown> {
  const { search, status, stock, tagId, collectionId } = filters
  const conditions = [sql`p.workspace_id = ${workspaceId}`]
  if (status) conditions.push(sql`p.status = any(${status.split(',')})`)
  if (stock) conditions.push(stock === 'IN' ? sql`p.stock > 0` : sql`p.stock = 0`)
  if (search) conditions.push(sql`p.search like ${likePatternOf(search)}`)
  if (tagId)
    conditions.push(
      sql`exists (select from product_tags t where t.product_id = p.id and t.tag_id = ${tagId})`,
    )
  if (collectionId)
    conditions.push(sql`exists (select from collection_products c
      where c.product_id = p.id and c.collection_id = ${collectionId})`)
  return sql.join(conditions, sql` and `)
}

/** The total that the counters know, for lists without a filter or with one status alone. */
export function countedTotal(
  { search, status, stock, tagId, collectionId }: ProductFilters,
  counts: CatalogueCounts,
): number | undefined {
  if (search || stock || tagId || collectionId) return undefined
  const { active, inactive, deleted } = counts
  if (status === undefined) return active + inactive + deleted
  const single = { ACTIVE: active, INACTIVE: inactive, DELETED: deleted }
  return single[status as keyof typeof single]
}

export async function countProducts(
  db: Kysely<Database>,
  workspaceId: string,
  filters: ProductFilters,
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from products p
    where ${conditionsOf(workspaceId, filters)}`.execute(db)
  return rows[0]?.total ?? 0
}

/** The first pages of the newest products: what most callers ask for, most of the time. */
const listNewest = prepared<{
  workspaceId: string
  baseUrl: string
  limit: number
  offset: number
}>()('list_newest_products', (_db, parameter) => {
  const order = orderOf('-createdAt', false)
  return sql<{ json: JsonText<Product[]> }>`
    select coalesce(json_agg(${productJson(parameter('baseUrl'), 'full')} order by ${order}),
      '[]')::text as json
    from (select p.id from products p where p.workspace_id = ${parameter('workspaceId')}
      order by ${order} limit ${parameter('limit')} offset ${parameter('offset')}) page
    join products p on p.id = page.id`
})

/** A page of products as JSON. A page nearer to the end is reached from there. */
export async function listProducts(
  db: Kysely<Database>,
  workspaceId: string,
  filters: ProductFilters,
  { sort, view, limit, offset }: ProductPage,
  { total, baseUrl }: { total: number; baseUrl: string },
): Promise<JsonText<Product[]>> {
  const rowsOnPage = Math.max(0, Math.min(limit, total - offset))
  if (rowsOnPage === 0) return '[]' as JsonText<Product[]>
  const fromEnd = total - offset - rowsOnPage
  const reversed = fromEnd < offset
  const plain = sort === '-createdAt' && view === 'full' && !reversed
  if (plain && Object.values(filters).every((value) => !value)) {
    const [row] = await listNewest(db, { workspaceId, baseUrl, limit, offset })
    return row!.json
  }
  // The rows of the page are found by the index alone; their values are read for them only.
  const { rows } = await sql<{ json: JsonText<Product[]> }>`
    select coalesce(json_agg(${productJson(sql`${baseUrl}`, view)}
      order by ${orderOf(sort, false)}), '[]')::text as json
    from (select p.id from products p where ${conditionsOf(workspaceId, filters)}
      order by ${orderOf(sort, reversed)}
      limit ${reversed ? rowsOnPage : limit} offset ${reversed ? fromEnd : offset}) page
    join products p on p.id = page.id`.execute(db)
  return rows[0]!.json
}
