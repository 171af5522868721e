import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import { ApiError, notFound } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { identityKeyOf, searchTextOf, slugOf, suffixedSlug } from '../../core/text.ts'
import { prepared } from '../../db/prepared.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import type { JsonText } from '../../core/json_text.ts'
import type { FieldErrors, RefusalKey } from '../../texts/refusals.ts'
import { productJson, storedProduct } from './product_fields.ts'
import { lockImages, requireKnown } from './references.ts'

type Product = components['schemas']['Product']
type ProductUpdate = components['schemas']['ProductUpdate']

const findProduct = prepared<{ workspaceId: string; id: string }>()(
  'find_product',
  (_db, parameter) => sql<{ json: JsonText<Product> }>`
    select ${productJson.full}::text as json from products p
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

/** Locks the product, which serializes changes of its values and references. */
export async function lockProduct(
  trx: Transaction<Database>,
  workspaceId: string,
  id: string,
): Promise<void> {
  const row = await trx
    .selectFrom('products')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('product')
}

/** The columns of a product's values and of what is derived from them. */
function columnsOf(product: ProductUpdate, slug: string, now: Date) {
  const { name, brand, sku, barcode } = product
  return {
    ...storedProduct.columnsOf(product),
    name_key: identityKeyOf(name),
    sku_key: identityKeyOf(sku),
    barcode_key: identityKeyOf(barcode),
    search: searchTextOf([name, brand, sku, barcode, slug].join('\n')),
    updated_at: now,
  }
}

type Columns = ReturnType<typeof columnsOf>
type NewProduct = Columns & {
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
  updated_at: 'timestamptz',
} satisfies Record<keyof Columns, string>
const columnNames = Object.keys(columnTypes) as (keyof Columns)[]

/**
 * Inserts a product with its images and tags in one statement. If an image or tag belongs to
 * another workspace, nothing is written and the result shows which are known. Those used are locked
 * against deletion until the transaction ends. Images come last, in id order: each counts its uses
 * in its row, where writers of the same image queue, so this order prevents deadlocks.
 */
const insertOne = prepared<NewProduct>()('insert_product', (_db, parameter) => {
  const { workspaceId, id, imageIds, tagIds } = {
    workspaceId: parameter('workspaceId'),
    id: parameter('id'),
    imageIds: sql`${parameter('imageIds')}::text[]`,
    tagIds: sql`${parameter('tagIds')}::text[]`,
  }
  const lock = (table: string, ids: RawBuilder<unknown>) => sql`select id from ${sql.table(table)}
    where workspace_id = ${workspaceId} and id = any(${ids}) order by id for key share`
  const values = columnNames.map((name) => sql`${parameter(name)}::${sql.raw(columnTypes[name])}`)
  return sql<{ images: string[]; tags: string[]; inserted: boolean }>`
    with held_images as materialized (${lock('media', imageIds)}),
    held_tags as materialized (${lock('tags', tagIds)}),
    product as (
      insert into products (id, workspace_id, slug, created_at, ${sql.join(columnNames.map((name) => sql.ref(name)))})
      select ${id}, ${workspaceId}, ${parameter('slug')}, ${parameter('updated_at')}::timestamptz,
        ${sql.join(values)}
      where (select count(*) from held_images) = cardinality(${imageIds})
        and (select count(*) from held_tags) = cardinality(${tagIds})
      on conflict do nothing returning id),
    tagged as (
      insert into product_tags (product_id, tag_id, position)
      select product.id, tag.id, tag.place - 1
      from product, unnest(${tagIds}) with ordinality as tag (id, place)),
    illustrated as (
      insert into product_images (product_id, media_id, position)
      select product.id, image.id, image.place - 1
      from product, unnest(${imageIds}) with ordinality as image (id, place) order by image.id)
    select array(select id from held_images) as images, array(select id from held_tags) as tags,
      exists (select from product) as inserted`
})

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
    const [row] = await insertOne(trx, { ...values, ...own })
    if (row!.inserted) return id
    requireKnown('imageIds', imageIds, row!.images)
    requireKnown('tagIds', tagIds, row!.tags)
    if (product.status !== 'DELETED') await requireUnique(trx, workspaceId, id, product)
  }
  // The conflicting row is gone again: a retry will succeed.
  throw new ApiError('write_conflict', 'concurrentWrite')
}

/** Replaces all values of a locked product; its slug stays. */
export async function updateProduct(
  trx: Transaction<Database>,
  workspaceId: string,
  id: string,
  product: ProductUpdate,
  now: Date,
): Promise<void> {
  const { slug } = await trx
    .selectFrom('products')
    .select('slug')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await sql`savepoint unchanged`.execute(trx)
  try {
    await trx
      .updateTable('products')
      .set(columnsOf(product, slug, now))
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
  await lockImages(trx, [...(await listImageIds(trx, id)), ...product.imageIds])
  await trx.deleteFrom('product_images').where('product_id', '=', id).execute()
  await trx.deleteFrom('product_tags').where('product_id', '=', id).execute()
  await insertLinks(trx, id, product)
}

/** Deletes a locked product. */
export async function deleteProduct(trx: Transaction<Database>, id: string): Promise<void> {
  await lockImages(trx, await listImageIds(trx, id))
  await trx.deleteFrom('products').where('id', '=', id).execute()
}

/** The images of a product; a write that drops them must lock them first. */
async function listImageIds(trx: Transaction<Database>, productId: string): Promise<string[]> {
  const rows = await trx
    .selectFrom('product_images')
    .select('media_id')
    .where('product_id', '=', productId)
    .execute()
  return rows.map((row) => row.media_id)
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

async function insertLinks(
  trx: Transaction<Database>,
  id: string,
  { imageIds, tagIds }: Pick<ProductUpdate, 'imageIds' | 'tagIds'>,
): Promise<void> {
  const place = (position: number) => ({ product_id: id, position })
  if (imageIds.length > 0)
    await trx
      .insertInto('product_images')
      .values(imageIds.map((media_id, position) => ({ media_id, ...place(position) })))
      .execute()
  if (tagIds.length > 0)
    await trx
      .insertInto('product_tags')
      .values(tagIds.map((tag_id, position) => ({ tag_id, ...place(position) })))
      .execute()
}

/** Appends a tag unless it is there; returns the resulting count. */
export async function insertProductTag(
  trx: Transaction<Database>,
  id: string,
  tagId: string,
): Promise<{ added: boolean; count: number }> {
  const result = await sql`insert into product_tags (product_id, tag_id, position)
    select ${id}, ${tagId}, coalesce(max(position) + 1, 0) from product_tags
    where product_id = ${id} on conflict do nothing`.execute(trx)
  const { count } = await trx
    .selectFrom('product_tags')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('product_id', '=', id)
    .executeTakeFirstOrThrow()
  return { added: result.numAffectedRows === 1n, count }
}

export async function deleteProductTag(
  trx: Transaction<Database>,
  id: string,
  tagId: string,
): Promise<boolean> {
  const result = await trx
    .deleteFrom('product_tags')
    .where('product_id', '=', id)
    .where('tag_id', '=', tagId)
    .executeTakeFirst()
  return result.numDeletedRows === 1n
}

export async function touchProduct(
  trx: Transaction<Database>,
  id: string,
  now: Date,
): Promise<void> {
  await trx.updateTable('products').set({ updated_at: now }).where('id', '=', id).execute()
}
