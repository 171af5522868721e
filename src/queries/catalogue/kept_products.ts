import { sql, type Transaction } from 'kysely'
import { ApiError, notFound } from '../../core/errors.ts'
import { day } from '../../core/time.ts'
import { tableOf } from '../../db/prepared.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import type { FieldErrors } from '../../texts/refusals.ts'
import { findOverfull } from './collections.ts'
import { changedUses, changeOfProduct, type CounterChange, recordChange } from './counters.ts'
import { upserts } from './feed.ts'
import { columnTypes, requireUnique } from './product_columns.ts'
import { productSnapshot } from './product_snapshots.ts'
import { lockImages } from './references.ts'

/* Raw SQL: whole rows become JSON and are restored from it, with the columns that PostgreSQL knows. */

type ProductUpdate = components['schemas']['ProductUpdate']

/*
 * A permanently deleted product is kept for a time, out of sight: its row and its links. Its slug stays
 * claimed as long, so that a restored product has its old address.
 */

/** How long a deleted product can be brought back. */
export const keptDays = 30

/** The columns of a product's row; a snapshot has all of them. */
const rowTypes = {
  id: 'text',
  slug: 'text',
  questions: 'json',
  created_at: 'timestamptz',
  undone_at: 'timestamptz',
  ...columnTypes,
}
const rowNames = Object.keys(rowTypes) as (keyof typeof rowTypes)[]

const replyTypes = {
  id: 'text',
  question_key: 'bytea',
  question: 'text',
  answer: 'text',
  updated_at: 'timestamptz',
}

const definition = (types: Record<string, string>) =>
  sql.raw(
    Object.entries(types)
      .map(([name, type]) => `${name} ${type}`)
      .join(', '),
  )
const columnList = (names: readonly string[], alias: string) =>
  sql.join(names.map((name) => sql.ref(`${alias}.${name}`)))

/** Keeps products before they are deleted. The transaction has locked them. */
export async function keepProducts(
  trx: Transaction<Database>,
  workspaceId: string,
  ids: readonly string[],
  now: Date,
): Promise<void> {
  await sql`
    insert into ${tableOf('kept_products')} (workspace_id, product_id, deleted_at, snapshot)
    select ${workspaceId}, p.id, ${now}::timestamptz, ${productSnapshot(workspaceId)}
    from ${tableOf('products')} p where p.workspace_id = ${workspaceId} and p.id = any(${ids})
    on conflict (workspace_id, product_id) do update
      set deleted_at = excluded.deleted_at, snapshot = excluded.snapshot`.execute(trx)
}

interface KeptProduct {
  product: Pick<ProductUpdate, 'name' | 'sku' | 'barcode' | 'status' | 'stock'> & {
    id: string
    slug: string
  }
  images: string[]
  tags: string[]
  collections: [id: string, position: number][]
}

/**
 * Inserts deleted products again exactly as they were, with the same id, slug and times. A name, SKU or
 * barcode that another product has by now is refused by its index. Links to things that are gone by now are
 * refused, too, unless `leaveOut` drops them. Collections that are gone or full are always left out.
 */
export async function restoreProducts(
  trx: Transaction<Database>,
  workspaceId: string,
  productIds: readonly string[],
  now: Date,
  { leaveOut = false }: { leaveOut?: boolean } = {},
): Promise<void> {
  const kept = await lockKept(trx, workspaceId, productIds, now)
  await claimSlugs(trx, workspaceId, kept)
  const found = await holdLinks(trx, workspaceId, kept)
  if (!leaveOut) requireLinks(kept, found)
  await insertRows(trx, workspaceId, kept)
  const images = kept.flatMap((one) => one.images).filter((id) => found.images.has(id))
  const uses = changedUses([], images)
  await lockImages(trx, workspaceId, [...uses.keys()])
  await insertLinks(trx, workspaceId, productIds, found)
  await trx
    .deleteFrom('kept_products')
    .where('workspace_id', '=', workspaceId)
    .where('product_id', 'in', [...productIds])
    .execute()
  const collections = new Set(kept.flatMap((one) => one.collections.map(([id]) => id)))
  const entries = [
    ...upserts('PRODUCT', productIds),
    ...upserts(
      'COLLECTION',
      [...collections].filter((id) => found.collections.has(id)),
    ),
  ]
  await recordChange(trx, workspaceId, { counters: countersOf(kept), images: uses, entries }, now)
}

async function lockKept(
  trx: Transaction<Database>,
  workspaceId: string,
  ids: readonly string[],
  now: Date,
): Promise<KeptProduct[]> {
  const rows = await trx
    .selectFrom('kept_products')
    .select('snapshot')
    .where('workspace_id', '=', workspaceId)
    .where('product_id', 'in', [...ids])
    .where('deleted_at', '>', new Date(now.getTime() - keptDays * day).toISOString())
    .orderBy('product_id')
    .forUpdate()
    .execute()
  if (rows.length < new Set(ids).size) throw notFound('product')
  return rows.map(({ snapshot }) => snapshot as KeptProduct)
}

/** Usually still held since the deletion; claims slugs again that an older build gave up. */
async function claimSlugs(
  trx: Transaction<Database>,
  workspaceId: string,
  kept: readonly KeptProduct[],
): Promise<void> {
  // Slugs lie on different nodes, so there is a statement for each.
  for (const { product } of kept) {
    const { slug, id } = product
    const held = await trx
      .insertInto('product_slugs')
      .values({ slug, workspace_id: workspaceId, product_id: id })
      .onConflict((on) =>
        on.column('slug').doUpdateSet((eb) => ({ product_id: eb.ref('product_slugs.product_id') })),
      )
      .returning('product_id as id')
      .executeTakeFirst()
    if (held?.id !== id)
      throw new ApiError('duplicate', 'productSlugTaken', { slug: 'productSlugTaken' })
  }
}

