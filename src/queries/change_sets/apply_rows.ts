import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { keepProducts } from '../catalogue/kept_products.ts'
import { columnNames } from '../catalogue/product_columns.ts'
import { ofSet, type SetKey, type SetSlice } from './change_set_rows.ts'
import { type ChosenSlugs, slugRows } from './slugs.ts'

/*
 * Writes the rows of a set, a statement for all of a slice. The products are locked, and the plan has been
 * compared with them.
 *
 * Raw SQL: the rows are filled from the JSON of the plan.
 */

const names = (columns: readonly string[]) => sql.join(columns.map((name) => sql.ref(name)))
const valued = columnNames.filter((name) => name !== 'updated_at')

/**
 * Deletes the products of rows and keeps them for a time; foreign keys delete their links. Returns the
 * collections they were in.
 */
export async function deleteProductsOf(
  trx: Transaction<Database>,
  slice: SetSlice,
  effect: 'DELETE' | 'CREATE',
  now: Date,
): Promise<string[]> {
  const { workspaceId } = slice
  const rows = await trx
    .selectFrom('change_set_rows as r')
    .select('r.product_id as id')
    .where(ofSet(slice))
    .where('r.effect', '=', effect)
    .execute()
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id!)
  const collections = await trx
    .selectFrom('collection_products')
    .select('collection_id as id')
    .distinct()
    .where('workspace_id', '=', workspaceId)
    .where('product_id', '=', sql<string>`any(${ids})`)
    .execute()
  await keepProducts(trx, workspaceId, ids, now)
  await trx
    .deleteFrom('products')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', sql<string>`any(${ids})`)
    .execute()
  for (const table of ['question_replies', 'kept_answers'] as const)
    await trx
      .deleteFrom(table)
      .where('workspace_id', '=', workspaceId)
      .where('product_id', '=', sql<string>`any(${ids})`)
      .execute()
  return collections.map(({ id }) => id)
}

/**
 * Clears the keys of products that are about to get new ones: two products may swap names, and the indexes
 * are checked after every row.
 */
export async function releaseKeys(trx: Transaction<Database>, slice: SetSlice): Promise<void> {
  const own = (field: string) => sql<Buffer>`sha256((p.id || ${field})::bytea)`
  await trx
    .updateTable('products as p')
    .from('change_set_rows as r')
    .set({
      name_key: own('name'),
      sku_key: own('sku'),
      barcode_key: own('barcode'),
      turkic_of: null,
    })
    .where(ofSet(slice))
    .where('r.effect', '=', 'UPDATE')
    .where(sql<boolean>`r.desired -> 'product' -> 'name_key' is not null`)
    .where('p.workspace_id', '=', slice.workspaceId)
    .whereRef('p.id', '=', 'r.product_id')
    .execute()
}

export async function updateProducts(
  trx: Transaction<Database>,
  slice: SetSlice,
  now: Date,
): Promise<void> {
  await sql`
    update products p set updated_at = ${now}, (${names(valued)}) = (
      select ${names(valued)} from json_populate_record(p, r.desired -> 'product'))
    from change_set_rows r
    where ${ofSet(slice)} and r.effect = 'UPDATE'
      and p.workspace_id = ${slice.workspaceId} and p.id = r.product_id`.execute(trx)
}

/** Inserts new products with the slugs that were chosen. */
export async function insertProducts(
  trx: Transaction<Database>,
  slice: SetSlice,
  slugs: ChosenSlugs,
  now: Date,
): Promise<void> {
  const { workspaceId } = slice
  const created = await trx
    .selectFrom('change_set_rows as r')
    .select(sql.ref<string>('r.product_id').as('id'))
    .where(ofSet(slice))
    .where('r.effect', '=', 'CREATE')
    .execute()
  if (created.length === 0) return
  const own = slugRows(
    slugs,
    created.map(({ id }) => id),
  )
  await sql`
    insert into products (id, workspace_id, slug, created_at, updated_at, ${names(valued)})
    select r.product_id, ${workspaceId}, own.slug, ${now}, ${now},
      ${sql.join(valued.map((name) => sql.ref(`n.${name}`)))}
    from change_set_rows r
    cross join lateral json_populate_record(null::products, r.desired -> 'product') n
    join ${own} as own (slug, id) on own.id = r.product_id
    where ${ofSet(slice)} and r.effect = 'CREATE' order by r.number`.execute(trx)
}

export const linkTables = {
  images: { table: 'product_images', column: 'media_id', target: 'media' },
  tags: { table: 'product_tags', column: 'tag_id', target: 'tags' },
} as const

/**
 * Gives the products of rows the images and tags of a JSON list, if the row has one, as far as they exist.
 */
