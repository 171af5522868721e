import { sql } from 'kysely'
import { rebuildIdentityKeys } from '../backfills/identity_keys.ts'
import type { Step } from '../migration.ts'
import { briefly, buildIndex } from '../online.ts'
import { fillTurkicKeys } from '../backfills/turkic_keys.ts'

/*
 * Second keys of names, SKUs and barcodes, by which İ and i, and I and ı, are one letter. Invisible
 * characters no longer count in the first ones. The build before neither writes nor is held to them.
 */

const fields = ['name', 'sku', 'barcode'] as const
const witness = fields.map((field) => `substr(${field}_key, 1, 8)`).join(' || ')

export const steps: readonly Step[] = [
  {
    name: 'columns',
    run: ({ db }) =>
      briefly(db, async (trx) => {
        await sql`alter table products add column if not exists name_turkic_key bytea,
          add column if not exists sku_turkic_key bytea,
          add column if not exists barcode_turkic_key bytea,
          add column if not exists turkic_of bytea`.execute(trx)
      }),
  },
  ...fields.map((field): Step => ({
    name: `products_workspace_${field}_turkic_key`,
    run: ({ db }) =>
      buildIndex(db, `products_workspace_${field}_turkic_key`, {
        table: 'products',
        unique: true,
        columns: `(workspace_id, ${field}_turkic_key) where ${field}_turkic_key is not null
          and status <> 'DELETED' and turkic_of = ${witness}`,
      }),
  })),
  { name: 'keys of products', run: rebuildIdentityKeys },
  { name: 'second keys of products', run: fillTurkicKeys },
]
