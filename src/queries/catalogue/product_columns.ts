import { isDeepStrictEqual } from 'node:util'
import { sql, type Transaction } from 'kysely'
import { ApiError } from '../../core/errors.ts'
import { identityKeyOf, searchTextOf, turkicKeyOf } from '../../core/text.ts'
import { tableOf } from '../../db/prepared.ts'
import type { Database } from '../../db/schema.ts'
import { storedWitness, witnessBytes } from '../../db/backfills/turkic_keys.ts'
import type { components } from '../../generated/types.ts'
import type { FieldErrors, RefusalKey } from '../../texts/refusals.ts'
import { storedProduct } from './product_fields.ts'

/* Raw SQL: one statement looks for each unique value, by two keys each. */

type ProductUpdate = components['schemas']['ProductUpdate']

export const uniqueFields = ['name', 'sku', 'barcode'] as const
export type UniqueField = (typeof uniqueFields)[number]

/** The keys by which a product's values are unique, and the witness that makes the second keys valid. */
function keysOf({ name, sku, barcode }: Pick<ProductUpdate, UniqueField>) {
  const keys = [name, sku, barcode].map(identityKeyOf) as [Buffer, Buffer, Buffer]
  return {
    name_key: keys[0],
    sku_key: keys[1],
    barcode_key: keys[2],
    name_turkic_key: turkicKeyOf(name),
    sku_turkic_key: turkicKeyOf(sku),
    barcode_turkic_key: turkicKeyOf(barcode),
    turkic_of: Buffer.concat(keys.map((key) => key.subarray(0, witnessBytes))),
  }
}

/**
 * The keys of an updated product. A value that stays keeps its keys, so that of two products with one name,
 * from before that was forbidden, each can be edited. All values of a product that was DELETED are checked
 * again.
 */
export function updatedKeys(product: ProductUpdate) {
  const keys = keysOf(product)
  const stays = (field: UniqueField) =>
    sql`(status <> 'DELETED' and ${sql.ref(field)} = ${product[field]})`
  const first = (field: UniqueField) =>
    sql<Buffer>`case when ${stays(field)} then ${sql.ref(`${field}_key`)}
      else ${keys[`${field}_key`]}::bytea end`
  const second = (field: UniqueField) =>
    sql<Buffer | null>`case when not ${stays(field)} then ${keys[`${field}_turkic_key`]}::bytea
      when turkic_of = ${storedWitness} then ${sql.ref(`${field}_turkic_key`)} end`
  const witness = uniqueFields.map(
    (field) => sql`substr(${first(field)}, 1, ${witnessBytes}::integer)`,
  )
  return {
    name_key: first('name'),
    sku_key: first('sku'),
    barcode_key: first('barcode'),
    name_turkic_key: second('name'),
    sku_turkic_key: second('sku'),
    barcode_turkic_key: second('barcode'),
    turkic_of: sql<Buffer>`${sql.join(witness, sql` || `)}`,
  }
}

/** The identity keys of a row, each in PostgreSQL's text form. */
export type StoredKeys = Record<keyof ReturnType<typeof keysOf>, string | null>

/** Bytes as PostgreSQL writes them in JSON. */
const hexOf = (bytes: Buffer) => `\\x${bytes.toString('hex')}`

/** Column values as in the JSON from which PostgreSQL fills a row. */
type JsonColumns = Record<string, unknown>

function jsonColumns(columns: Partial<ProductColumns>): JsonColumns {
  return Object.fromEntries(
    Object.entries(columns).map(([name, value]) => {
      if (Buffer.isBuffer(value)) return [name, hexOf(value)]
      const isJson = columnTypes[name as keyof ProductColumns] === 'json'
      return [name, isJson ? (JSON.parse(value as string) as unknown) : value]
    }),
  )
}

/** The keys that a product's values take; no other product may have them. */
function uniqueKeysOf(columns: JsonColumns, fields: readonly UniqueField[]): string[] {
  return fields.flatMap((field) => {
    const turkic = columns[`${field}_turkic_key`] as string | null
    const first = `${field} ${columns[`${field}_key`] as string}`
    return turkic === null ? [first] : [first, `${field}_turkic ${turkic}`]
  })
}

/** The columns of a new product without its times, and the keys that no other product may have. */
export function newColumns(
  product: ProductUpdate,
  slug: string,
): { columns: JsonColumns; uniqueKeys: string[] } {
  const columns: JsonColumns = { ...jsonColumns(columnsOf(product, slug, new Date(0))), slug }
  delete columns['updated_at']
  const fields = product.status === 'DELETED' ? [] : uniqueFields
  return { columns, uniqueKeys: uniqueKeysOf(columns, fields) }
}

/**
 * The columns that an update changes, and the keys that it takes, by the same rules as `updatedKeys`.
 */