export async function replaceLinks(
  trx: Transaction<Database>,
  { workspaceId }: SetKey,
  part: keyof typeof linkTables,
  rows: { list: RawBuilder<unknown>; where: RawBuilder<unknown>; isThere: RawBuilder<unknown> },
): Promise<void> {
  const { table, column } = linkTables[part]
  const { list, where, isThere } = rows
  await sql`
    delete from ${sql.table(table)} l using change_set_rows r
    where ${where} and ${list} is not null
      and l.workspace_id = ${workspaceId} and l.product_id = r.product_id`.execute(trx)
  await sql`
    insert into ${sql.table(table)} (workspace_id, product_id, ${sql.ref(column)}, position)
    select ${workspaceId}, r.product_id, link.id, link.place - 1
    from change_set_rows r, json_array_elements_text(${list}) with ordinality as link (id, place)
    where ${where} and ${list} is not null and ${isThere}`.execute(trx)
}

/** Gives products the images and tags of the plan, where it changes them. */
export async function writeLinks(trx: Transaction<Database>, slice: SetSlice): Promise<void> {
  const where = sql`${ofSet(slice)} and r.effect in ('CREATE', 'UPDATE')`
  // Not checked again: the database would compare each tag with all that this transaction has created, of
  // which its statistics know nothing.
  const isThere = sql`true`
  for (const part of ['images', 'tags'] as const)
    await replaceLinks(trx, slice, part, {
      list: sql`r.desired -> ${sql.lit(part)}`,
      where,
      isThere,
    })
}

/** Appends products to collections, and removes them from others; returns the changed collections. */
export async function moveInCollections(
  trx: Transaction<Database>,
  slice: SetSlice,
): Promise<string[]> {
  const { workspaceId } = slice
  const moved = (part: string) => sql`change_set_rows r,
    json_array_elements_text(r.desired -> ${sql.lit(part)}) as moved (id)
    where ${ofSet(slice)} and r.effect in ('CREATE', 'UPDATE')`
  const removed = await sql<{ id: string }>`
    delete from collection_products l using ${moved('removedFrom')}
      and l.workspace_id = ${workspaceId} and l.collection_id = moved.id
      and l.product_id = r.product_id
    returning l.collection_id as id`.execute(trx)
  const added = await sql<{ id: string }>`
    insert into collection_products (workspace_id, collection_id, product_id, position)
    select ${workspaceId}, a.id, a.product_id, a.place + coalesce((
        select max(l.position) from collection_products l
        where l.workspace_id = ${workspaceId} and l.collection_id = a.id), -1)
    from (select moved.id, r.product_id,
        row_number() over (partition by moved.id order by r.number) as place
      from ${moved('addedTo')}) a
    on conflict do nothing returning collection_id as id`.execute(trx)
  return [...removed.rows, ...added.rows].map(({ id }) => id)
}

/** Records that collections have changed. */
export async function touchCollections(
  trx: Transaction<Database>,
  { workspaceId }: SetKey,
  ids: readonly string[],
  now: Date,
): Promise<void> {
  if (ids.length > 0)
    await trx
      .updateTable('collections')
      .set({ updated_at: now })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', sql<string>`any(${ids})`)
      .execute()
}

/** The tags, images and collections that rows need and that no longer exist. */
export async function findMissing(trx: Transaction<Database>, key: SetKey): Promise<string[]> {
  const wanted = (part: string, table: string) => sql`
    select distinct wanted.id, ${sql.lit(table)} as "table" from change_set_rows r,
      json_array_elements_text(coalesce(r.desired -> ${sql.lit(part)}, '[]')) as wanted (id)
    where ${ofSet(key)} and r.effect in ('CREATE', 'UPDATE')`
  const { rows } = await sql<{ id: string; table: 'tags' | 'media' | 'collections' }>`
    ${wanted('tags', 'tags')} union all ${wanted('images', 'media')}
    union all ${wanted('addedTo', 'collections')}`.execute(trx)
  const missing: string[] = []
  for (const table of ['collections', 'tags', 'media'] as const) {
    const ids = rows.filter((row) => row.table === table).map(({ id }) => id)
    if (ids.length === 0) continue
    // Locked against deletion until the transaction ends.
    const held = await trx
      .selectFrom(table)
      .select('id')
      .where('workspace_id', '=', key.workspaceId)
      .where('id', '=', sql<string>`any(${ids})`)
      .orderBy('id')
      .forKeyShare()
      .execute()
    const there = new Set(held.map(({ id }) => id))
    missing.push(...ids.filter((id) => !there.has(id)))
  }
  return missing
}
