import { sql, type Transaction } from 'kysely'
import { ApiError } from '../../core/errors.ts'
import { identityKeyOf, searchTextOf } from '../../core/text.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import type { FieldErrors, RefusalKey } from '../../texts/refusals.ts'
import { storedProduct } from './product_fields.ts'

type ProductUpdate = components['schemas']['ProductUpdate']

/** The columns of a product's values and of what is derived from them. */
export function columnsOf(product: ProductUpdate, slug: string, now: Date) {
  const { name, brand, sku, barcode, tagIds } = product
  return {
    ...storedProduct.columnsOf(product),
    name_key: identityKeyOf(name),
    sku_key: identityKeyOf(sku),
    barcode_key: identityKeyOf(barcode),
    search: searchTextOf([name, brand, sku, barcode, slug].join('\n')),
    tag_ids: tagIds,
    updated_at: now,
  }
}

export type Columns = ReturnType<typeof columnsOf>
/** The types of the columns, for parameters whose type cannot be inferred. */
export const columnTypes = {
  ...storedProduct.types,
  name_key: 'bytea',
  sku_key: 'bytea',
  barcode_key: 'bytea',
  search: 'text',
  tag_ids: 'text[]',
  updated_at: 'timestamptz',
} satisfies Record<keyof Columns, string>
export const columnNames = Object.keys(columnTypes) as (keyof Columns)[]

const conflicts: Record<string, RefusalKey> = {
  name: 'productNameTaken',
  sku: 'productSkuTaken',
  barcode: 'productBarcodeTaken',
}

/** Refuses values that other products of the workspace have, reporting all at once. */
export async function requireUnique(
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
