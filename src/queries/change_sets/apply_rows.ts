import { type RawBuilder, sql, type Transaction } from 'kysely'
import { suffixedSlug } from '../../core/text.ts'
import type { Database } from '../../db/schema.ts'
import { keepProducts } from '../catalogue/kept_products.ts'
import { columnNames } from '../catalogue/product_columns.ts'
import { ofSet, type SetKey } from './change_set_rows.ts'

/*
 * Writes the rows of a set, a statement for all of them: raw, because they are filled from the JSON of the
 * plan. The products are locked, and the plan has been compared with them.
 */

const names = (columns: readonly string[]) => sql.join(columns.map((name) => sql.ref(name)))
const valued = columnNames.filter((name) => name !== 'updated_at')

/**
 * Deletes the products of rows, and keeps them for a time; foreign keys delete what links to them. Returns
 * the collections that they were in.
 */
export async function deleteProductsOf(
  trx: Transaction<Database>,
  key: SetKey,
  effect: 'DELETE' | 'CREATE',
  now: Date,
): Promise<string[]> {
  const { workspaceId } = key
  const { rows } = await sql<{ id: string }>`select r.product_id as id from change_set_rows r
    where ${ofSet(key)} and r.effect = ${effect}`.execute(trx)
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const collections = await sql<{ id: string }>`
    select distinct collection_id as id from collection_products
    where workspace_id = ${workspaceId} and product_id = any(${ids})`.execute(trx)
  await keepProducts(trx, workspaceId, ids, now)
  await sql`delete from products where workspace_id = ${workspaceId} and id = any(${ids})`.execute(
    trx,
  )
  for (const table of ['question_replies', 'kept_answers'])
    await sql`delete from ${sql.table(table)}
      where workspace_id = ${workspaceId} and product_id = any(${ids})`.execute(trx)
  return collections.rows.map(({ id }) => id)
}

/**
 * Gives up the keys of products that are about to get others: two of them may change names with each
 * other, and the indexes compare after every row.
 */
export async function releaseKeys(trx: Transaction<Database>, key: SetKey): Promise<void> {
  const own = (field: string) => sql`${sql.ref(`${field}_key`)} = sha256((id || ${field})::bytea)`
  await sql`
    update products p set ${own('name')}, ${own('sku')}, ${own('barcode')}, turkic_of = null
    from change_set_rows r
    where ${ofSet(key)} and r.effect = 'UPDATE' and r.desired -> 'product' -> 'name_key' is not null
      and p.workspace_id = ${key.workspaceId} and p.id = r.product_id`.execute(trx)
}

export async function updateProducts(
  trx: Transaction<Database>,
  key: SetKey,
  now: Date,
): Promise<void> {
  await sql`
    update products p set updated_at = ${now}, (${names(valued)}) = (
      select ${names(valued)} from json_populate_record(p, r.desired -> 'product'))
    from change_set_rows r
    where ${ofSet(key)} and r.effect = 'UPDATE'
      and p.workspace_id = ${key.workspaceId} and p.id = r.product_id`.execute(trx)
}

export async function insertProducts(
  trx: Transaction<Database>,
  key: SetKey,
  now: Date,
): Promise<void> {
  const { workspaceId } = key
  const slugs = await sql<{ slug: string; id: string }>`
    select r.desired -> 'product' ->> 'slug' as slug, r.product_id as id from change_set_rows r
    where ${ofSet(key)} and r.effect = 'CREATE' order by 1`.execute(trx)
  if (slugs.rows.length === 0) return
  const others = await claimSlugs(trx, workspaceId, slugs.rows)
  // The undo compares with what was written.
  await sql`
    update change_set_rows r
    set desired = jsonb_set(r.desired::jsonb, '{product,slug}', to_jsonb(other.slug))::json
    from ${others} as other (slug, id)
    where ${ofSet(key)} and r.effect = 'CREATE' and r.product_id = other.id`.execute(trx)
  await sql`
    insert into products (id, workspace_id, slug, created_at, updated_at, ${names(valued)})
    select r.product_id, ${workspaceId}, coalesce(other.slug, n.slug), ${now}, ${now},
      ${sql.join(valued.map((name) => sql.ref(`n.${name}`)))}
    from change_set_rows r
    cross join lateral json_populate_record(null::products, r.desired -> 'product') n
    left join ${others} as other (slug, id) on other.id = r.product_id
    where ${ofSet(key)} and r.effect = 'CREATE' order by r.number`.execute(trx)
}

