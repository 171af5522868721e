import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import { ApiError, notFound } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { identityKeyOf, searchTextOf, slugOf, suffixedSlug } from '../../core/text.ts'
import { prepared } from '../../db/prepared.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import type { JsonText } from '../../core/json_text.ts'
import type { FieldErrors, RefusalKey } from '../../texts/refusals.ts'
import {
  addToCounters,
  changedUses,
  changeOfProduct,
  type CounterChange,
  linkedImages,
  recordChange,
} from './counters.ts'
import { productJson, storedProduct } from './product_fields.ts'
import { lockImages, requireKnown } from './references.ts'

type Product = components['schemas']['Product']
type ProductUpdate = components['schemas']['ProductUpdate']

const findProduct = prepared<{ workspaceId: string; id: string }>()(
  'find_product',
  (_db, parameter) => sql<{ json: JsonText<Product> }>`
    select ${productJson(parameter('workspaceId'))}::text as json from products p
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

/** The columns of a product's values and of what is derived from them. */
function columnsOf(product: ProductUpdate, slug: string, now: Date) {
  const { name, brand, sku, barcode, tagIds } = product
  return {
    ...storedProduct.columnsOf(product),
    name_key: identityKeyOf(name),
    sku_key: identityKeyOf(sku),
    barcode_key: identityKeyOf(barcode),
    search: searchTextOf([name, brand, sku, barcode, slug].join('\n')),
    tag_ids: tagIds,
    updated_at: now,
  }
}

type Columns = ReturnType<typeof columnsOf>
type NewProduct = Columns &
  CounterChange & {
    id: string
    workspaceId: string
    slug: string
    imageIds: string[]
    tagIds: string[]
  }

/** The types of the columns, for parameters whose type cannot be inferred. */
const columnTypes = {
  ...storedProduct.types,
  name_key: 'bytea',
  sku_key: 'bytea',
  barcode_key: 'bytea',
  search: 'text',
  tag_ids: 'text[]',
  updated_at: 'timestamptz',
} satisfies Record<keyof Columns, string>
const columnNames = Object.keys(columnTypes) as (keyof Columns)[]

/**
 * Inserts a product with its images and tags, and counts it, in one statement. If an image or tag
 * belongs to another workspace, nothing is written and the result shows which are known. Those used
 * are locked against deletion until the transaction ends. The slug is claimed for the whole service
 * first. Counting comes last, images in id order: each counts its uses in its row, where writers of
 * the same image queue, so this order prevents deadlocks.
 */
const insertOne = prepared<NewProduct>()('insert_product', (_db, parameter) => {
  const { workspaceId, id, imageIds, tagIds } = {
    workspaceId: parameter('workspaceId'),
    id: parameter('id'),
    imageIds: sql`${parameter('imageIds')}::text[]`,
    tagIds: sql`${parameter('tagIds')}::text[]`,
  }
  const lock = (table: string, ids: RawBuilder<unknown>, condition = sql``) => sql`
    select id from ${sql.table(table)}
    where workspace_id = ${workspaceId} and id = any(${ids}) ${condition} order by id`
  const added = (counter: keyof CounterChange) =>
    counter in linkedImages
      ? linkedImages[counter as keyof typeof linkedImages]
      : sql`${parameter(counter)}::bigint`
  const values = columnNames.map((name) => sql`${parameter(name)}::${sql.raw(columnTypes[name])}`)
  return sql<InsertedProduct>`
    with held_images as materialized (${lock('media', imageIds)} for key share),
    held_tags as materialized (${lock('tags', tagIds)} for key share),
    claimed as (
      insert into product_slugs (slug, workspace_id, product_id)
      select ${parameter('slug')}, ${workspaceId}, ${id}
      where (select count(*) from held_images) = cardinality(${imageIds})
        and (select count(*) from held_tags) = cardinality(${tagIds})
      on conflict do nothing returning slug),
    product as (
      insert into products (id, workspace_id, slug, created_at, ${sql.join(columnNames.map((name) => sql.ref(name)))})
      select ${id}, ${workspaceId}, slug, ${parameter('updated_at')}::timestamptz,
        ${sql.join(values)}
      from claimed on conflict do nothing returning id),
    tagged as (
      insert into product_tags (workspace_id, product_id, tag_id, position)
      select ${workspaceId}, product.id, tag.id, tag.place - 1
      from product, unnest(${tagIds}) with ordinality as tag (id, place)),
    illustrated as (
      insert into product_images (workspace_id, product_id, media_id, position)
      select ${workspaceId}, product.id, image.id, image.place - 1
      from product, unnest(${imageIds}) with ordinality as image (id, place)),
    counted_images as materialized (${lock('media', imageIds, sql`and exists (select from product)`)}
      for no key update),
    used as (
      update media set usage_count = usage_count + 1
      where workspace_id = ${workspaceId} and id in (select id from counted_images)
      returning usage_count as uses, usage_count - 1 as uses_before),
    counted as (${addToCounters(
      sql`${workspaceId}::text`,
      added,
      sql`
      from used having exists (select from product)`,
    )})
    select array(select id from held_images) as images, array(select id from held_tags) as tags,
      exists (select from claimed) as claimed, exists (select from product) as inserted`
})

interface InsertedProduct {
  images: string[]
  tags: string[]
  claimed: boolean
  inserted: boolean
}

/**
 * Inserts a product. Name, SKU and barcode are not looked up first: their unique indexes decide,
 * and only on a conflict do we query which of them it was. A taken slug gets a suffix.
 */
export async function insertProduct(
  trx: Transaction<Database>,
  workspaceId: string,
  product: ProductUpdate,
  now: Date,
): Promise<string> {
  const id = newId('prod')
  const slug = slugOf(product.name, 'product')
  const { imageIds, tagIds } = product
  for (const candidate of [slug, suffixedSlug(slug, id)]) {
    const values = columnsOf(product, candidate, now)
    const own = { id, workspaceId, slug: candidate, imageIds, tagIds }
    const change = changeOfProduct({ after: product })
    const [row] = await insertOne(trx, { ...values, ...own, ...change })
    if (row!.inserted) return id
    requireKnown('imageIds', imageIds, row!.images)
    requireKnown('tagIds', tagIds, row!.tags)
    if (product.status !== 'DELETED') await requireUnique(trx, workspaceId, id, product)
    if (row!.claimed) break
  }
  // The conflicting row is gone again: a retry will succeed.
  throw new ApiError('write_conflict', 'concurrentWrite')
}

/** Replaces all values of a locked product; its slug stays. */
export async function updateProduct(
  trx: Transaction<Database>,
  workspaceId: string,
  before: LockedProduct,
  product: ProductUpdate,
  now: Date,
): Promise<void> {
  const { id, slug } = before
  await sql`savepoint unchanged`.execute(trx)
  try {
    await trx
      .updateTable('products')
      .set(columnsOf(product, slug, now))
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
  const links = await listLinks(trx, workspaceId, id)
  const uses = changedUses(links.imageIds, product.imageIds)
  await lockImages(trx, workspaceId, [...uses.keys()])
  const owner = { workspaceId, id }
  await replaceLinks(trx, owner, ['product_images', 'media_id'], links.imageIds, product.imageIds)
  await replaceLinks(trx, owner, ['product_tags', 'tag_id'], links.tagIds, product.tagIds)
  await recordChange(trx, workspaceId, changeOfProduct({ before, after: product }), uses)
}

/** Deletes a locked product; foreign keys delete what links to it. */
export async function deleteProduct(
  trx: Transaction<Database>,
  workspaceId: string,
  product: LockedProduct,
): Promise<void> {
  const { imageIds } = await listLinks(trx, workspaceId, product.id)
  const uses = changedUses(imageIds, [])
  await lockImages(trx, workspaceId, [...uses.keys()])
  await trx
    .deleteFrom('products')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', product.id)
    .execute()
  await trx.deleteFrom('product_slugs').where('slug', '=', product.slug).execute()
  await recordChange(trx, workspaceId, changeOfProduct({ before: product }), uses)
}

const conflicts: Record<string, RefusalKey> = {
  name: 'productNameTaken',
  sku: 'productSkuTaken',
  barcode: 'productBarcodeTaken',
}

/** Refuses values that other products of the workspace have, reporting all at once. */
async function requireUnique(
  trx: Transaction<Database>,
  workspaceId: string,
  id: string,
  product: ProductUpdate,
): Promise<void> {
  const keys = {
    name: identityKeyOf(product.name),
    sku: identityKeyOf(product.sku),
    barcode: identityKeyOf(product.barcode),
  }
  const others = (field: keyof typeof keys) => sql`exists (select from products
    where workspace_id = ${workspaceId} and id <> ${id} and status <> 'DELETED'
    and ${sql.ref(`${field}_key`)} = ${keys[field]})`
  const { rows } = await sql<Record<string, boolean>>`select ${others('name')} as name,
    ${others('sku')} as sku, ${others('barcode')} as barcode`.execute(trx)
  const fieldErrors: FieldErrors = {}
  for (const [field, collides] of Object.entries(rows[0] ?? {}))
    if (collides) fieldErrors[field] = conflicts[field]!
  const [reason, ...more] = Object.values(fieldErrors)
  if (reason !== undefined)
    throw new ApiError('duplicate', more.length > 0 ? 'productValuesTaken' : reason, fieldErrors)
}

/** Replaces the images or tags of a product, unless they stay as they are. */
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
  const result = await sql`insert into product_tags (workspace_id, product_id, tag_id, position)
    select ${workspaceId}, ${id}, ${tagId}, coalesce(max(position) + 1, 0) from product_tags
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

/** Notes that the product's tags have changed, in its row. */
export async function touchProduct(
  trx: Transaction<Database>,
  workspaceId: string,
  id: string,
  now: Date,
): Promise<void> {
  await sql`update products set updated_at = ${now}, tag_ids = array(
      select tag_id from product_tags
      where workspace_id = ${workspaceId} and product_id = ${id} order by position)
    where workspace_id = ${workspaceId} and id = ${id}`.execute(trx)
  await recordChange(trx, workspaceId, { changes: 1 })
}
