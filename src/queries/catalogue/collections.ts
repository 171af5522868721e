import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import { notFound } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { stretchOf } from '../../core/paging.ts'
import { likePatternOf, searchTextOf, slugOf, suffixedSlug } from '../../core/text.ts'
import { prepared } from '../../db/prepared.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import type { JsonText } from '../../core/json_text.ts'
import { collectionJson, storedCollection } from './collection_fields.ts'
import { getCatalogueCounts } from './counters.ts'
import { collectionProductJson } from './product_fields.ts'

type Collection = components['schemas']['Collection']
type CollectionProduct = components['schemas']['CollectionProduct']
type CollectionUpdate = components['schemas']['CollectionUpdate']

export const maxCollectionProducts = 1000
const productsInLists = 20

const listedJson = {
  full: collectionJson({ view: 'full', products: productsInLists }),
  summary: collectionJson({ view: 'summary', products: productsInLists }),
}

const findCollection = prepared<{ workspaceId: string; id: string }>()(
  'find_collection',
  (_db, parameter) => {
    const shape = { view: 'full', products: maxCollectionProducts } as const
    return sql<{ json: JsonText<Collection> }>`
      select ${collectionJson(shape)}::text as json from collections c
      where c.id = ${parameter('id')} and c.workspace_id = ${parameter('workspaceId')}`
  },
)

export async function getCollection(
  db: Kysely<Database>,
  workspaceId: string,
  id: string,
): Promise<JsonText<Collection>> {
  const [row] = await findCollection(db, { workspaceId, id })
  if (!row) throw notFound('collection')
  return row.json
}

