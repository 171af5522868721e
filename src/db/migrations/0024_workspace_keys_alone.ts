import { type Kysely, sql } from 'kysely'
import type { Step, StepContext } from '../migration.ts'
import { addForeignKey, briefly } from '../online.ts'

/* Takes away what only the build before needed, once 0020 has been applied for an hour. */

export const endsBuildBefore = true

/** Tables whose key becomes the index that 0020 built. */
const keyed = [
  'tags',
  'media',
  'products',
  'product_images',
  'product_tags',
  'collections',
  'collection_products',
  'collection_tags',
  'members',
  'media_uploads',
  'customers',
  'customer_sessions',
  'threads',
  'feedback',
  'wallet_entries',
  'reservations',
  'checkouts',
  'idempotency_records',
]

const triggers: Record<string, string[]> = {
  products: ['products_counted', 'keep_slug'],
  media: ['media_counted'],
  tags: ['rows_counted'],
  collections: ['rows_counted', 'media_used'],
  feedback: ['rows_of_list_counted'],
  product_images: ['media_used', 'fill_workspace'],
  product_tags: ['fill_workspace'],
  collection_products: ['fill_workspace'],
  collection_tags: ['fill_workspace'],
  idempotency_records: ['fill_workspace'],
  websites: ['media_used'],
  checkouts: ['keep_checkout_workspace'],
}

const functions = [
  'products_counted',
  'media_counted',
  'rows_counted',
  'media_used',
  'keep_slug',
  'keep_checkout_workspace',
  'product_images_fill_workspace',
  'product_tags_fill_workspace',
  'collection_products_fill_workspace',
  'collection_tags_fill_workspace',
  'idempotency_records_fill_workspace',
]

/**
 * Constraints on rows of another place: accounts and workspaces are whole, images, customers and
 * checkouts lie with their workspace.
 */
const constraints: Record<string, string[]> = {
  tags: ['tags_workspace_id_fkey'],
  media: ['media_workspace_id_fkey'],
  products: ['products_workspace_id_fkey', 'products_slug_key'],
  collections: ['collections_workspace_id_fkey', 'collections_image_id_fkey'],
  websites: ['websites_logo_image_fkey'],
  customers: ['customers_workspace_id_fkey'],
  customer_sessions: ['customer_sessions_customer_id_fkey', 'customer_sessions_token_hash_key'],
  threads: ['threads_workspace_id_fkey', 'threads_token_hash_key'],
  feedback: ['feedback_workspace_id_fkey', 'feedback_customer_id_fkey'],
  visits: ['visits_workspace_id_fkey'],
  visitor_quotas: ['visitor_quotas_workspace_id_fkey'],
  wallets: ['wallets_workspace_id_fkey'],
  wallet_entries: ['wallet_entries_workspace_id_fkey', 'wallet_entries_number_key'],
  reservations: ['reservations_workspace_id_fkey'],
  checkouts: ['checkouts_workspace_id_fkey', 'checkouts_account_id_fkey'],
  payment_intents: ['payment_intents_checkout_id_fkey'],
}

const indexes = [
  'product_images_media_index',
  'product_tags_tag_index',
  'collection_products_product_index',
  'collection_products_order_index',
  'collection_tags_tag_index',
  'collections_image_index',
  'websites_logo_image_index',
  'customer_sessions_customer_index',
  'feedback_workspace_index',
  'checkouts_workspace_index',
  'media_uploads_workspace_index',
]

export const steps: readonly Step[] = [
  ...Object.entries(triggers).map(([table, names]) => ({
    name: `triggers of ${table}`,
    run: ({ db }: StepContext) => briefly(db, (trx) => dropTriggers(trx, table, names)),
  })),
  { name: 'functions', run: ({ db }) => briefly(db, dropFunctions) },
  ...Object.entries(constraints).map(([table, names]) => ({
    name: `constraints of ${table}`,
    run: ({ db }: StepContext) => briefly(db, (trx) => dropConstraints(trx, table, names)),
  })),
  ...keyed.map((table) => ({
    name: `key of ${table}`,
    run: ({ db }: StepContext) => briefly(db, (trx) => replaceKey(trx, table)),
  })),
  ...indexes.map((name) => ({ name, run: ({ db }: StepContext) => dropIndex(db, name) })),
  { name: 'id of threads', run: ({ db }) => briefly(db, dropThreadIds) },
  { name: 'images of collections', run: ({ db }) => linkImages(db) },
  { name: 'customers of feedback', run: ({ db }) => linkCustomers(db) },
  { name: 'checkouts of payments', run: ({ db }) => linkPayments(db) },
]

async function dropTriggers(trx: Kysely<unknown>, table: string, names: string[]): Promise<void> {
  for (const name of names)
    await sql`drop trigger if exists ${sql.ref(name)} on ${sql.table(table)}`.execute(trx)
}

async function dropFunctions(trx: Kysely<unknown>): Promise<void> {
  for (const name of functions) await sql`drop function if exists ${sql.ref(name)}`.execute(trx)
}

async function dropConstraints(
  trx: Kysely<unknown>,
  table: string,
  names: string[],
): Promise<void> {
  for (const name of names)
    await sql`alter table ${sql.table(table)}
      drop constraint if exists ${sql.ref(name)}`.execute(trx)
}

async function replaceKey(trx: Kysely<unknown>, table: string): Promise<void> {
  const built = `${table}_workspace_key`
  const { rows } = await sql`select where to_regclass(${built}) is not null`.execute(trx)
  if (rows.length === 0) return
  const key = sql.ref(`${table}_pkey`)
  await sql`alter table ${sql.table(table)} drop constraint if exists ${key},
    add constraint ${key} primary key using index ${sql.ref(built)}`.execute(trx)
}

async function dropIndex(db: Kysely<unknown>, name: string): Promise<void> {
  await sql`drop index concurrently if exists ${sql.ref(name)}`.execute(db)
}

/** A conversation is known by its token. */
async function dropThreadIds(trx: Kysely<unknown>): Promise<void> {
  await sql`alter table threads drop column if exists id`.execute(trx)
}

/** Without an action: a sharded database knows none that leaves the workspace as it is. */
function linkImages(db: Kysely<unknown>): Promise<void> {
  const definition = '(workspace_id, image_id) references media'
  return addForeignKey(db, 'collections', 'collections_image_fkey', definition)
}

function linkCustomers(db: Kysely<unknown>): Promise<void> {
  const definition = '(workspace_id, customer_id) references customers'
  return addForeignKey(db, 'feedback', 'feedback_customer_fkey', definition)
}

function linkPayments(db: Kysely<unknown>): Promise<void> {
  const definition = '(checkout_id) references checkout_workspaces'
  return addForeignKey(db, 'payment_intents', 'payment_intents_checkout_fkey', definition)
}
