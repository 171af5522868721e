import { type Kysely, type RawBuilder, sql } from 'kysely'
import { notFound } from '../../core/errors.ts'
import { likePatternOf } from '../../core/text.ts'
import { plannedEachTime, statementOf, tableOf, workspaceRead } from '../../db/prepared.ts'
import { jsonArrayText, jsonText } from '../../db/read_fields.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import type { JsonRows, JsonText } from '../../core/json_text.ts'
import { weighedCollections } from './collection_fields.ts'
import { collectionsById } from './collection_reads.ts'
import { nameOrder } from './name_order.ts'
import { productJson, weighedProducts } from './product_fields.ts'
import {
  conditionsOf,
  type FilterParameters,
  filterValuesOf,
  orderOf,
  type ProductFilters,
  type ProductSort,
  shapeOf,
} from './product_filters.ts'
import { productsById } from './product_lists.ts'
import { tagFields } from './tag_fields.ts'
import { rowsOf, type WeighedRows } from './weighed_rows.ts'

/* Raw SQL: PostgreSQL writes the JSON of the answer, so no row becomes an object on the way. */

/** The catalogue as visitors see it: only ACTIVE products, wherever they appear. */

type Schemas = components['schemas']

const productsInLists = 20

interface PublishedPage {
  search: string
  limit: number
  offset: number
}

interface JsonPage<T> {
  json: JsonRows<T>
  total: number
}

const findProduct = workspaceRead<{ workspaceId: string; id: string }>()(
  'find_published_product',
  (_db, parameter) => sql<{ json: JsonText<Schemas['Product']> }>`
    select ${productJson(parameter('workspaceId'))} as json from ${tableOf('products')} p
    where p.id = ${parameter('id')} and p.workspace_id = ${parameter('workspaceId')}
      and p.status = 'ACTIVE'`,
)

const findProductBySlug = workspaceRead<{ workspaceId: string; slug: string }>()(
  'find_published_product_by_slug',
  (_db, parameter) => sql<{ json: JsonText<Schemas['Product']> }>`
    select ${productJson(parameter('workspaceId'))} as json from ${tableOf('products')} p
    where p.slug = ${parameter('slug')} and p.workspace_id = ${parameter('workspaceId')}
      and p.status = 'ACTIVE'`,
)

export async function getPublishedProduct(
  db: Kysely<Database>,
  workspaceId: string,
  id: string,
): Promise<JsonText<Schemas['Product']>> {
  const [row] = await findProduct(db, { workspaceId, id })
  if (!row) throw notFound('product')
  return row.json
}

export async function getPublishedProductBySlug(
  db: Kysely<Database>,
  workspaceId: string,
  slug: string,
): Promise<JsonText<Schemas['Product']>> {
  const [row] = await findProductBySlug(db, { workspaceId, slug })
  if (!row) throw notFound('product')
  return row.json
}

interface ListParameters {
  workspaceId: string
  /** The collection or tag of the list; empty for the list of a site. */
  of: string
  pattern: string
  limit: number
  offset: number
}

type Place = <Name extends keyof ListParameters>(name: Name) => RawBuilder<ListParameters[Name]>
type Matches = (row: 'c' | 'p' | 't') => RawBuilder<unknown>

/** A prepared list; with a search it is planned for each search text. */
function listOf<Row>(name: string, build: (place: Place, matches: Matches) => RawBuilder<Row>) {
  const all = workspaceRead<ListParameters>()(name, (_db, place) => build(place, () => sql``))
  const searched = workspaceRead<ListParameters>()(plannedEachTime, (_db, place) =>
    build(place, (row) => sql`and ${sql.ref(`${row}.search`)} like ${place('pattern')}`),
  )
  return async (
    db: Kysely<Database>,
    { search, ...parameters }: Omit<ListParameters, 'pattern'> & PublishedPage,
  ): Promise<Row> => {
    const pattern = likePatternOf(search)
    const [row] = await (search ? searched : all)(db, { ...parameters, pattern })
    return row!
  }
}

const publishedCollection = {
  view: 'full',
  products: productsInLists,
  publishedOnly: true,
} as const