export function changedColumns(
  before: ProductUpdate,
  after: ProductUpdate,
  { slug, keys }: { slug: string; keys: StoredKeys },
): { columns: JsonColumns; uniqueKeys: string[] } {
  const [now, next] = [before, after].map(
    (product) =>
      jsonColumns(columnsOf(product, slug, new Date(0))) as Record<keyof ProductColumns, unknown>,
  ) as [Record<keyof ProductColumns, unknown>, Record<keyof ProductColumns, unknown>]
  const returns = before.status === 'DELETED' && after.status !== 'DELETED'
  const taken = uniqueFields.filter((field) => before[field] !== after[field] || returns)
  const columns: JsonColumns = {}
  for (const name of Object.keys(columnTypes) as (keyof ProductColumns)[])
    if (!(name in keys) && !isDeepStrictEqual(now[name], next[name])) columns[name] = next[name]
  if (taken.length > 0) Object.assign(columns, nextKeys(taken, keys, next))
  return {
    columns,
    uniqueKeys: uniqueKeysOf(columns, after.status === 'DELETED' ? [] : taken),
  }
}

function nextKeys(
  taken: readonly UniqueField[],
  keys: StoredKeys,
  next: Record<keyof ProductColumns, unknown>,
): JsonColumns {
  const starts = (row: Record<string, unknown>) =>
    uniqueFields.map((field) => String(row[`${field}_key`]).slice(2, 2 + 2 * witnessBytes)).join('')
  const counts = keys.turkic_of === `\\x${starts(keys)}`
  const columns: JsonColumns = {}
  for (const field of uniqueFields) {
    const isTaken = taken.includes(field)
    columns[`${field}_key`] = isTaken ? next[`${field}_key`] : keys[`${field}_key`]
    columns[`${field}_turkic_key`] = isTaken
      ? next[`${field}_turkic_key`]
      : counts
        ? keys[`${field}_turkic_key`]
        : null
  }
  return { ...columns, turkic_of: `\\x${starts(columns)}` }
}

/** The columns of a product's values and of what is derived from them. */
export function columnsOf(product: ProductUpdate, slug: string, now: Date) {
  const { name, brand, sku, barcode, tagIds } = product
  return {
    ...storedProduct.columnsOf(product),
    ...keysOf(product),
    search: searchTextOf([name, brand, sku, barcode, slug].join('\n')),
    tag_ids: tagIds,
    updated_at: now,
  }
}

export type ProductColumns = ReturnType<typeof columnsOf>
/** The types of the columns, for parameters whose type cannot be inferred. */
export const columnTypes = {
  ...storedProduct.types,
  name_key: 'bytea',
  sku_key: 'bytea',
  barcode_key: 'bytea',
  name_turkic_key: 'bytea',
  sku_turkic_key: 'bytea',
  barcode_turkic_key: 'bytea',
  turkic_of: 'bytea',
  search: 'text',
  tag_ids: 'text[]',
  updated_at: 'timestamptz',
} satisfies Record<keyof ProductColumns, string>
export const columnNames = Object.keys(columnTypes) as (keyof ProductColumns)[]

/** Why a value is refused that another product has. */
export const conflicts: Record<UniqueField, RefusalKey> = {
  name: 'productNameTaken',
  sku: 'productSkuTaken',
  barcode: 'productBarcodeTaken',
}

/**
 * Refuses values that other products of the workspace have, reporting all at once. Values that an update
 * does not change are not reported.
 */
export async function requireUnique(
  trx: Transaction<Database>,
  workspaceId: string,
  id: string,
  product: Pick<ProductUpdate, UniqueField>,
): Promise<void> {
  const keys = keysOf(product)
  const { rows } = await sql<Record<UniqueField, boolean>>`
    select ${sql.join(uniqueFields.map((field) => sql`${collides(field)} as ${sql.ref(field)}`))}
    `.execute(trx)
  const fieldErrors: FieldErrors = {}
  for (const field of uniqueFields) if (rows[0]?.[field]) fieldErrors[field] = conflicts[field]
  const [reason, ...more] = Object.values(fieldErrors)
  if (reason !== undefined)
    throw new ApiError('duplicate', more.length > 0 ? 'productValuesTaken' : reason, fieldErrors)

  function collides(field: UniqueField) {
    const others = sql`select from ${tableOf('products')}
      where workspace_id = ${workspaceId} and id <> ${id} and status <> 'DELETED'`
    const unchanged = sql`select from ${tableOf('products')} where workspace_id = ${workspaceId} and id = ${id}
      and status <> 'DELETED' and ${sql.ref(field)} = ${product[field]}`
    const [first, second] = [`${field}_key`, `${field}_turkic_key`] as const
    return sql`not exists (${unchanged}) and (
      exists (${others} and ${sql.ref(first)} = ${keys[first]})
      or exists (${others} and ${sql.ref(second)} = ${keys[second]}::bytea
        and turkic_of = ${storedWitness}))`
  }
}
