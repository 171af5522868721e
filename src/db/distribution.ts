import { type Kysely, sql } from 'kysely'

/*
 * How the tables are laid out on a database that Citus distributes over several PostgreSQLs. Everything of
 * a workspace lies on one node, so its statements run there and its foreign keys hold. Small tables that
 * are read without a workspace stay on the coordinator.
 *
 * Raw SQL: Citus is controlled by functions of its own.
 */

/** The tables of a workspace. The first names the group; referenced tables need no order. */
const tablesOfWorkspaces = [
  'catalogue_counters',
  'feed_heads',
  'catalogue_changes',
  'tags',
  'media',
  'kept_media_files',
  'webhooks',
  'webhook_deliveries',
  'products',
  'product_images',
  'product_tags',
  'collections',
  'collection_products',
  'collection_tags',
  'kept_products',
  'change_sets',
  'change_set_rows',
  'change_set_uploads',
  'change_set_upload_rows',
  'change_set_makes',
  'fetched_pictures',
  'wallets',
  'wallet_entries',
  'reservations',
  'checkouts',
  'usage_events',
  'usage_days',
  'usage_people',
  'activities',
  'customers',
  'threads',
  'unanswered_questions',
  'question_replies',
  'kept_answers',
  'feedback',
  'visits',
  'site_counts',
  'site_shifts',
  'visitor_quotas',
  'idempotency_records',
] as const
const groupOf = tablesOfWorkspaces[0]

/** The column that says on which node a row lies. Tables that are not named here stay whole. */
export const distributionColumns: Record<string, string> = {
  ...Object.fromEntries(tablesOfWorkspaces.map((table) => [table, 'workspace_id'])),
  // Slugs are unique in the whole service, so each lies on its own, apart from its workspace.
  product_slugs: 'slug',
}

/** The table that the extension keeps whole on the coordinator: see `commitHereFirst`. */
const managedTable = 'coordinator_writes'

/** A reason why the database cannot be distributed, which its operator can remove. */
export class DistributionError extends Error {}

interface KnownTable {
  name: string
  /** The column that it is distributed by, or null. */
  column: string | null
  /** Whether the extension knows it. */
  isKnown: boolean
}

/**
 * Distributes the tables of a migrated database with their rows, and reports a line for each table. It is
 * one transaction: after an interruption nothing has changed, and tables that are already distributed are
 * left alone. Nothing else can use the tables meanwhile.
 */
export async function distribute(
  db: Kysely<unknown>,
  report: (line: string) => void,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // One connection a node: statements on whole tables must see each other's work.
    await sql`set local citus.multi_shard_modify_mode = 'sequential'`.execute(trx)
    await sql`set local client_min_messages = warning`.execute(trx)
    const tables = await listTables(trx)
    requireAllTables(tables)
    const waiting = tables.filter(({ name, column }) => column === null && isDistributed(name))
    const keys = await dropForeignKeys(trx, waiting)
    for (const table of tables) report(await keepTable(trx, table))
    for (const line of await addForeignKeys(trx, keys)) report(line)
    for (const line of await lockLedger(trx)) report(line)
  })
}

/**
 * Makes sure that the extension is there and knows its workers. Creates the extension if the server
 * offers it.
 */
export async function requireExtension(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ installed: boolean }>`
    select installed_version is not null as installed from pg_available_extensions
    where name = 'citus'`.execute(db)
  if (!rows[0])
    throw new DistributionError(
      'This PostgreSQL does not have the extension citus. Install it on every node, name it in ' +
        'shared_preload_libraries, restart them and try again.',
    )
  if (!rows[0].installed) await sql`create extension citus`.execute(db)
  const workers = await sql`select from citus_get_active_worker_nodes()`.execute(db)
  if (workers.rows.length === 0)
    throw new DistributionError(
      'The coordinator knows no workers. Create the database and the extension on each of them, ' +
        "then: select citus_set_coordinator_host('this host', port); " +
        "select citus_add_node('a worker', port); for each.",
    )
}

async function listTables(db: Kysely<unknown>): Promise<KnownTable[]> {
  const { rows } = await sql<KnownTable>`
    select c.relname as name, p.logicalrelid is not null as "isKnown",
      case p.partmethod when 'h' then column_to_column_name(p.logicalrelid, p.partkey) end as column
    from pg_class c left join pg_dist_partition p on p.logicalrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
      and not c.relispartition
    order by c.relname`.execute(db)
  return rows.sort((left, right) => rankOf(left) - rankOf(right))
}