const collectionsOf = (name: string, ofTag: boolean) =>
  listOf(name, (place, matches) => {
    const workspace = place('workspaceId')
    const tagged = ofTag
      ? sql`and exists (select from ${tableOf('collection_tags')} l where l.workspace_id = ${workspace}
          and l.collection_id = c.id and l.tag_id = ${place('of')})`
      : sql``
    const matching = sql`${tableOf('collections')} c
      where c.workspace_id = ${workspace} ${matches('c')} ${tagged}`
    const listed = weighedCollections(
      { ...publishedCollection, workspace },
      sql`(select c.id from ${matching}
          order by c.created_at desc, c.id desc limit ${place('limit')} offset ${place('offset')}) page
        join ${tableOf('collections')} c on c.workspace_id = ${workspace} and c.id = page.id`,
    )
    return sql<WeighedRows & { total: number }>`
      select listed.json, listed.heavy, (select count(*) from ${matching}) as total
      from (${listed}) listed`
  })
const listCollections = collectionsOf('list_published_collections', false)
const listCollectionsOfTag = collectionsOf('list_published_collections_of_tag', true)

/** A site's collections, or those with a tag, newest first. */
export async function listPublishedCollections(
  db: Kysely<Database>,
  workspaceId: string,
  { tagId, ...page }: PublishedPage & { tagId?: string },
): Promise<JsonPage<Schemas['Collection']>> {
  const list = tagId === undefined ? listCollections : listCollectionsOfTag
  const { total, ...rows } = await list(db, { ...page, workspaceId, of: tagId ?? '' })
  return { json: rowsOf(rows, collectionsById(db, workspaceId, publishedCollection)), total }
}

const findBySlug = workspaceRead<{ workspaceId: string; slug: string }>()(
  'find_published_collection_slug',
  (_db, parameter) => sql<{ id: string }>`select id from ${tableOf('collections')}
    where workspace_id = ${parameter('workspaceId')} and slug = ${parameter('slug')}`,
)

/** One collection, as in the list. */
export async function getPublishedCollection(
  db: Kysely<Database>,
  workspaceId: string,
  id: string,
): Promise<JsonText<Schemas['Collection']>> {
  const { json } = await collectionsById(db, workspaceId, publishedCollection)([id])
  if (json === '[]') throw notFound('collection')
  return json.slice(1, -1) as JsonText<Schemas['Collection']>
}

export async function getPublishedCollectionBySlug(
  db: Kysely<Database>,
  workspaceId: string,
  slug: string,
): Promise<JsonText<Schemas['Collection']>> {
  const [row] = await findBySlug(db, { workspaceId, slug })
  if (!row) throw notFound('collection')
  return getPublishedCollection(db, workspaceId, row.id)
}

/** The published members that match the narrowing, sorted like products or in the collection's order. */
function collectionProductsIn(place: Place, narrowing: RawBuilder<unknown>, sort?: ProductSort) {
  const workspace = place('workspaceId')
  const members = sql`${tableOf('collection_products')} l
    join ${tableOf('products')} p on p.workspace_id = ${workspace} and p.id = l.product_id
      and p.status = 'ACTIVE'
    where l.workspace_id = ${workspace} and l.collection_id = ${place('of')} ${narrowing}`
  const order = sort && orderOf(sort, false)
  const listed = weighedProducts('full', workspace, {
    order: order ?? sql`p.position, p.id`,
    // The order by change needs it.
    beside: sql`page.position, p.undone_at`,
    from: sql`(select l.product_id, l.position from ${members}
        order by ${order ?? sql`l.position, l.product_id`} limit ${place('limit')} offset ${place('offset')}) page
      join ${tableOf('products')} p on p.workspace_id = ${workspace} and p.id = page.product_id`,
  })
  return sql<WeighedRows & { total: number; known: boolean }>`
    select listed.json, listed.heavy, (select count(*) from ${members}) as total,
      exists (select from ${tableOf('collections')} c
        where c.id = ${place('of')} and c.workspace_id = ${workspace}) as known
    from (${listed}) listed`
}

const listCollectionProducts = listOf('list_published_collection_products', (place, matches) =>
  collectionProductsIn(place, matches('p')),
)

