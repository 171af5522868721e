import { sql, type Transaction } from 'kysely'
import { notFound } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { searchTextOf, slugOf, suffixedSlug } from '../../core/text.ts'
import { selectList } from '../../db/read_fields.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import { storedCollection } from './collection_fields.ts'
import { changedUses, recordChange } from './counters.ts'
import { upserts } from './feed.ts'
import { lockImages } from './references.ts'

/* Raw SQL: members are inserted behind the last one, or as a list with their places. */

type Collection = components['schemas']['Collection']
type CollectionUpdate = components['schemas']['CollectionUpdate']

export const maxCollectionProducts = 1000

type OwnValues = Omit<CollectionUpdate, 'tagIds'>

/** The editable values of a collection that the transaction has locked, but for its members. */
export function getCollectionValues(
  trx: Transaction<Database>,
  workspaceId: string,
  id: string,
): Promise<OwnValues> {
  return trx
    .selectFrom('collections as c')
    .select(selectList(storedCollection.readFrom('c')))
    .where('c.workspace_id', '=', workspaceId)
    .where('c.id', '=', id)
    .executeTakeFirstOrThrow()
}

/** A collection that the transaction has locked, as it was then. */
export type LockedCollection = Pick<Collection, 'id' | 'slug' | 'imageId'>