interface FoundLinks {
  images: ReadonlySet<string>
  tags: ReadonlySet<string>
  collections: ReadonlySet<string>
}

/** The things linked to the products that still exist, locked against deletion. */
async function holdLinks(
  trx: Transaction<Database>,
  workspaceId: string,
  kept: readonly KeptProduct[],
): Promise<FoundLinks> {
  const held = (table: 'collections' | 'media' | 'tags', ids: string[]) =>
    trx
      .selectFrom(table)
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', sql<string>`any(${ids})`)
      .orderBy('id')
  // Lock collections first, as their own writes do. No other transaction adds to them until this one ends.
  const ids = kept.flatMap((one) => one.collections.map(([id]) => id))
  const collections = idsOf(await held('collections', ids).forNoKeyUpdate().execute())
  for (const id of await findOverfull(trx, workspaceId, ids, kept.length)) collections.delete(id)
  const images = kept.flatMap((one) => one.images)
  const tags = kept.flatMap((one) => one.tags)
  return {
    collections,
    images: idsOf(await held('media', images).forKeyShare().execute()),
    tags: idsOf(await held('tags', tags).forKeyShare().execute()),
  }
}

const idsOf = (rows: readonly { id: string }[]): Set<string> => new Set(rows.map(({ id }) => id))

function requireLinks(kept: readonly KeptProduct[], found: FoundLinks): void {
  const fieldErrors: FieldErrors = {}
  const [image, tag] = [
    kept.flatMap((one) => one.images).find((id) => !found.images.has(id)),
    kept.flatMap((one) => one.tags).find((id) => !found.tags.has(id)),
  ]
  if (image !== undefined) fieldErrors.imageIds = ['notInWorkspace', { id: image }]
  if (tag !== undefined) fieldErrors.tagIds = ['notInWorkspace', { id: tag }]
  if (Object.keys(fieldErrors).length > 0)
    throw new ApiError('write_conflict', 'linksGone', fieldErrors)
}

async function insertRows(
  trx: Transaction<Database>,
  workspaceId: string,
  kept: readonly KeptProduct[],
): Promise<void> {
  const ids = kept.map(({ product }) => product.id)
  await sql`savepoint absent`.execute(trx)
  try {
    // With the column instead of its value, a distributed database inserts on the node, which names the
    // violated index. Otherwise it would copy the rows there, and report a violation as an internal error.
    await sql`
      insert into products (workspace_id, ${sql.join(rowNames.map((name) => sql.ref(name)))})
      select k.workspace_id, ${columnList(rowNames, 'r')} from kept_products k,
        json_to_record(k.snapshot -> 'product') as r (${definition(rowTypes)})
      where k.workspace_id = ${workspaceId} and k.product_id = any(${ids})`.execute(trx)
  } catch (error) {
    // The violated index names only the first field; query all of them.
    if ((error as { code?: string }).code === '23505') {
      await sql`rollback to savepoint absent`.execute(trx)
      for (const { product } of kept)
        if (product.status !== 'DELETED') await requireUnique(trx, workspaceId, product.id, product)
    }
    throw error
  }
}

async function insertLinks(
  trx: Transaction<Database>,
  workspaceId: string,
  ids: readonly string[],
  found: FoundLinks,
): Promise<void> {
  const links = [
    { table: 'product_images', column: 'media_id', member: 'images', known: found.images },
    { table: 'product_tags', column: 'tag_id', member: 'tags', known: found.tags },
  ]
  for (const { table, column, member, known } of links)
    await sql`
      insert into ${sql.table(table)} (workspace_id, product_id, ${sql.ref(column)}, position)
      select ${workspaceId}, l.product_id, l.id,
        row_number() over (partition by l.product_id order by l.place) - 1
      from (select k.product_id, link.id, link.place
        from kept_products k, json_array_elements_text(k.snapshot -> ${member}::text)
          with ordinality as link (id, place)
        where k.workspace_id = ${workspaceId} and k.product_id = any(${ids})
          and link.id = any(${[...known]})) l`.execute(trx)
  await sql`
    insert into collection_products (workspace_id, collection_id, product_id, position)
    select ${workspaceId}, link.value ->> 0, k.product_id, (link.value ->> 1)::integer
    from kept_products k, json_array_elements(k.snapshot -> 'collections') as link
    where k.workspace_id = ${workspaceId} and k.product_id = any(${ids})
      and link.value ->> 0 = any(${[...found.collections]})`.execute(trx)
  await sql`
    insert into question_replies (workspace_id, product_id,
      ${sql.join(Object.keys(replyTypes).map((name) => sql.ref(name)))})
    select ${workspaceId}, k.product_id, ${columnList(Object.keys(replyTypes), 'r')}
    from kept_products k,
      json_to_recordset(k.snapshot -> 'replies') as r (${definition(replyTypes)})
    where k.workspace_id = ${workspaceId} and k.product_id = any(${ids})`.execute(trx)
}

function countersOf(kept: readonly KeptProduct[]): Partial<CounterChange> {
  const total: Partial<CounterChange> = {}
  for (const { product } of kept)
    for (const [name, added] of Object.entries(changeOfProduct({ after: product })))
      total[name as keyof CounterChange] = (total[name as keyof CounterChange] ?? 0) + added
  return total
}