const distributed = Object.keys(distributionColumns)
const isDistributed = (name: string) => distributed.includes(name)

/** Distributed tables come first, in the order of the list: the first one makes the group. */
const rankOf = ({ name }: KnownTable) =>
  isDistributed(name) ? distributed.indexOf(name) : distributed.length

function requireAllTables(tables: KnownTable[]): void {
  const names = new Set(tables.map(({ name }) => name))
  const missing = distributed.filter((name) => !names.has(name))
  if (missing.length > 0) throw new Error(`There is no table ${missing.join(', ')}.`)
}

/** Distributes a table or keeps it whole, and says in one line what was done. */
async function keepTable(
  db: Kysely<unknown>,
  { name, column, isKnown }: KnownTable,
): Promise<string> {
  const wanted = distributionColumns[name]
  if (name === managedTable && !isKnown)
    await sql`select citus_add_local_table_to_metadata(${name})`.execute(db)
  if (wanted === undefined) return `${name}: stays whole on the coordinator`
  if (column === wanted) return `${name}: distributed by ${column} already`
  if (column !== null) throw new Error(`${name} is distributed by ${column}, not by ${wanted}.`)
  // Distributed tables have no triggers of statements; see lockLedger.
  if (name === 'wallet_entries')
    await sql`drop trigger if exists wallet_entries_append_only on wallet_entries`.execute(db)
  const group = wanted === 'workspace_id' && name !== groupOf ? groupOf : 'none'
  await sql`
    select create_distributed_table(${name}, ${wanted}, colocate_with => ${group})`.execute(db)
  // The rows are on the workers now; the copy on the coordinator would only take up space.
  await sql`select truncate_local_data_after_distributing_table(${name})`.execute(db)
  return `${name}: distributed by ${wanted}`
}

interface ForeignKey {
  table: string
  name: string
  target: string
  definition: string
}

/** A table cannot be distributed while a foreign key links it to one that is not. */
async function dropForeignKeys(db: Kysely<unknown>, tables: KnownTable[]): Promise<ForeignKey[]> {
  const names = sql.val(tables.map(({ name }) => name))
  const { rows } = await sql<ForeignKey>`
    select t.relname as table, k.conname as name, r.relname as target,
      pg_get_constraintdef(k.oid) as definition
    from pg_constraint k join pg_class t on t.oid = k.conrelid join pg_class r on r.oid = k.confrelid
    where k.contype = 'f' and k.conparentid = 0
      and (t.relname = any(${names}::text[]) or r.relname = any(${names}::text[]))`.execute(db)
  for (const { table, name } of rows)
    await sql`alter table ${sql.table(table)} drop constraint ${sql.ref(name)}`.execute(db)
  return rows
}

/** Restores foreign keys within a workspace. No node could check the others, whose rows lie elsewhere. */
async function addForeignKeys(db: Kysely<unknown>, keys: ForeignKey[]): Promise<string[]> {
  const lines: string[] = []
  for (const { table, name, target, definition } of keys) {
    if (!isDistributed(table) || !isDistributed(target)) {
      lines.push(`${table}: foreign key ${name} is gone, ${target} lies elsewhere`)
      continue
    }
    const key = sql`constraint ${sql.ref(name)} ${sql.raw(definition)}`
    await sql`alter table ${sql.table(table)} add ${key}`.execute(db)
    lines.push(`${table}: foreign key ${name} holds on each node`)
  }
  return lines
}

/**
 * Replaces the ledger's trigger by taking the right to change it from every role, its owner included.
 * Superusers are exempt, and a later grant undoes it: run this again after one.
 */
async function lockLedger(db: Kysely<unknown>): Promise<string[]> {
  const { rows } = await sql<{ role: string }>`
    select distinct case a.grantee when 0 then 'public' else a.grantee::regrole::text end as role
    from pg_class c, aclexplode(coalesce(c.relacl, acldefault('r', c.relowner))) a
    where c.oid = 'wallet_entries'::regclass
      and a.privilege_type in ('UPDATE', 'DELETE', 'TRUNCATE')`.execute(db)
  for (const { role } of rows)
    await sql`revoke update, delete, truncate on wallet_entries from ${sql.raw(role)}`.execute(db)
  return rows.map(({ role }) => `wallet_entries: ${role} may only add and read`)
}