/** Locks the collection, which serializes changes of its values and members. */
export async function lockCollection(
  trx: Transaction<Database>,
  workspaceId: string,
  id: string,
): Promise<{ name: string; slug: string; imageId: string | null }> {
  const row = await trx
    .selectFrom('collections')
    .select(['name', 'slug', 'image_id as imageId'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('collection')
  return row
}

/** A page of collections, newest first, and the total that the search finds. */
export async function listCollections(
  db: Kysely<Database>,
  workspaceId: string,
  request: { search: string; view: 'full' | 'summary'; page: number; pageSize: number },
): Promise<{ json: JsonText<Collection[]>; total: number }> {
  const { search, view, page, pageSize } = request
  const matching = sql`from collections c where c.workspace_id = ${workspaceId}
    ${search ? sql`and c.search like ${likePatternOf(search)}` : sql``}`
  const total = search
    ? (await sql<{ total: number }>`select count(*) as total ${matching}`.execute(db)).rows[0]!
        .total
    : (await getCatalogueCounts(db, workspaceId)).collections
  const stretch = stretchOf(page, pageSize, total)
  if (!stretch) return { json: '[]' as JsonText<Collection[]>, total }
  const { limit, offset, reversed } = stretch
  const direction = reversed ? sql`asc` : sql`desc`
  const { rows } = await sql<{ json: JsonText<Collection[]> }>`
    select coalesce(json_agg(${listedJson[view]} order by c.created_at desc, c.id desc),
      '[]')::text as json
    from (select c.id ${matching} order by c.created_at ${direction}, c.id ${direction}
      limit ${limit} offset ${offset}) page
    join collections c on c.id = page.id`.execute(db)
  return { json: rows[0]!.json, total }
}

/** A page of a collection's products, in its order. */
export async function listCollectionProducts(
  db: Kysely<Database>,
  id: string,
  { search, limit, offset }: { search: string; limit: number; offset: number },
): Promise<{ json: JsonText<CollectionProduct[]>; total: number }> {
  const members: RawBuilder<unknown> = sql`collection_products l
    join products p on p.id = l.product_id
    where l.collection_id = ${id} ${search ? sql`and p.search like ${likePatternOf(search)}` : sql``}`
  const { rows } = await sql<{ json: JsonText<CollectionProduct[]>; total: number }>`
    select coalesce(json_agg(${collectionProductJson} order by page.position, p.id), '[]')::text as json,
      (select count(*) from ${members}) as total
    from (select l.product_id, l.position from ${members}
      order by l.position, l.product_id limit ${limit} offset ${offset}) page
    join products p on p.id = page.product_id`.execute(db)
  return rows[0]!
}

/** The columns of a collection's values and of what is derived from them. */
function columnsOf(collection: CollectionUpdate, slug: string, now: Date) {
  return {
    ...storedCollection.columnsOf(collection),
    search: searchTextOf(`${collection.name}\n${slug}`),
    updated_at: now,
  }
}

export async function insertCollection(
  trx: Transaction<Database>,
  workspaceId: string,
  collection: CollectionUpdate,
  now: Date,
): Promise<string> {
  const id = newId('coll')
  const slug = slugOf(collection.name, 'collection')
  const values = (candidate: string) => ({
    ...columnsOf(collection, candidate, now),
    id,
    workspace_id: workspaceId,
    slug: candidate,
    created_at: now,
  })
  const result = await trx
    .insertInto('collections')
    .values(values(slug))
    .onConflict((on) => on.constraint('collections_workspace_slug_key').doNothing())
    .executeTakeFirst()
  if (result.numInsertedOrUpdatedRows === 0n)
    await trx
      .insertInto('collections')
      .values(values(suffixedSlug(slug, id)))
      .execute()
  await insertTags(trx, id, collection.tagIds)
  return id
}

/** Replaces all values of a locked collection; slug and products stay. */
export async function updateCollection(
  trx: Transaction<Database>,
  id: string,
  slug: string,
  collection: CollectionUpdate,
  now: Date,
): Promise<void> {
  await trx
    .updateTable('collections')
    .set(columnsOf(collection, slug, now))
    .where('id', '=', id)
    .execute()
  await trx.deleteFrom('collection_tags').where('collection_id', '=', id).execute()
  await insertTags(trx, id, collection.tagIds)
}

async function insertTags(trx: Transaction<Database>, id: string, tagIds: string[]): Promise<void> {
  if (tagIds.length === 0) return
  const rows = tagIds.map((tag_id, position) => ({ collection_id: id, tag_id, position }))
  await trx.insertInto('collection_tags').values(rows).execute()
}

export async function deleteCollection(trx: Transaction<Database>, id: string): Promise<void> {
  await trx.deleteFrom('collections').where('id', '=', id).execute()
}

/** The kinds of members of a collection, and the column of each. */
const members = {
  collection_products: 'product_id',
  collection_tags: 'tag_id',
} as const
type Members = keyof typeof members

/** Appends a member unless it is there; returns the resulting count. */
export async function insertMember(
  trx: Transaction<Database>,
  table: Members,
  id: string,
  memberId: string,
): Promise<{ added: boolean; count: number }> {
  const column = sql.ref(members[table])
  const result = await sql`insert into ${sql.table(table)} (collection_id, ${column}, position)
    select ${id}, ${memberId}, coalesce(max(position) + 1, 0) from ${sql.table(table)}
    where collection_id = ${id} on conflict do nothing`.execute(trx)
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}
    where collection_id = ${id}`.execute(trx)
  return { added: result.numAffectedRows === 1n, count: rows[0]!.count }
}

export async function deleteMember(
  trx: Transaction<Database>,
  table: Members,
  id: string,
  memberId: string,
): Promise<boolean> {
  const result = await sql`delete from ${sql.table(table)}
    where collection_id = ${id} and ${sql.ref(members[table])} = ${memberId}`.execute(trx)
  return result.numAffectedRows === 1n
}

export async function touchCollection(
  trx: Transaction<Database>,
  id: string,
  now: Date,
): Promise<void> {
  await trx.updateTable('collections').set({ updated_at: now }).where('id', '=', id).execute()
}
