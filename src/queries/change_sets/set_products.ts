import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { changedUses, type CounterChange, recordChange } from '../catalogue/counters.ts'
import { type FeedEntry, upserts } from '../catalogue/feed.ts'
import { productSnapshot } from '../catalogue/product_snapshots.ts'
import { lockImages } from '../catalogue/references.ts'
import { ofSet, type SetKey, type SetSlice } from './change_set_rows.ts'
import type { Recorded } from './named.ts'
import { type ChosenSlugs, claimSlugsOfInserted } from './slugs.ts'

/*
 * The products of a set under its locks: whether they are still as they were, and what a step changes in
 * the counters.
 *
 * Raw SQL: snapshots are JSON, and compared as such.
 */

/** The rows of a set that write. */
const writing = (key: SetKey) =>
  sql<boolean>`${ofSet(key)} and r.effect in ('CREATE', 'UPDATE', 'DELETE')`

/** The products of a set that it writes. */
const productsOf = (trx: Transaction<Database>, key: SetKey) =>
  trx.selectFrom('change_set_rows as r').select('r.product_id').where(writing(key))

/**
 * Locks what a step writes, always in the same order: collections before products, as their own writes do,
 * and each by id. Missing ones are found by the comparison that follows.
 */
export async function lockProducts(trx: Transaction<Database>, key: SetKey): Promise<void> {
  const { workspaceId } = key
  await sql`
    select id from collections where workspace_id = ${workspaceId} and id in (
      select moved.id from change_set_rows r,
        json_array_elements_text(coalesce(r.desired -> 'addedTo', '[]')) as moved (id)
      where ${writing(key)}
      union select moved.id from change_set_rows r,
        json_array_elements_text(coalesce(r.desired -> 'removedFrom', '[]')) as moved (id)
      where ${writing(key)})
    order by id for update`.execute(trx)
  await trx
    .selectFrom('products')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', productsOf(trx, key))
    .orderBy('id')
    .forUpdate()
    .execute()
}

export interface NamedProduct {
  id: string
  name: string
}

/** How many changed products a refusal lists. */
export const mostNamed = 20

/** Whether a snapshot's product has these values; columns added since are ignored. */
const hasValues = (snapshot: RawBuilder<unknown>, values: RawBuilder<unknown>) => sql`
  (select bool_and((${snapshot} -> 'product' -> v.key) is not distinct from v.value)
    from jsonb_each(${values}) v)`

/** The ids of the collections in a snapshot. */
const collectionsIn = (snapshot: RawBuilder<unknown>) => sql`
  array(select c.pair ->> 0 from jsonb_array_elements(${snapshot} -> 'collections') as c (pair)
    order by 1)`

/** Products that differ from what they were when the set was planned. */
export async function findChangedSincePlan(
  trx: Transaction<Database>,
  slice: SetSlice,
): Promise<NamedProduct[]> {
  const [now, then] = [sql`found.now`, sql`found.before`]
  const { rows } = await sql<NamedProduct>`
    select found.id, found.name from (
      select r.number, r.product_id as id, coalesce(r.name, '') as name, r.before::jsonb as before,
        (select (${productSnapshot(slice.workspaceId)})::jsonb from products p
          where p.workspace_id = ${slice.workspaceId} and p.id = r.product_id) as now
      from change_set_rows r where ${ofSet(slice)} and r.effect in ('UPDATE', 'DELETE') offset 0) found
    where ${now} is null or not ${hasValues(now, sql`${then} -> 'product'`)}
      or (${now} -> 'images') <> (${then} -> 'images') or (${now} -> 'tags') <> (${then} -> 'tags')
      or ${collectionsIn(now)} <> ${collectionsIn(then)}
    order by found.number limit ${mostNamed}`.execute(trx)
  return rows
}

/** Products that differ from how the set left them. */
export async function findChangedSinceApplied(
  trx: Transaction<Database>,
  slice: SetSlice,
  appliedAt: string,
): Promise<NamedProduct[]> {
  const [now, then, made] = [sql`found.now`, sql`found.before`, sql`found.desired`]
  const times = sql`jsonb_build_object('updated_at', ${appliedAt}::timestamptz)`
  const product = sql`coalesce(${then} -> 'product', '{}') || (${made} -> 'product') || ${times}`
  const links = (part: 'images' | 'tags') =>
    sql`coalesce(${made} -> ${sql.lit(part)}, ${then} -> ${sql.lit(part)}, '[]')`
  const collections = sql`array(
    select id from (
      select c.pair ->> 0 as id
        from jsonb_array_elements(coalesce(${then} -> 'collections', '[]')) as c (pair)
      union select jsonb_array_elements_text(${made} -> 'addedTo')
      except select jsonb_array_elements_text(${made} -> 'removedFrom')) c
    order by 1)`
  const { rows } = await sql<NamedProduct>`
    select found.id, found.name from (
      select r.number, r.product_id as id, coalesce(r.name, '') as name, r.before::jsonb as before,
        r.desired::jsonb as desired,
        (select (${productSnapshot(slice.workspaceId)})::jsonb from products p
          where p.workspace_id = ${slice.workspaceId} and p.id = r.product_id) as now
      from change_set_rows r where ${ofSet(slice)} and r.effect in ('CREATE', 'UPDATE') offset 0) found
    where ${now} is null or not ${hasValues(now, product)}
      or (${now} -> 'images') <> ${links('images')} or (${now} -> 'tags') <> ${links('tags')}
      or ${collectionsIn(now)} <> ${collections}
    order by found.number limit ${mostNamed}`.execute(trx)
  return rows
}

