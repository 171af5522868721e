import { type Kysely, sql, type Transaction } from 'kysely'
import { identityKeyOf } from '../../core/text.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import { productJson } from '../catalogue/product_fields.ts'
import { productSnapshot } from '../catalogue/product_snapshots.ts'
import type { SetKey } from './change_set_rows.ts'

type Product = components['schemas']['Product']

export interface ReadProduct {
  product: Product
  collectionIds: string[]
  /** The text of its snapshot. */
  before: string
  /** Identity keys as they are stored, in hexadecimal. */
  keys: Record<string, string | null>
  skuKey: string
}

interface Targets {
  ids: string[]
  skus: string[]
}

/** The products of a workspace with these ids, and those that are not DELETED with these SKUs. */
const targeted = (workspaceId: string, { ids, skus }: Targets) => sql<boolean>`
  p.workspace_id = ${workspaceId} and (p.id = any(${ids})
    or (p.sku_key = any(${skus.map(identityKeyOf)}::bytea[]) and p.status <> 'DELETED'))`

/** Locks products, always in the same order. */
export async function lockRead(
  trx: Transaction<Database>,
  workspaceId: string,
  targets: Targets,
): Promise<void> {
  await trx
    .selectFrom('products as p')
    .select('p.id')
    .where(targeted(workspaceId, targets))
    .orderBy('p.id')
    .forUpdate()
    .execute()
}

const storedKeys = sql<Record<string, string | null>>`json_build_object(
  'name_key', p.name_key, 'sku_key', p.sku_key, 'barcode_key', p.barcode_key,
  'name_turkic_key', p.name_turkic_key, 'sku_turkic_key', p.sku_turkic_key,
  'barcode_turkic_key', p.barcode_turkic_key, 'turkic_of', p.turkic_of)`

export async function readProducts(
  db: Kysely<Database>,
  workspaceId: string,
  targets: Targets,
): Promise<ReadProduct[]> {
  if (targets.ids.length + targets.skus.length === 0) return []
  const collectionIds = sql<string[]>`array(select l.collection_id from collection_products l
    where l.workspace_id = ${workspaceId} and l.product_id = p.id)`
  const rows = await db
    .selectFrom('products as p')
    .select([
      sql<string>`${productJson(sql`${workspaceId}`)}`.as('json'),
      sql<string>`${productSnapshot(workspaceId)}::text`.as('before'),
      collectionIds.as('collectionIds'),
      storedKeys.as('keys'),
      sql<string>`encode(p.sku_key, 'hex')`.as('skuKey'),
    ])
    .where(targeted(workspaceId, targets))
    .execute()
  return rows.map(({ json, ...row }) => ({ ...row, product: JSON.parse(json) as Product }))
}

/**
 * The names of the given tags, pictures and collections that exist in the workspace or that the set
 * creates.
 */
export async function readNames(
  db: Kysely<Database>,
  { workspaceId, id }: SetKey,
  ids: { tags: string[]; media: string[]; collections: string[] },
): Promise<Map<string, string>> {
  const named = (table: 'tags' | 'collections', some: string[]) =>
    db
      .selectFrom(table)
      .select(['id', 'name'])
      .where(`${table}.workspace_id`, '=', workspaceId)
      .where('id', '=', sql<string>`any(${some})`)
  const pictures = db
    .selectFrom('media')
    .select(['id', 'file_name as name'])
    .where('media.workspace_id', '=', workspaceId)
    .where('id', '=', sql<string>`any(${ids.media})`)
  const made = db
    .selectFrom('change_set_makes as m')
    .select(['m.id', 'm.name'])
    .where('m.workspace_id', '=', workspaceId)
    .where('m.change_set_id', '=', id)
    .where('m.id', '=', sql<string>`any(${[...ids.tags, ...ids.collections]})`)
  const rows = await named('tags', ids.tags)
    .unionAll(pictures)
    .unionAll(named('collections', ids.collections))
    .unionAll(made)
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Which of these slugs are taken. */
export async function findTakenSlugs(db: Kysely<Database>, slugs: string[]): Promise<Set<string>> {
  if (slugs.length === 0) return new Set()
  const rows = await db
    .selectFrom('product_slugs')
    .select('slug')
    .where('slug', 'in', slugs)
    .execute()
  return new Set(rows.map(({ slug }) => slug))
}
