import type { Kysely } from 'kysely'
import type pg from 'pg'
import { newId } from '../../src/core/ids.ts'
import { hashToken, newToken, tokenPrefix } from '../../src/core/secrets.ts'
import { identityKeyOf, searchTextOf, slugOf } from '../../src/core/text.ts'
import type { Database } from '../../src/db/schema.ts'
import { createWorkspace } from '../../src/domain/site/workspaces.ts'
import { type Scope, scopes } from '../../src/generated/operations.ts'
import { ensureAccount } from '../../src/queries/people/accounts.ts'
import { ensureCustomer, insertCustomerSession } from '../../src/queries/site/customers.ts'
import { insertKey } from '../../src/queries/agents/keys.ts'
import { nameOf, textOf } from './vocabulary.ts'

/** A workspace filled with products, and what a client needs to use it. */
export interface Shop {
  workspaceId: string
  apiKey: string
  /** The session of a customer who visits the shop's site. */
  visitorToken: string
  /** A sample of the products, spread over the whole list. */
  productIds: string[]
  /** Those of the sample that are published. */
  publishedIds: string[]
  imageIds: string[]
  tagIds: string[]
}

export const shopName = 'Bench'

const batchSize = 5000
const day = 24 * 3600_000
const firstCreatedAt = Date.UTC(2024, 0, 1)
const longestCollection = 1000

/** Fills an empty database with a workspace of `count` products, and leaves the tables as on a
 * server that has run for a while: analysed, vacuumed and checkpointed. */
export async function seedShop(
  db: Kysely<Database>,
  client: pg.Client,
  count: number,
): Promise<Shop> {
  const { workspaceId, apiKey, visitorToken } = await openShop(db)
  // Triggers and foreign key checks are disabled while millions of rows are inserted; indexes are
  // rebuilt and counters computed once at the end.
  await client.query("set session_replication_role = replica; set maintenance_work_mem = '512MB'")
  const imageIds = await insertImages(client, workspaceId)
  const tagIds = await insertTags(client, workspaceId)
  const indexes = await dropIndexes(client)
  const ids: string[] = []
  for (let first = 0; first < count; first += batchSize)
    ids.push(
      ...(await insertProducts(client, workspaceId, first, Math.min(count, first + batchSize))),
    )
  await insertLinks(client, workspaceId, ids, imageIds, tagIds)
  await insertCollections(client, workspaceId, ids, imageIds)
  for (const index of indexes) await client.query(index)
  await setCounters(client, workspaceId)
  await client.query('set session_replication_role = origin')
  await client.query('vacuum analyze')
  await client.query('checkpoint')
  const step = Math.max(1, Math.floor(count / 500))
  const spread = Array.from({ length: Math.ceil(count / step) }, (_, index) => index * step)
  const idsOf = (numbers: number[]) => numbers.map((n) => ids[n]!)
  return {
    workspaceId,
    apiKey,
    visitorToken,
    imageIds,
    tagIds,
    productIds: idsOf(spread),
    publishedIds: idsOf(spread.filter((n) => statusOf(n) === 'ACTIVE')),
  }
}

function openShop(
  db: Kysely<Database>,
): Promise<Pick<Shop, 'workspaceId' | 'apiKey' | 'visitorToken'>> {
  const now = new Date()
  const expiresAt = new Date(now.getTime() + day)
  const apiKey = newToken('key', 'development')
  const visitorToken = newToken('customerSession', 'development')
  return db.transaction().execute(async (trx) => {
    const account = await ensureAccount(trx, 'bench@example.com', 'Bench')
    const workspace = { name: shopName, subDomain: 'bench-shop', templateKey: 'beauty' } as const
    const { id } = await createWorkspace(trx, account.id, workspace, now)
    await insertKey(trx, account.id, {
      name: 'Bench key',
      scopes: Object.keys(scopes) as Scope[],
      prefix: tokenPrefix(apiKey),
      keyHash: hashToken(apiKey),
      now,
      expiresAt,
    })
    const profile = { name: 'Visitor', email: 'visitor@example.com', phone: null, language: 'en' }
    const customer = await ensureCustomer(trx, id, profile, now)
    const session = { customerId: customer.id, tokenHash: hashToken(visitorToken), now, expiresAt }
    await insertCustomerSession(trx, id, session)
    return { workspaceId: id, apiKey, visitorToken }
  })
}

async function insertImages(client: pg.Client, workspaceId: string): Promise<string[]> {
  const ids = Array.from({ length: 50 }, () => newId('med'))
  await client.query(
    // Measured and with their smaller files, as uploads are: nothing is left to do for them meanwhile.
    `insert into media (id, workspace_id, file_name, mime_type, size_bytes, content_hash,
      extension, search, created_at, width, height, variants, ready_hash)
    select id, $2, 'photo-' || n || '.webp', 'image/webp', 40000 + n,
      encode(sha256(id::bytea), 'hex'), 'webp', 'photo-' || n || '.webp', now(), 800, 800, 1,
      encode(sha256(id::bytea), 'hex')
    from unnest($1::text[]) with ordinality as t (id, n)`,
    [ids, workspaceId],
  )
  return ids
}

async function insertTags(client: pg.Client, workspaceId: string): Promise<string[]> {
  const ids = Array.from({ length: 40 }, () => newId('tag'))
  await client.query(
    `insert into tags (id, workspace_id, name, search, created_at, updated_at)
    select id, $2, 'Tag ' || n, 'tag ' || n, now(), now()
    from unnest($1::text[]) with ordinality as t (id, n)`,
    [ids, workspaceId],
  )
  return ids
}

