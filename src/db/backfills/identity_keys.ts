import { hash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { identityKeyOf, identityTextOf } from '../../core/text.ts'
import type { StepContext } from '../migration.ts'
import { briefly } from '../online.ts'

/* Raw SQL: a migration knows no types of the schema, which goes on changing. */

const rowsPerBatch = 1000
const fields = ['name', 'sku', 'barcode'] as const
type IdentityField = (typeof fields)[number]

type Product = Record<IdentityField, string> &
  Record<`${IdentityField}_key`, Buffer> & { workspace_id: string; id: string }

/**
 * Rewrites the keys of all products as this build computes them. Goes by the primary key, which never
 * changes, so products changed meanwhile are not missed. After a kill it starts over, but only reads what
 * is already done.
 */
export async function rebuildIdentityKeys({ db, progress, say }: StepContext): Promise<void> {
  const { rows } = await sql<{ total: string }>`select count(*) as total from products`.execute(db)
  const total = Number(rows[0]!.total)
  let last: Product | undefined
  for (let read = 0; ; progress(Math.min(1, read / total))) {
    const products = await listProducts(db, last)
    const stale = products.filter((product) =>
      fields.some((field) => !product[`${field}_key`].equals(identityKeyOf(product[field]))),
    )
    let younger: string[] = []
    await briefly(db, async (trx) => {
      younger = await rewrite(trx, stale)
    })
    if (younger.length > 0) say(sentenceAbout(younger))
    if (products.length < rowsPerBatch) return
    last = products.at(-1)
    read += products.length
  }
}

async function listProducts(db: Kysely<unknown>, after?: Product): Promise<Product[]> {
  const place = [after?.workspace_id ?? '', after?.id ?? '']
  const { rows } = await sql<Product>`
    select workspace_id, id, name, sku, barcode, name_key, sku_key, barcode_key from products
    where (workspace_id, id) > (${sql.join(place)})
    order by workspace_id, id limit ${sql.lit(rowsPerBatch)}`.execute(db)
  return rows
}

function sentenceAbout(ids: readonly string[]): string {
  const who = ids.length === 1 ? '1 product has' : `${ids.length} products have`
  return `${who} the name, SKU or barcode of an older one: ${ids.join(', ')}`
}

/** Writes the keys of products; returns the ids of those whose values an older product has. */
async function rewrite(trx: Kysely<unknown>, products: Product[]): Promise<string[]> {
  if (products.length === 0) return []
  if (await unlessTaken(trx, () => setKeys(trx, products))) return []
  const younger = new Set<string>()
  for (const product of products) {
    if (await unlessTaken(trx, () => setKeys(trx, [product]))) continue
    for (const field of fields) for (const id of await giveKey(trx, product, field)) younger.add(id)
  }
  return [...younger]
}

/** Whether the work violated no unique index; if it did, it is rolled back. */
export async function unlessTaken(
  trx: Kysely<unknown>,
  work: () => Promise<unknown>,
): Promise<boolean> {
  await sql`savepoint free`.execute(trx)
  try {
    await work()
  } catch (error) {
    if ((error as { code?: string }).code !== '23505') throw error
    await sql`rollback to savepoint free`.execute(trx)
    return false
  }
  await sql`release savepoint free`.execute(trx)
  return true
}

/** Skips products whose values have changed since: that write also wrote their keys. */
async function setKeys(trx: Kysely<unknown>, products: Product[]): Promise<void> {
  const texts = (column: 'workspace_id' | 'id' | IdentityField) =>
    sql`${products.map((product) => product[column])}::text[]`
  const keys = (field: IdentityField) =>
    sql`${products.map((product) => identityKeyOf(product[field]))}::bytea[]`
  await sql`
    update products p set name_key = n.name_key, sku_key = n.sku_key, barcode_key = n.barcode_key
    from unnest(${texts('workspace_id')}, ${texts('id')}, ${texts('name')}, ${texts('sku')},
      ${texts('barcode')}, ${keys('name')}, ${keys('sku')}, ${keys('barcode')})
      as n (workspace_id, id, name, sku, barcode, name_key, sku_key, barcode_key)
    where p.workspace_id = n.workspace_id and p.id = n.id
      and p.name = n.name and p.sku = n.sku and p.barcode = n.barcode`.execute(trx)
}

type NamedProduct = Pick<Product, 'workspace_id' | 'id'> & { value: string }

/**
 * Writes one key of a product. If another product has the same key, the older one keeps it, and the younger
 * gets a key of its own until it is renamed. Returns the ids of such products.
 */
async function giveKey(
  trx: Kysely<unknown>,
  product: Product,
  field: IdentityField,
): Promise<string[]> {
  const { workspace_id, id } = product
  const named: NamedProduct = { workspace_id, id, value: product[field] }
  const key = identityKeyOf(named.value)
  const younger: string[] = []
  while (!(await unlessTaken(trx, () => setKey(trx, named, field, key)))) {
    const holder = await findHolder(trx, named, field, key)
    if (!holder) continue
    // Ids begin with their creation time.
    const last = holder.id > id ? holder : named
    await setKey(trx, last, field, ownKeyOf(last))
    younger.push(last.id)
    if (last === named) break
  }
  return younger
}

/** A key that no value can have: folded values contain no line breaks. */
function ownKeyOf({ id, value }: NamedProduct): Buffer {
  return hash('sha256', `${identityTextOf(value)}\n${id}`, 'buffer')
}

async function findHolder(
  trx: Kysely<unknown>,
  { workspace_id, id }: NamedProduct,
  field: IdentityField,
  key: Buffer,
): Promise<NamedProduct | undefined> {
  const { rows } = await sql<NamedProduct>`
    select workspace_id, id, ${sql.ref(field)} as value from products
    where workspace_id = ${workspace_id} and id <> ${id} and status <> 'DELETED'
      and ${sql.ref(`${field}_key`)} = ${key}`.execute(trx)
  return rows[0]
}

async function setKey(
  trx: Kysely<unknown>,
  { workspace_id, id, value }: NamedProduct,
  field: IdentityField,
  key: Buffer,
): Promise<void> {
  await sql`
    update products set ${sql.ref(`${field}_key`)} = ${key}
    where workspace_id = ${workspace_id} and id = ${id} and ${sql.ref(field)} = ${value}
    `.execute(trx)
}
