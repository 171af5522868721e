import { type Kysely, type RawBuilder, sql } from 'kysely'
import { notFound } from '../../core/errors.ts'
import {
  isInParts,
  jsonAround,
  type JsonParts,
  type JsonRows,
  type JsonText,
} from '../../core/json_text.ts'
import { stretchOf } from '../../core/paging.ts'
import { likePatternOf } from '../../core/text.ts'
import { plannedEachTime, statementOf, tableOf, workspaceRead } from '../../db/prepared.ts'
import { selectList } from '../../db/read_fields.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import { type ReadRows, rowsOf, type WeighedRows } from './weighed_rows.ts'
import {
  collectionAround,
  type CollectionShape,
  storedCollection,
  weighedCollections,
} from './collection_fields.ts'
import { getCatalogueCounts } from './counters.ts'
import { weighedCollectionProducts } from './product_fields.ts'

/* Raw SQL: PostgreSQL writes the JSON of the answer, so no row becomes an object on the way. */

type Collection = components['schemas']['Collection']
type CollectionProduct = components['schemas']['CollectionProduct']
type View = CollectionShape['view']

/** In a list, a model or a page needs only a glimpse of the products, and their ids. */
const listedShapes = {
  full: { view: 'full', products: 4 },
  summary: { view: 'summary', products: 0 },
} as const

interface FoundCollection extends WeighedRows {
  before: string
  after: string
}

/**
 * Looks up each product by its key. A plan that joins all products can be disastrous: before the first
 * analyze PostgreSQL expects few rows in a collection, and a plan from when the catalogue was small stays
 * cached. Such a join reads a million rows for a collection of 1,000 products.
 */
const findCollection = workspaceRead<{ workspaceId: string; id: string }>()(
  plannedEachTime,
  (_db, parameter) => {
    const workspace = parameter('workspaceId')
    const { before, after } = collectionAround(workspace)
    const products = weighedCollectionProducts('full', workspace, {
      order: sql`p.position, p.id`,
      beside: sql`page.position`,
      from: sql`(select l.product_id, l.position from ${tableOf('collection_products')} l
          where l.workspace_id = ${workspace} and l.collection_id = ${parameter('id')}) page
        cross join lateral (select * from ${tableOf('products')} found
          where found.workspace_id = ${workspace} and found.id = page.product_id offset 0) p`,
    })
    return sql<FoundCollection>`
      select ${before} as before, ${after} as after, products.json, products.heavy
      from ${tableOf('collections')} c, (${products}) products
      where c.id = ${parameter('id')} and c.workspace_id = ${workspace}`
  },
)

/** The collection. If it is too large for one value, `later` reads its products while it is sent. */
export async function getCollection(
  db: Kysely<Database>,
  workspaceId: string,
  id: string,
  later: Kysely<Database>,
): Promise<JsonText<Collection> | JsonParts<Collection>> {
  const [row] = await findCollection(db, { workspaceId, id })
  if (!row) throw notFound('collection')
  const { before, after, ...rows } = row
  const products = rowsOf(rows, collectionProductsById(later, workspaceId))
  const [start, end] = [`${before.slice(0, -1)},"products":`, `,${after.slice(1)}`]
  const whole = jsonAround<Collection>(start, products, end)
  return isInParts(whole) ? { ...whole, brief: `${start}[]${end}` } : whole
}

/** The collection as in a list of summaries: without products, but with all their ids. */
export async function getCollectionSummary(
  db: Kysely<Database>,
  workspaceId: string,
  id: string,
): Promise<JsonText<Collection>> {
  const { json } = await collectionsById(db, workspaceId, listedShapes.summary)([id])
  if (json === '[]') throw notFound('collection')
  return json.slice(1, -1) as JsonText<Collection>
}

const productReaderOf = (view: View) =>
  workspaceRead<{ workspaceId: string; ids: string[] }>()(plannedEachTime, (_db, parameter) => {
    const workspace = parameter('workspaceId')
    return weighedCollectionProducts(view, workspace, {
      order: sql`p.place`,
      beside: sql`page.place`,
      from: sql`unnest(${parameter('ids')}::text[]) with ordinality as page (product_id, place)
        join ${tableOf('products')} p on p.workspace_id = ${workspace} and p.id = page.product_id`,
    })
  })
const productReaders = { full: productReaderOf('full'), summary: productReaderOf('summary') }

/** Reads groups of a collection's products by their ids. */
function collectionProductsById(
  db: Kysely<Database>,
  workspaceId: string,
  view: View = 'full',
): ReadRows {
  return async (ids) => (await productReaders[view](db, { workspaceId, ids }))[0]!
}

type Shape = Omit<CollectionShape, 'workspace'>

const readerOf = (shape: Shape) =>
  statementOf(`collections ${JSON.stringify(shape)}`, () =>
    workspaceRead<{ workspaceId: string; ids: string[] }>()(plannedEachTime, (_db, parameter) => {
      const workspace = parameter('workspaceId')
      return weighedCollections(
        { ...shape, workspace },
        sql`${tableOf('collections')} c
          where c.workspace_id = ${workspace} and c.id = any(${parameter('ids')})`,
      )
    }),
  )

/** Reads groups of collections by their ids, in the order of lists. */
export function collectionsById(db: Kysely<Database>, workspaceId: string, shape: Shape): ReadRows {
  return async (ids) => (await readerOf(shape)(db, { workspaceId, ids }))[0]!
}

