import { sql } from 'kysely'
import type { Step } from '../migration.ts'
import { briefly, buildIndex } from '../online.ts'

/*
 * Changes of many products as one. A set has its rows as they were sent, what each does, and the product
 * as it was read: by that, applying finds what has changed since, and undoing has what to put back. It is
 * `json`, not `jsonb`, which would write the links of a product in another order than they are stored in.
 *
 * An undo puts `updated_at` back and notes its time in `undone_at`, which the build before does not know:
 * orders and filters by change follow whichever is later.
 */

const tables = [
  sql`
    create table if not exists change_sets (
      workspace_id text not null,
      id text not null,
      title text not null,
      state text not null,
      source json not null,
      file_name text,
      counts json not null,
      done integer not null,
      total integer not null,
      created_by json not null,
      created_at timestamptz not null,
      planned_at timestamptz,
      applied_by json,
      applied_at timestamptz,
      undone_by json,
      undone_at timestamptz,
      failure json,
      step json,
      constraint change_sets_key primary key (workspace_id, id)
    )`,
  sql`
    create index if not exists change_sets_order_index on change_sets
      (workspace_id, created_at, id)`,
  // Sets whose step goes on in the background: few, and looked for in all workspaces.
  sql`
    create table if not exists change_set_queue (
      workspace_id text not null,
      change_set_id text not null,
      leased_until timestamptz not null,
      constraint change_set_queue_key primary key (workspace_id, change_set_id)
    )`,
  sql`
    create table if not exists change_set_rows (
      workspace_id text not null,
      change_set_id text not null,
      number integer not null,
      action text not null,
      input json,
      effect text,
      product_id text,
      sku text,
      name text,
      changes json,
      error json,
      before json,
      desired json,
      unique_keys text[],
      constraint change_set_rows_key primary key (workspace_id, change_set_id, number)
    )`,
  sql`
    create index if not exists change_set_rows_product_index on change_set_rows
      (workspace_id, change_set_id, product_id)`,
]

export const steps: readonly Step[] = [
  {
    name: 'tables',
    run: ({ db }) =>
      briefly(db, async (trx) => {
        for (const table of tables) await table.execute(trx)
      }),
  },
  {
    name: 'columns',
    run: ({ db }) =>
      briefly(db, async (trx) => {
        await sql`alter table products add column if not exists undone_at timestamptz`.execute(trx)
        await sql`alter table workspaces add column if not exists
          agent_changes_need_approval boolean not null default false`.execute(trx)
      }),
  },
  {
    name: 'products_changed_index',
    run: ({ db }) =>
      buildIndex(db, 'products_changed_index', {
        table: 'products',
        columns: '(workspace_id, greatest(updated_at, undone_at), id)',
      }),
  },
]
