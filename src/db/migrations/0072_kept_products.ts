import { type Kysely, sql } from 'kysely'

/**
 * Products that were deleted for good, whole, for as long as they can be brought back. The snapshot is
 * json, not jsonb: it keeps the exact text of what it holds. Activities get what a deleted product was,
 * in short, and the values that a write of a product replaced, so that they can be put back.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table kept_products (
      workspace_id text not null,
      product_id text not null,
      deleted_at timestamptz not null,
      snapshot json not null,
      constraint kept_products_key primary key (workspace_id, product_id)
    )`.execute(db)
  await sql`create index kept_products_time_index on kept_products (deleted_at)`.execute(db)
  await sql`
    alter table activities add column snapshot json, add column former json`.execute(db)
}
