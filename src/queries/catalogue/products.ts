import { type Kysely, sql, type Transaction } from 'kysely'
import { notFound } from '../../core/errors.ts'
import type { JsonText } from '../../core/json_text.ts'
import { tableOf, workspaceRead } from '../../db/prepared.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import { changedUses, changeOfProduct, recordChange, runsOut } from './counters.ts'
import { type FeedEntry, upserts } from './feed.ts'
import { keepProducts } from './kept_products.ts'
import { columnsOf, requireUnique, updatedKeys } from './product_columns.ts'
import { productJson } from './product_fields.ts'
import { lockImages } from './references.ts'

/* Raw SQL: PostgreSQL writes the JSON of a product, and its links are read and written as lists. */

type Product = components['schemas']['Product']
type ProductUpdate = components['schemas']['ProductUpdate']

const findProduct = workspaceRead<{ workspaceId: string; id: string }>()(
  'find_product',
  (_db, parameter) => sql<{ json: JsonText<Product> }>`
    select ${productJson(parameter('workspaceId'))} as json from ${tableOf('products')} p
    where p.id = ${parameter('id')} and p.workspace_id = ${parameter('workspaceId')}`,
)

export async function getProduct(
  db: Kysely<Database>,
  workspaceId: string,
  id: string,
): Promise<JsonText<Product>> {
  const [row] = await findProduct(db, { workspaceId, id })
  if (!row) throw notFound('product')
  return row.json
}

/** A product that the transaction has locked, as it was then. */
export type LockedProduct = Pick<Product, 'id' | 'slug' | 'status' | 'stock'>

