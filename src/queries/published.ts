import { type Kysely, type RawBuilder, sql } from 'kysely'
import { notFound } from '../core/errors.ts'
import { likePatternOf } from '../core/text.ts'
import { prepared } from '../db/prepared.ts'
import type { Database } from '../db/schema.ts'
import type { components } from '../generated/types.ts'
import type { JsonText } from '../operation.ts'
import { collectionJson, productJson } from './catalogue_json.ts'

/** The catalogue as visitors see it: of products only those that are ACTIVE, wherever they appear. */

type Schemas = components['schemas']

const productsInLists = 20

export interface PublishedPage {
  search: string
  limit: number
  offset: number
}

interface Listed<T> {
  json: JsonText<T[]>
  total: number
}

const findProduct = prepared<{ workspaceId: string; id: string; baseUrl: string }>()(
  'find_published_product',
  (_db, parameter) => sql<{ json: JsonText<Schemas['Product']> }>`
    select ${productJson(parameter('baseUrl'), 'full')}::text as json from products p
    where p.id = ${parameter('id')} and p.workspace_id = ${parameter('workspaceId')}
      and p.status = 'ACTIVE'`,
)

const findProductBySlug = prepared<{ workspaceId: string; slug: string; baseUrl: string }>()(
  'find_published_product_by_slug',
  (_db, parameter) => sql<{ json: JsonText<Schemas['Product']> }>`
    select ${productJson(parameter('baseUrl'), 'full')}::text as json from products p
    where p.slug = ${parameter('slug')} and p.workspace_id = ${parameter('workspaceId')}
      and p.status = 'ACTIVE'`,
)

export async function getPublishedProduct(
  db: Kysely<Database>,
  workspaceId: string,
  id: string,
  baseUrl: string,
): Promise<JsonText<Schemas['Product']>> {
  const [row] = await findProduct(db, { workspaceId, id, baseUrl })
  if (!row) throw notFound('product')
  return row.json
}

export async function getPublishedProductBySlug(
  db: Kysely<Database>,
  workspaceId: string,
  slug: string,
  baseUrl: string,
): Promise<JsonText<Schemas['Product']>> {
  const [row] = await findProductBySlug(db, { workspaceId, slug, baseUrl })
  if (!row) throw notFound('product')
  return row.json
}

/** The collections of a site, or those with a tag, newest first. */
export async function listPublishedCollections(
  db: Kysely<Database>,
  workspaceId: string,
  { search, limit, offset, tagId }: PublishedPage & { tagId?: string },
  baseUrl: string,
): Promise<Listed<Schemas['Collection']>> {
  const shape = { view: 'full', products: productsInLists, publishedOnly: true } as const
  const found = matching(sql`c.workspace_id = ${workspaceId}`, 'c', search)
  const tagged = tagId
    ? sql`and exists (select from collection_tags l
        where l.collection_id = c.id and l.tag_id = ${tagId})`
    : sql``
  const { rows } = await sql<Listed<Schemas['Collection']>>`
    select coalesce(json_agg(${collectionJson(sql`${baseUrl}`, shape)}
        order by c.created_at desc, c.id desc), '[]')::text as json,
      (select count(*) from collections c where ${found} ${tagged}) as total
    from (select c.id from collections c where ${found} ${tagged}
      order by c.created_at desc, c.id desc limit ${limit} offset ${offset}) page
    join collections c on c.id = page.id`.execute(db)
  return rows[0]!
}

/** The published products of a collection in its order; 404 for a collection that is not there. */
export async function listPublishedCollectionProducts(
  db: Kysely<Database>,
  workspaceId: string,
  collectionId: string,
  { search, limit, offset }: PublishedPage,
  baseUrl: string,
): Promise<Listed<Schemas['Product']>> {
  const members = sql`collection_products l
    join products p on p.id = l.product_id and p.status = 'ACTIVE'
    where ${matching(sql`l.collection_id = ${collectionId}`, 'p', search)}`
  const { rows } = await sql<Listed<Schemas['Product']> & { known: boolean }>`
    select coalesce(json_agg(${productJson(sql`${baseUrl}`, 'full')}
        order by page.position, p.id), '[]')::text as json,
      (select count(*) from ${members}) as total,
      exists (select from collections c
        where c.id = ${collectionId} and c.workspace_id = ${workspaceId}) as known
    from (select l.product_id, l.position from ${members}
      order by l.position, l.product_id limit ${limit} offset ${offset}) page
    join products p on p.id = page.product_id`.execute(db)
  const { known, ...listed } = rows[0]!
  if (!known) throw notFound('collection')
  return listed
}

/** Whether a tag leads a visitor somewhere: to a published product or to a collection. */
const leadsSomewhere = sql`(exists (select from collection_tags l where l.tag_id = t.id)
  or exists (select from product_tags l join products p on p.id = l.product_id
    where l.tag_id = t.id and p.status = 'ACTIVE'))`

/** Refuses with 404 a tag that visitors do not see. */
export async function requirePublishedTag(
  db: Kysely<Database>,
  workspaceId: string,
  id: string,
): Promise<void> {
  const { rows } = await sql`select from tags t
    where t.id = ${id} and t.workspace_id = ${workspaceId} and ${leadsSomewhere}`.execute(db)
  if (rows.length === 0) throw notFound('tag')
}

/** The tags by name that lead a visitor somewhere. */
export async function listPublishedTags(
  db: Kysely<Database>,
  workspaceId: string,
  { search, limit, offset }: PublishedPage,
): Promise<Listed<Schemas['Tag']>> {
  const leading = sql`tags t where ${matching(sql`t.workspace_id = ${workspaceId}`, 't', search)}
    and ${leadsSomewhere}`
  const { rows } = await sql<Listed<Schemas['Tag']>>`
    select coalesce(json_agg(json_build_object('id', t.id, 'name', t.name)
        order by t.name, t.id), '[]')::text as json,
      (select count(*) from ${leading}) as total
    from (select t.id, t.name from ${leading}
      order by t.name, t.id limit ${limit} offset ${offset}) t`.execute(db)
  return rows[0]!
}

/** A condition and, where something is searched for, the search text of this row. */
function matching(
  condition: RawBuilder<unknown>,
  row: 'c' | 'p' | 't',
  search: string,
): RawBuilder<unknown> {
  if (!search) return condition
  return sql`${condition} and ${sql.ref(`${row}.search`)} like ${likePatternOf(search)}`
}