/** Locks the collection, which serializes changes of its values and members. */
export async function lockCollection(
  trx: Transaction<Database>,
  workspaceId: string,
  id: string,
): Promise<LockedCollection> {
  const row = await trx
    .selectFrom('collections')
    .select(['id', 'slug', 'image_id as imageId'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('collection')
  return row
}

/** The columns of a collection's values and of what is derived from them. */
function columnsOf(collection: OwnValues, slug: string, now: Date) {
  return {
    ...storedCollection.columnsOf(collection),
    search: searchTextOf(`${collection.name}\n${slug}`),
    updated_at: now,
  }
}

/** Inserts a collection without products; the caller records it. */
export async function insertCollectionRow(
  trx: Transaction<Database>,
  workspaceId: string,
  id: string,
  collection: CollectionUpdate,
  now: Date,
): Promise<void> {
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
  await insertTags(trx, workspaceId, id, collection.tagIds)
}

export async function insertCollection(
  trx: Transaction<Database>,
  workspaceId: string,
  collection: CollectionUpdate,
  now: Date,
): Promise<string> {
  const id = newId('coll')
  await insertCollectionRow(trx, workspaceId, id, collection, now)
  const uses = changedUses([], imagesOf(collection))
  await lockImages(trx, workspaceId, [...uses.keys()])
  const counters = { collections_total: 1, changes: 1 }
  const entries = upserts('COLLECTION', [id])
  await recordChange(trx, workspaceId, { counters, images: uses, entries }, now)
  return id
}

function imagesOf({ imageId }: { imageId: string | null }): string[] {
  return imageId === null ? [] : [imageId]
}

/**
 * Replaces all values of a locked collection. The slug and products stay, and so do tags if they are not
 * given: those are not written again, because one of them may be deleted meanwhile.
 */
export async function updateCollection(
  trx: Transaction<Database>,
  workspaceId: string,
  before: LockedCollection,
  { tagIds, ...collection }: OwnValues & { tagIds?: string[] },
  now: Date,
): Promise<void> {
  const { id, slug } = before
  const uses = changedUses(imagesOf(before), imagesOf(collection))
  await lockImages(trx, workspaceId, [...uses.keys()])
  await trx
    .updateTable('collections')
    .set(columnsOf(collection, slug, now))
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
  if (tagIds) {
    await trx
      .deleteFrom('collection_tags')
      .where('workspace_id', '=', workspaceId)
      .where('collection_id', '=', id)
      .execute()
    await insertTags(trx, workspaceId, id, tagIds)
  }
  const entries = upserts('COLLECTION', [id])
  await recordChange(trx, workspaceId, { counters: { changes: 1 }, images: uses, entries }, now)
}

async function insertTags(
  trx: Transaction<Database>,
  workspaceId: string,
  id: string,
  tagIds: string[],
): Promise<void> {
  if (tagIds.length === 0) return
  const owner = { workspace_id: workspaceId, collection_id: id }
  const rows = tagIds.map((tag_id, position) => ({ ...owner, tag_id, position }))
  await trx.insertInto('collection_tags').values(rows).execute()
}

/** Deletes a locked collection; foreign keys delete its links. */
export async function deleteCollection(
  trx: Transaction<Database>,
  workspaceId: string,
  collection: LockedCollection,
  now: Date,
): Promise<void> {
  const uses = changedUses(imagesOf(collection), [])
  await lockImages(trx, workspaceId, [...uses.keys()])
  await trx
    .deleteFrom('collections')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', collection.id)
    .execute()
  const counters = { collections_total: -1, changes: 1 }
  const entries = [{ kind: 'COLLECTION', id: collection.id, action: 'DELETE' }] as const
  await recordChange(trx, workspaceId, { counters, images: uses, entries }, now)
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
  workspaceId: string,
  id: string,
  memberId: string,
): Promise<{ added: boolean; count: number }> {
  const column = sql.ref(members[table])
  const result = await sql`
    insert into ${sql.table(table)} (workspace_id, collection_id, ${column}, position)
    select ${workspaceId}, ${id}, ${memberId}, coalesce(max(position) + 1, 0)
    from ${sql.table(table)} where workspace_id = ${workspaceId} and collection_id = ${id}
    on conflict do nothing returning position`.execute(trx)
  const { count } = await trx
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .where('collection_id', '=', id)
    .executeTakeFirstOrThrow()
  return { added: result.rows.length === 1, count }
}

export async function deleteMember(
  trx: Transaction<Database>,
  table: Members,
  workspaceId: string,
  id: string,
  memberId: string,
): Promise<boolean> {
  const result = await trx
    .deleteFrom(table)
    .where('workspace_id', '=', workspaceId)
    .where('collection_id', '=', id)
    .where(sql.ref<string>(members[table]), '=', memberId)
    .executeTakeFirst()
  return result.numDeletedRows === 1n
}

/** Which of these locked collections hold too many products, or would with that many more. */
export async function findOverfull(
  trx: Transaction<Database>,
  workspaceId: string,
  ids: readonly string[],
  more = 0,
): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await trx
    .selectFrom('collection_products')
    .select('collection_id as id')
    .where('workspace_id', '=', workspaceId)
    .where('collection_id', '=', sql<string>`any(${ids})`)
    .groupBy('collection_id')
    .having(({ fn }) => fn.countAll(), '>', maxCollectionProducts - more)
    .orderBy('collection_id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Gives a locked collection exactly these products, in order; false if it has them already. */
export async function replaceProducts(
  trx: Transaction<Database>,
  workspaceId: string,
  id: string,
  productIds: string[],
): Promise<boolean> {
  const rows = await trx
    .selectFrom('collection_products')
    .select('product_id as id')
    .where('workspace_id', '=', workspaceId)
    .where('collection_id', '=', id)
    .orderBy('position')
    .orderBy('product_id')
    .execute()
  if (rows.map((row) => row.id).join() === productIds.join()) return false
  await trx
    .deleteFrom('collection_products')
    .where('workspace_id', '=', workspaceId)
    .where('collection_id', '=', id)
    .execute()
  await sql`
    insert into collection_products (workspace_id, collection_id, product_id, position)
    select ${workspaceId}, ${id}, link.id, link.place - 1
    from unnest(${productIds}::text[]) with ordinality as link (id, place)`.execute(trx)
  return true
}

/** Records that the collection's members have changed. */
export async function touchCollection(
  trx: Transaction<Database>,
  workspaceId: string,
  id: string,
  now: Date,
): Promise<void> {
  await trx
    .updateTable('collections')
    .set({ updated_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
  const entries = upserts('COLLECTION', [id])
  await recordChange(trx, workspaceId, { counters: { changes: 1 }, entries }, now)
}