/** Locks the product, which serializes changes of its values and references. */
export async function lockProduct(
  trx: Transaction<Database>,
  workspaceId: string,
  id: string,
): Promise<LockedProduct> {
  const row = await trx
    .selectFrom('products')
    .select(['id', 'slug', 'status', 'stock'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('product')
  return row
}

interface Links {
  imageIds: string[]
  tagIds: string[]
}

/** The images and tags of a locked product, in order. */
async function listLinks(
  trx: Transaction<Database>,
  workspaceId: string,
  id: string,
): Promise<Links> {
  const links = (table: string, column: string) => sql`array(select ${sql.ref(column)}
    from ${sql.table(table)} where workspace_id = ${workspaceId} and product_id = ${id}
    order by position)`
  const { rows } = await sql<Links>`select ${links('product_images', 'media_id')} as "imageIds",
    ${links('product_tags', 'tag_id')} as "tagIds"`.execute(trx)
  return rows[0]!
}

/**
 * Replaces all values of a locked product. Its slug stays, and so do images and tags if they are not given:
 * those are not written again, because one of them may be deleted meanwhile.
 */
export async function updateProduct(
  trx: Transaction<Database>,
  workspaceId: string,
  before: LockedProduct,
  values: Omit<ProductUpdate, keyof Links> & Partial<Links>,
  now: Date,
): Promise<void> {
  const { id, slug } = before
  const links = await listLinks(trx, workspaceId, id)
  const product = { ...links, ...values }
  await sql`savepoint unchanged`.execute(trx)
  try {
    await trx
      .updateTable('products')
      .set({ ...columnsOf(product, slug, now), ...updatedKeys(product) })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .execute()
  } catch (error) {
    // The violated index names only the first field; query all of them.
    if ((error as { code?: string }).code === '23505') {
      await sql`rollback to savepoint unchanged`.execute(trx)
      await requireUnique(trx, workspaceId, id, product)
    }
    throw error
  }
  const uses = changedUses(links.imageIds, product.imageIds)
  await lockImages(trx, workspaceId, [...uses.keys()])
  const owner = { workspaceId, id }
  await replaceLinks(trx, owner, ['product_images', 'media_id'], links.imageIds, product.imageIds)
  await replaceLinks(trx, owner, ['product_tags', 'tag_id'], links.tagIds, product.tagIds)
  const counters = changeOfProduct({ before, after: product })
  const entries: FeedEntry[] = upserts('PRODUCT', [id])
  if (runsOut(before, product)) entries.push(...upserts('OUT_OF_STOCK', [id]))
  await recordChange(trx, workspaceId, { counters, images: uses, entries }, now)
}

/**
 * Deletes a locked product and keeps it for a time, out of sight; foreign keys delete its links. Its slug
 * stays claimed as long.
 */
export async function deleteProduct(
  trx: Transaction<Database>,
  workspaceId: string,
  product: LockedProduct,
  now: Date,
): Promise<void> {
  const { imageIds } = await listLinks(trx, workspaceId, product.id)
  const collections = await trx
    .selectFrom('collection_products')
    .select('collection_id as id')
    .where('workspace_id', '=', workspaceId)
    .where('product_id', '=', product.id)
    .execute()
  const uses = changedUses(imageIds, [])
  await lockImages(trx, workspaceId, [...uses.keys()])
  await keepProducts(trx, workspaceId, [product.id], now)
  await trx
    .deleteFrom('products')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', product.id)
    .execute()
  for (const table of ['question_replies', 'kept_answers'] as const)
    await trx
      .deleteFrom(table)
      .where('workspace_id', '=', workspaceId)
      .where('product_id', '=', product.id)
      .execute()
  const counters = changeOfProduct({ before: product })
  const entries: FeedEntry[] = [
    { kind: 'PRODUCT', id: product.id, action: 'DELETE' },
    ...upserts(
      'COLLECTION',
      collections.map(({ id }) => id),
    ),
  ]
  await recordChange(trx, workspaceId, { counters, images: uses, entries }, now)
}

/** Replaces the images or tags of a product, unless they are unchanged. */
async function replaceLinks(
  trx: Transaction<Database>,
  { workspaceId, id }: { workspaceId: string; id: string },
  [table, column]: ['product_images', 'media_id'] | ['product_tags', 'tag_id'],
  before: string[],
  after: string[],
): Promise<void> {
  if (before.join() === after.join()) return
  await sql`delete from ${sql.table(table)}
    where workspace_id = ${workspaceId} and product_id = ${id}`.execute(trx)
  if (after.length === 0) return
  await sql`insert into ${sql.table(table)} (workspace_id, product_id, ${sql.ref(column)}, position)
    select ${workspaceId}, ${id}, link.id, link.place - 1
    from unnest(${after}::text[]) with ordinality as link (id, place)`.execute(trx)
}

/** Appends a tag unless it is there; returns the resulting count. */
export async function insertProductTag(
  trx: Transaction<Database>,
  workspaceId: string,
  id: string,
  tagId: string,
): Promise<{ added: boolean; count: number }> {
  const result =
    await sql`insert into ${tableOf('product_tags')} (workspace_id, product_id, tag_id, position)
    select ${workspaceId}, ${id}, ${tagId}, coalesce(max(position) + 1, 0)
    from ${tableOf('product_tags')}
    where workspace_id = ${workspaceId} and product_id = ${id}
    on conflict do nothing returning tag_id`.execute(trx)
  const { count } = await trx
    .selectFrom('product_tags')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .where('product_id', '=', id)
    .executeTakeFirstOrThrow()
  return { added: result.rows.length === 1, count }
}

export async function deleteProductTag(
  trx: Transaction<Database>,
  workspaceId: string,
  id: string,
  tagId: string,
): Promise<boolean> {
  const result = await trx
    .deleteFrom('product_tags')
    .where('workspace_id', '=', workspaceId)
    .where('product_id', '=', id)
    .where('tag_id', '=', tagId)
    .executeTakeFirst()
  return result.numDeletedRows === 1n
}

/** Records in the product's row that its tags have changed. */
export async function touchProduct(
  trx: Transaction<Database>,
  workspaceId: string,
  id: string,
  now: Date,
): Promise<void> {
  await sql`update ${tableOf('products')} set updated_at = ${now}, tag_ids = array(
      select tag_id from ${tableOf('product_tags')}
      where workspace_id = ${workspaceId} and product_id = ${id} order by position)
    where workspace_id = ${workspaceId} and id = ${id}`.execute(trx)
  const entries = upserts('PRODUCT', [id])
  await recordChange(trx, workspaceId, { counters: { changes: 1 }, entries }, now)
}

/** The name of a product; null if there is none. */
export async function findProductName(
  db: Kysely<Database>,
  workspaceId: string,
  id: string,
): Promise<string | null> {
  const product = await db
    .selectFrom('products')
    .select('name')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  return product?.name ?? null
}

/** Where a product is sold. */
export async function listSalesLinks(
  db: Kysely<Database>,
  workspaceId: string,
  id: string,
): Promise<string[]> {
  const product = await db
    .selectFrom('products')
    .select('sales')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  return (product?.sales ?? []).map(({ link }) => link)
}
