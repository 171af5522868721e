import { type Kysely, type RawBuilder, sql } from 'kysely'
import { turkicKeyOf } from '../../core/text.ts'
import { unlessTaken } from './identity_keys.ts'
import type { StepContext } from '../migration.ts'
import { briefly } from '../online.ts'

/*
 * Names, SKUs and barcodes have a second key, in which İ and i, and I and ı, are the same letter. The
 * previous build writes only the first keys. So each row stores the first keys that its second keys were
 * made from (`turkic_of`, the beginnings of all three); if they differ, the second keys are ignored.
 *
 * Raw SQL: a migration knows no types of the schema, which goes on changing.
 */

export const witnessBytes = 8

/**
 * The value of `turkic_of` with which a row's second keys are valid. The indexes contain this exact
 * expression.
 */
export const storedWitness: RawBuilder<Buffer> = sql.raw(
  ['name', 'sku', 'barcode']
    .map((field) => `substr(${field}_key, 1, ${witnessBytes})`)
    .join(' || '),
)

const rowsPerBatch = 1000
const fields = ['name', 'sku', 'barcode'] as const
type TurkicField = (typeof fields)[number]

type Product = Record<TurkicField, string> &
  Record<`${TurkicField}_turkic_key`, Buffer | null> & {
    workspace_id: string
    id: string
    counts: boolean
  }

/**
 * Gives every product its second keys. Goes by the primary key, which never changes. If another product has
 * the same second key, this one goes without until it is renamed: both stay, and both can be edited. After
 * a kill it starts over, but only reads what is already done.
 */
export async function fillTurkicKeys({ db, progress, say }: StepContext): Promise<void> {
  const { rows } = await sql<{ total: string }>`select count(*) as total from products`.execute(db)
  const total = Number(rows[0]!.total)
  let last: Product | undefined
  for (let read = 0; ; progress(Math.min(1, read / total))) {
    const products = await listProducts(db, last)
    const stale = products.filter((product) => !product.counts || fields.some(isStale(product)))
    let twins: string[] = []
    await briefly(db, async (trx) => {
      twins = await write(trx, stale)
    })
    if (twins.length > 0) say(sentenceAbout(twins))
    if (products.length < rowsPerBatch) return
    last = products.at(-1)
    read += products.length
  }
}

const isStale = (product: Product) => (field: TurkicField) => {
  const [stored, key] = [product[`${field}_turkic_key`], turkicKeyOf(product[field])]
  return key === null || stored === null ? key !== stored : !key.equals(stored)
}

async function listProducts(db: Kysely<unknown>, after?: Product): Promise<Product[]> {
  const place = [after?.workspace_id ?? '', after?.id ?? '']
  const { rows } = await sql<Product>`
    select workspace_id, id, name, sku, barcode, name_turkic_key, sku_turkic_key, barcode_turkic_key,
      coalesce(turkic_of = ${storedWitness}, false) as counts
    from products where (workspace_id, id) > (${sql.join(place)})
    order by workspace_id, id limit ${sql.lit(rowsPerBatch)}`.execute(db)
  return rows
}

function sentenceAbout(ids: readonly string[]): string {
  const who = ids.length === 1 ? '1 product has' : `${ids.length} products have`
  return `${who} the name, SKU or barcode of another but for ı, i or invisible characters: ${ids.join(', ')}`
}

/** Writes the second keys of products; returns the ids of those that go without one. */
async function write(trx: Kysely<unknown>, products: Product[]): Promise<string[]> {
  if (products.length === 0) return []
  if (await unlessTaken(trx, () => setKeys(trx, products, fields))) return []
  const twins: string[] = []
  for (const product of products) {
    if (await unlessTaken(trx, () => setKeys(trx, [product], fields))) continue
    twins.push(product.id)
    const free: TurkicField[] = []
    for (const field of fields)
      if (await unlessTaken(trx, () => setKeys(trx, [product], [...free, field]))) free.push(field)
    await setKeys(trx, [product], free)
  }
  return twins
}

/** Sets some of the keys and clears the others. Skips products that have changed since. */
async function setKeys(
  trx: Kysely<unknown>,
  products: Product[],
  given: readonly TurkicField[],
): Promise<void> {
  const texts = (column: 'workspace_id' | 'id' | TurkicField) =>
    sql`${products.map((product) => product[column])}::text[]`
  const keys = (field: TurkicField) => {
    const key = ({ [field]: value }: Product) => (given.includes(field) ? turkicKeyOf(value) : null)
    return sql`${products.map(key)}::bytea[]`
  }
  await sql`
    update products p set name_turkic_key = n.name_key, sku_turkic_key = n.sku_key,
      barcode_turkic_key = n.barcode_key,
      turkic_of = substr(p.name_key, 1, ${sql.lit(witnessBytes)})
        || substr(p.sku_key, 1, ${sql.lit(witnessBytes)})
        || substr(p.barcode_key, 1, ${sql.lit(witnessBytes)})
    from unnest(${texts('workspace_id')}, ${texts('id')}, ${texts('name')}, ${texts('sku')},
      ${texts('barcode')}, ${keys('name')}, ${keys('sku')}, ${keys('barcode')})
      as n (workspace_id, id, name, sku, barcode, name_key, sku_key, barcode_key)
    where p.workspace_id = n.workspace_id and p.id = n.id
      and p.name = n.name and p.sku = n.sku and p.barcode = n.barcode`.execute(trx)
}