/** The same with filters or in another order; a search works as in the list of products. */
const narrowedProductsOf = (filters: ProductFilters, sort: ProductSort | undefined) =>
  statementOf(`collection ${sort ?? 'order'} ${filters.search !== ''} ${shapeOf(filters)}`, () =>
    workspaceRead<ListParameters & FilterParameters>()(plannedEachTime, (_db, place) => {
      const found = filters.search === '' ? sql`` : sql`and p.search like ${place('pattern')}`
      return collectionProductsIn(place, sql`and ${conditionsOf(filters, place)} ${found}`, sort)
    }),
  )

interface CollectionPage extends PublishedPage, Pick<ProductFilters, 'stock' | 'tagId'> {
  /** By default the collection's own order. */
  sort: ProductSort | undefined
}

/** The published products of a collection; 404 if there is no such collection. */
export async function listPublishedCollectionProducts(
  db: Kysely<Database>,
  workspaceId: string,
  collectionId: string,
  page: CollectionPage,
): Promise<JsonPage<Schemas['Product']>> {
  const { known, total, ...rows } = await readCollectionPage(db, workspaceId, collectionId, page)
  if (!known) throw notFound('collection')
  return { json: rowsOf(rows, productsById(db, workspaceId, 'full', true)), total }
}

async function readCollectionPage(
  db: Kysely<Database>,
  workspaceId: string,
  of: string,
  { stock, tagId, sort, ...page }: CollectionPage,
) {
  if (!stock && !tagId && !sort) return listCollectionProducts(db, { ...page, workspaceId, of })
  const { search, limit, offset } = page
  const filters = { search, stock, tagId }
  const [row] = await narrowedProductsOf(filters, sort)(db, {
    ...filterValuesOf(workspaceId, filters),
    of,
    pattern: likePatternOf(search),
    limit,
    offset,
  })
  return row!
}

/**
 * Whether a tag `t` has a published product. The offset keeps PostgreSQL from looking up the tags of all
 * published products first.
 */
export const hasPublishedProduct = (workspace: RawBuilder<string>) => sql`
  exists (select from ${tableOf('product_tags')} l
    join ${tableOf('products')} p on p.workspace_id = ${workspace} and p.id = l.product_id
    where l.workspace_id = ${workspace} and l.tag_id = t.id and p.status = 'ACTIVE' offset 0)`

/** Whether a tag `t` has anything to show: a published product or a collection. */
const leadsSomewhere = (workspace: RawBuilder<string>) => sql`(
  exists (select from ${tableOf('collection_tags')} l
    where l.workspace_id = ${workspace} and l.tag_id = t.id)
  or ${hasPublishedProduct(workspace)})`

const findTag = workspaceRead<{ workspaceId: string; id: string }>()(
  'find_published_tag',
  (_db, parameter) => sql`select t.id from ${tableOf('tags')} t where t.id = ${parameter('id')}
    and t.workspace_id = ${parameter('workspaceId')}
    and ${leadsSomewhere(parameter('workspaceId'))}`,
)

/** Refuses a tag that visitors cannot see, with 404. */
export async function requirePublishedTag(
  db: Kysely<Database>,
  workspaceId: string,
  id: string,
): Promise<void> {
  const [tag] = await findTag(db, { workspaceId, id })
  if (!tag) throw notFound('tag')
}

const listTags = listOf('list_published_tags', (place, matches) => {
  const leading = sql`${tableOf('tags')} t
    where t.workspace_id = ${place('workspaceId')} ${matches('t')}
      and ${leadsSomewhere(place('workspaceId'))}`
  return sql<JsonPage<Schemas['Tag']>>`
    select ${jsonArrayText(jsonText(tagFields), sql`${nameOrder('t.name')}, t.id`)} as json,
      (select count(*) from ${leading}) as total
    from (select t.* from ${leading}
      order by ${nameOrder('t.name')}, t.id
      limit ${place('limit')} offset ${place('offset')}) t`
})

/** The tags that have anything to show, by name. */
export function listPublishedTags(
  db: Kysely<Database>,
  workspaceId: string,
  page: PublishedPage,
): Promise<JsonPage<Schemas['Tag']>> {
  return listTags(db, { ...page, workspaceId, of: '' })
}