/**
 * Takes slugs for products; a deleted one still holds its own. Slugs are unique in the whole service:
 * where another shop took one since it was chosen, its product gets it with a suffix. Returns these, as
 * rows of a statement.
 */
export async function claimSlugs(
  trx: Transaction<Database>,
  workspaceId: string,
  claims: readonly { slug: string; id: string }[],
): Promise<RawBuilder<unknown>> {
  const claim = async (some: readonly { slug: string; id: string }[]) => {
    const { rows } = await sql<{ slug: string }>`
      insert into product_slugs (slug, workspace_id, product_id)
      select claim.slug, ${workspaceId}, claim.id from ${claimRows(some)} as claim (slug, id)
      on conflict (slug) do update set product_id = excluded.product_id
        where product_slugs.product_id = excluded.product_id
      returning slug`.execute(trx)
    return new Set(rows.map(({ slug }) => slug))
  }
  // Two rows may want the same one: the second gets a suffix, too.
  const first = new Map(claims.toReversed().map((each) => [each.slug, each]))
  const free = await claim([...first.values()])
  const others = claims
    .filter((each) => first.get(each.slug) !== each || !free.has(each.slug))
    .map(({ slug, id }) => ({ slug: suffixedSlug(slug, id), id }))
  if (others.length > 0) await claim(others)
  return claimRows(others)
}

const claimRows = (claims: readonly { slug: string; id: string }[]) =>
  sql`unnest(${claims.map(({ slug }) => slug)}::text[], ${claims.map(({ id }) => id)}::text[])`

export const linkTables = {
  images: { table: 'product_images', column: 'media_id', target: 'media' },
  tags: { table: 'product_tags', column: 'tag_id', target: 'tags' },
} as const

/** Gives the products of rows the images and tags of a JSON list, where there is one and they are there. */
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
export async function writeLinks(trx: Transaction<Database>, key: SetKey): Promise<void> {
  const where = sql`${ofSet(key)} and r.effect in ('CREATE', 'UPDATE')`
  // Looked for before. Here the database would compare each with all tags that this transaction has made,
  // of which its statistics know nothing.
  const isThere = sql`true`
  for (const part of ['images', 'tags'] as const)
    await replaceLinks(trx, key, part, { list: sql`r.desired -> ${sql.lit(part)}`, where, isThere })
}

/** Puts products at the end of collections, and takes them out of others. */
export async function moveInCollections(
  trx: Transaction<Database>,
  key: SetKey,
  now: Date,
): Promise<string[]> {
  const { workspaceId } = key
  const moved = (part: string) => sql`change_set_rows r,
    json_array_elements_text(r.desired -> ${sql.lit(part)}) as moved (id)
    where ${ofSet(key)} and r.effect in ('CREATE', 'UPDATE')`
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
  return touchCollections(trx, workspaceId, [...removed.rows, ...added.rows], now)
}

/** Notes that collections have changed; returns the ids of them. */
export async function touchCollections(
  trx: Transaction<Database>,
  workspaceId: string,
  changed: readonly { id: string }[],
  now: Date,
): Promise<string[]> {
  const ids = [...new Set(changed.map(({ id }) => id))]
  if (ids.length > 0)
    await sql`update collections set updated_at = ${now}
      where workspace_id = ${workspaceId} and id = any(${ids})`.execute(trx)
  return ids
}

/** The tags, images and collections that rows need and that are no longer there. */
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
    const held = await sql<{ id: string }>`
      select id from ${sql.table(table)} where workspace_id = ${key.workspaceId}
        and id = any(${ids}) order by id for key share`.execute(trx)
    const there = new Set(held.rows.map(({ id }) => id))
    missing.push(...ids.filter((id) => !there.has(id)))
  }
  return missing
}