/** Drops the products' indexes, except those of constraints; returns the statements to rebuild them. */
async function dropIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
    where tablename in ('products', 'product_images', 'product_tags')
      and indexname not in (select conname from pg_constraint)`,
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  return rows.map((row) => row.definition)
}

async function insertProducts(
  client: pg.Client,
  workspaceId: string,
  first: number,
  end: number,
): Promise<string[]> {
  const rows = Array.from({ length: end - first }, (_, n) => productRow(first + n))
  const column = (key: keyof (typeof rows)[number]) => rows.map((row) => row[key])
  await client.query(
    `insert into products (id, workspace_id, name, brand, slug, description, information, sales,
      sku, barcode, stock, status, name_key, sku_key, barcode_key, search, created_at, updated_at)
    select id, $1, name, brand, slug, description, 'Store in a cool, dry place.', '[]',
      sku, barcode, stock, status, name_key, sku_key, barcode_key, search, created_at, created_at
    from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
      $9::integer[], $10::text[], $11::bytea[], $12::bytea[], $13::bytea[], $14::text[],
      $15::timestamptz[]) as t (id, name, brand, slug, description, sku, barcode, stock, status,
      name_key, sku_key, barcode_key, search, created_at)`,
    [
      workspaceId,
      ...(['id', 'name', 'brand', 'slug', 'description', 'sku', 'barcode'] as const).map(column),
      ...(['stock', 'status', 'nameKey', 'skuKey', 'barcodeKey', 'search'] as const).map(column),
      column('createdAt'),
    ],
  )
  return rows.map((row) => row.id)
}

function statusOf(n: number): 'ACTIVE' | 'INACTIVE' | 'DELETED' {
  return n % 50 === 7 ? 'DELETED' : n % 10 === 3 ? 'INACTIVE' : 'ACTIVE'
}

function productRow(n: number) {
  const { name, brand } = nameOf(n)
  const slug = slugOf(name, 'product')
  const sku = `SKU-${n.toString(36).toUpperCase().padStart(6, '0')}`
  const barcode = String(8_690_000_000_000 + n)
  return {
    id: newId('prod'),
    name,
    brand,
    slug,
    sku,
    barcode,
    description: textOf(n),
    stock: n % 20 === 0 ? 0 : n % 300,
    status: statusOf(n),
    nameKey: identityKeyOf(name),
    skuKey: identityKeyOf(sku),
    barcodeKey: identityKeyOf(barcode),
    search: searchTextOf([name, brand, sku, barcode, slug].join('\n')),
    createdAt: new Date(firstCreatedAt + n * 1000),
  }
}

/** Two images and three tags for every product. */
async function insertLinks(
  client: pg.Client,
  workspaceId: string,
  ids: string[],
  imageIds: string[],
  tagIds: string[],
): Promise<void> {
  for (let first = 0; first < ids.length; first += batchSize) {
    const batch = ids.slice(first, first + batchSize)
    for (const [table, column, pool, each] of [
      ['product_images', 'media_id', imageIds, 2],
      ['product_tags', 'tag_id', tagIds, 3],
    ] as const)
      await client.query(
        `insert into ${table} (workspace_id, product_id, ${column}, position)
        select $5, id, ($2::text[])[1 + (n + o * 13) % $3::integer], o
        from unnest($1::text[]) with ordinality as t (id, n), generate_series(0, $4::integer) o`,
        [batch, pool, pool.length, each - 1, workspaceId],
      )
  }
}

/** One collection of the maximum length, and five of ordinary length. */
async function insertCollections(
  client: pg.Client,
  workspaceId: string,
  ids: string[],
  imageIds: string[],
): Promise<void> {
  for (const [index, length] of [longestCollection, 24, 24, 24, 24, 24].entries()) {
    const id = newId('coll')
    const name = `Collection ${index}`
    await client.query(
      `insert into collections (id, workspace_id, name, slug, description, image_id, search,
        created_at, updated_at) values ($1, $2, $3, $4, $5, $6, $7, now(), now())`,
      [id, workspaceId, name, slugOf(name, ''), textOf(index), imageIds[index], searchTextOf(name)],
    )
    await client.query(
      `insert into collection_products (workspace_id, collection_id, product_id, position)
      select $3, $1, id, n - 1 from unnest($2::text[]) with ordinality as t (id, n)`,
      [id, ids.slice(0, length), workspaceId],
    )
  }
}

async function setCounters(client: pg.Client, workspaceId: string): Promise<void> {
  await client.query(`insert into product_slugs (slug, workspace_id, product_id)
    select slug, workspace_id, id from products`)
  await client.query(`update media set usage_count =
    (select count(*) from product_images i where i.media_id = media.id) +
    (select count(*) from collections c where c.image_id = media.id)`)
  await client.query('delete from catalogue_counters where workspace_id = $1', [workspaceId])
  await client.query(
    `insert into catalogue_counters (workspace_id, slot, products_active, products_inactive,
      products_deleted, products_out_of_stock, media_total, media_linked, media_multi_linked,
      tags_total, collections_total)
    select $1, 0, p.*, m.*, (select count(*) from tags where workspace_id = $1),
      (select count(*) from collections where workspace_id = $1)
    from (select count(*) filter (where status = 'ACTIVE'),
        count(*) filter (where status = 'INACTIVE'), count(*) filter (where status = 'DELETED'),
        count(*) filter (where status <> 'DELETED' and stock = 0)
        from products where workspace_id = $1) p,
      (select count(*), count(*) filter (where usage_count >= 1),
        count(*) filter (where usage_count >= 2) from media where workspace_id = $1) m`,
    [workspaceId],
  )
}