type Counted =
  | 'products_active'
  | 'products_inactive'
  | 'products_deleted'
  | 'products_out_of_stock'

/** How the products of a set change the counters, how often they use each image, and which are in stock. */
interface Tally {
  counts: Pick<CounterChange, Counted>
  images: string[]
  inStock: string[]
  soldOut: string[]
}

async function tallyOf(trx: Transaction<Database>, key: SetKey): Promise<Tally> {
  const listed = (condition: RawBuilder<boolean>) => sql<string[]>`coalesce(array_agg(p.id)
    filter (where p.status <> 'DELETED' and ${condition}), '{}')`
  const { inStock, soldOut, ...counts } = await trx
    .selectFrom('products as p')
    .select([listed(sql`p.stock > 0`).as('inStock'), listed(sql`p.stock = 0`).as('soldOut')])
    .select(({ fn }) => {
      const counted = (status: 'ACTIVE' | 'INACTIVE' | 'DELETED') =>
        fn.countAll<number>().filterWhere('p.status', '=', status)
      return [
        counted('ACTIVE').as('products_active'),
        counted('INACTIVE').as('products_inactive'),
        counted('DELETED').as('products_deleted'),
        fn
          .countAll<number>()
          .filterWhere('p.stock', '=', 0)
          .filterWhere('p.status', '<>', 'DELETED')
          .as('products_out_of_stock'),
      ]
    })
    .where('p.workspace_id', '=', key.workspaceId)
    .where('p.id', 'in', productsOf(trx, key))
    .executeTakeFirstOrThrow()
  const images = await trx
    .selectFrom('product_images as i')
    .select('i.media_id as id')
    .where('i.workspace_id', '=', key.workspaceId)
    .where('i.product_id', 'in', productsOf(trx, key))
    .execute()
  return { counts, images: images.map(({ id }) => id), inStock, soldOut }
}

/** What a step has changed besides its products. */
export interface Beside extends Recorded {
  /** The collections that it has changed. */
  collectionIds: string[]
  /** Slugs that are not claimed yet. */
  slugs?: ChosenSlugs | undefined
}

/**
 * Runs the writes of a step, and records what is different: in the counters, and in the feed. What others wait
 * for comes when all else is done: slugs, for which any shop may wait, then images, and last the feed's lock.
 */
export async function recording(
  trx: Transaction<Database>,
  key: SetKey,
  write: () => Promise<Beside>,
  { isApplied, now }: { isApplied: boolean; now: Date },
): Promise<void> {
  const before = await tallyOf(trx, key)
  const beside = await write()
  const after = await tallyOf(trx, key)
  const uses = changedUses(before.images, after.images)
  const products = await listEntries(trx, key)
  const wereInStock = new Set(before.inStock)
  const runOut = after.soldOut.filter((id) => wereInStock.has(id))
  if (beside.slugs) await claimSlugsOfInserted(trx, key, beside.slugs)
  await lockImages(trx, key.workspaceId, [...uses.keys()].sort())
  const counters: Partial<CounterChange> = { ...beside.counters, changes: 1 }
  for (const name of Object.keys(after.counts) as Counted[])
    counters[name] = after.counts[name] - before.counts[name]
  const entries = [
    ...products,
    ...upserts('OUT_OF_STOCK', runOut),
    ...beside.entries,
    ...upserts('COLLECTION', beside.collectionIds),
    ...upserts('CHANGE_SET_APPLIED', isApplied ? [key.id] : []),
  ]
  await recordChange(trx, key.workspaceId, { counters, images: uses, entries }, now)
}

/** The feed entries for the products of a set; those that no longer exist are entered as deleted. */
async function listEntries(trx: Transaction<Database>, key: SetKey): Promise<FeedEntry[]> {
  const rows = await trx
    .selectFrom('change_set_rows as r')
    .leftJoin('products as p', (join) =>
      join.on('p.workspace_id', '=', key.workspaceId).onRef('p.id', '=', 'r.product_id'),
    )
    .select([sql.ref<string>('r.product_id').as('id'), 'p.id as left'])
    .where(writing(key))
    .orderBy('r.number')
    .execute()
  return rows.map(({ id, left }) => ({
    kind: 'PRODUCT',
    id,
    action: left === null ? 'DELETE' : 'UPSERT',
  }))
}