interface CollectionsParameters {
  workspaceId: string
  pattern: string
  limit: number
  offset: number
}

type PageParameter = (name: keyof CollectionsParameters) => RawBuilder<unknown>

/** The collections `c` that match the search, or all. */
const matchingIn = (
  parameter: PageParameter,
  isSearch: boolean,
) => sql`from ${tableOf('collections')} c
  where c.workspace_id = ${parameter('workspaceId')}
  ${isSearch ? sql`and c.search like ${parameter('pattern')}` : sql``}`

const countFound = workspaceRead<CollectionsParameters>()(
  plannedEachTime,
  (_db, parameter) =>
    sql<{ total: number }>`select count(*) as total ${matchingIn(parameter, true)}`,
)

const pageOf = (view: View, isSearch: boolean, reversed: boolean) =>
  statementOf(`collections ${view} ${isSearch} ${reversed}`, () =>
    workspaceRead<CollectionsParameters>()(plannedEachTime, (_db, parameter) => {
      const workspace = parameter('workspaceId')
      const direction = reversed ? sql`asc` : sql`desc`
      return weighedCollections(
        { ...listedShapes[view], workspace },
        sql`(select c.id ${matchingIn(parameter, isSearch)}
            order by c.created_at ${direction}, c.id ${direction}
            limit ${parameter('limit')} offset ${parameter('offset')}) page
          join ${tableOf('collections')} c on c.workspace_id = ${workspace} and c.id = page.id`,
      )
    }),
  )

/** A page of collections, newest first, and the total that the search finds. */
export async function listCollections(
  db: Kysely<Database>,
  workspaceId: string,
  request: { search: string; view: View; page: number; pageSize: number },
): Promise<{ json: JsonRows<Collection>; total: number }> {
  const { search, view, page, pageSize } = request
  const found = { workspaceId, pattern: likePatternOf(search) }
  const total = search
    ? (await countFound(db, { ...found, limit: 0, offset: 0 }))[0]!.total
    : (await getCatalogueCounts(db, workspaceId)).collections
  const stretch = stretchOf(page, pageSize, total)
  if (!stretch) return { json: '[]' as JsonText<Collection[]>, total }
  const { limit, offset, reversed } = stretch
  const list = pageOf(view, search !== '', reversed)
  const [rows] = await list(db, { ...found, limit, offset })
  return { json: rowsOf(rows!, collectionsById(db, workspaceId, listedShapes[view])), total }
}

const membersOf = (view: View, isSearch: boolean) =>
  statementOf(`members ${view} ${isSearch}`, () =>
    workspaceRead<CollectionsParameters & { id: string }>()(plannedEachTime, (_db, parameter) => {
      const workspace = parameter('workspaceId')
      const members = sql`${tableOf('collection_products')} l
        join ${tableOf('products')} p on p.workspace_id = ${workspace} and p.id = l.product_id
        where l.workspace_id = ${workspace} and l.collection_id = ${parameter('id')}
          ${isSearch ? sql`and p.search like ${parameter('pattern')}` : sql``}`
      const listed = weighedCollectionProducts(view, workspace, {
        order: sql`p.position, p.id`,
        beside: sql`page.position`,
        from: sql`(select l.product_id, l.position from ${members}
            order by l.position, l.product_id
            limit ${parameter('limit')} offset ${parameter('offset')}) page
          join ${tableOf('products')} p on p.workspace_id = ${workspace} and p.id = page.product_id`,
      })
      return sql<WeighedRows & { total: number }>`
        select listed.json, listed.heavy, (select count(*) from ${members}) as total
        from (${listed}) listed`
    }),
  )

/** A page of a collection's products, in its order. */
export async function listCollectionProducts(
  db: Kysely<Database>,
  workspaceId: string,
  id: string,
  { search, view, limit, offset }: { search: string; view: View; limit: number; offset: number },
): Promise<{ json: JsonRows<CollectionProduct>; total: number }> {
  const list = membersOf(view, search !== '')
  const pattern = likePatternOf(search)
  const [row] = await list(db, { workspaceId, id, pattern, limit, offset })
  const { total, ...found } = row!
  return { json: rowsOf(found, collectionProductsById(db, workspaceId, view)), total }
}

/** What a collection says of itself, without its products. */
export async function getCollectionProfile(
  db: Kysely<Database>,
  workspaceId: string,
  id: string,
): Promise<unknown> {
  const { imageId, ...own } = storedCollection.readFrom('c')
  const tags = sql<string[]>`array(select t.name from collection_tags l
    join tags t on t.workspace_id = ${workspaceId} and t.id = l.tag_id
    where l.workspace_id = ${workspaceId} and l.collection_id = c.id order by l.position)`
  const profile = await db
    .selectFrom('collections as c')
    .select(selectList(own))
    .select((eb) => [
      eb
        .selectFrom('media as m')
        .select('m.file_name')
        .where('m.workspace_id', '=', workspaceId)
        .where('m.id', '=', imageId)
        .as('image'),
      tags.as('tags'),
    ])
    .where('c.workspace_id', '=', workspaceId)
    .where('c.id', '=', id)
    .executeTakeFirst()
  if (!profile) throw notFound('collection')
  return profile
}
