import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'

/*
 * Whole tables as lines of text, for writing and reading backups. A line is a JSON array of the columns'
 * texts in PostgreSQL's own format: nothing is rounded or reformatted, and the order of the table's columns
 * may differ.
 *
 * Raw SQL: it works from PostgreSQL's catalogue of tables.
 */

export interface TableDescription {
  name: string
  columns: { name: string; type: string }[]
}

/** Data of the moment, or of the database that is restored to; not part of a backup. */
const leftOut = [
  'rate_limits',
  'service_processes',
  'backups',
  'held_files',
  // These must disappear with their day, so no backup may keep them.
  'site_salts',
  'site_visitors',
]

export async function listTables(db: Kysely<Database>): Promise<TableDescription[]> {
  const { rows } = await sql<TableDescription>`
    select c.relname as name, json_agg(json_build_object('name', a.attname,
      'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
      and not c.relispartition and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      and not c.relname = any(${leftOut})
    group by c.relname order by c.relname`.execute(db)
  return rows
}

export interface Partition {
  name: string
  table: string
  bounds: string
}

export async function listPartitions(db: Kysely<Database>): Promise<Partition[]> {
  const { rows } = await sql<Partition>`
    select c.relname as name, p.relname as table, pg_get_expr(c.relpartbound, c.oid) as bounds
    from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relispartition
    order by 1`.execute(db)
  return rows
}

export async function makePartition(
  trx: Transaction<Database>,
  { name, table, bounds }: Partition,
): Promise<void> {
  const { rows } = await sql`select where to_regclass(${name}) is null`.execute(trx)
  if (rows.length === 0) return
  await sql`create table ${sql.table(name)} partition of ${sql.table(table)}
    ${sql.raw(bounds)}`.execute(trx)
}

/** Removes the time limit of a transaction's statements. */
export async function takeTime(trx: Transaction<Database>): Promise<void> {
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx)
  await sql`set local statement_timeout = 0`.execute(trx)
}

/** Whether the database has never been used, migrated or not. */
export async function isUnused(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql`select where to_regclass('accounts') is not null`.execute(db)
  if (rows.length === 0) return true
  return !(await db.selectFrom('accounts').select('id').limit(1).executeTakeFirst())
}

const rowsOfFetch = 500

/** The rows of a table in groups, as one transaction sees them. */
export async function* readRows(
  trx: Transaction<Database>,
  { name, columns }: TableDescription,
): AsyncGenerator<string[]> {
  const texts = columns.map((column) => sql`${sql.ref(column.name)}::text`)
  await sql`declare rows no scroll cursor for
    select json_build_array(${sql.join(texts)})::text as line from ${sql.table(name)}`.execute(trx)
  try {
    for (;;) {
      const { rows } = await sql<{ line: string }>`
        fetch ${sql.lit(rowsOfFetch)} from rows`.execute(trx)
      if (rows.length === 0) return
      yield rows.map(({ line }) => line)
    }
  } finally {
    await sql`close rows`.execute(trx)
  }
}

export async function insertRows(
  trx: Transaction<Database>,
  { name, columns }: TableDescription,
  lines: string[],
): Promise<void> {
  const names = columns.map((column) => sql.ref(column.name))
  const values = columns.map(
    ({ type }, index) => sql`(row ->> ${sql.lit(index)})::${sql.raw(type)}`,
  )
  await sql`insert into ${sql.table(name)} (${sql.join(names)})
    select ${sql.join(values)} from jsonb_array_elements(${`[${lines.join()}]`}::jsonb) row`.execute(
    trx,
  )
}

/** A foreign key that is dropped while rows are loaded in any order, and then restored. */
interface ForeignKey {
  table: string
  name: string
  definition: string
}

/**
 * Empties the tables and runs the work without foreign keys and triggers: rows come in any order, and
 * already include what triggers would add. The keys are checked when they are restored.
 */
export async function refill(
  trx: Transaction<Database>,
  tables: TableDescription[],
  work: () => Promise<void>,
): Promise<void> {
  const { rows: keys } = await sql<ForeignKey>`
    select t.relname as table, k.conname as name, pg_get_constraintdef(k.oid) as definition
    from pg_constraint k join pg_class t on t.oid = k.conrelid
    where k.contype = 'f' and k.conparentid = 0
      and t.relnamespace = current_schema()::regnamespace`.execute(trx)
  const names = tables.map(({ name }) => sql.table(name))
  for (const { table, name } of keys)
    await sql`alter table ${sql.table(table)} drop constraint ${sql.ref(name)}`.execute(trx)
  for (const name of names) await sql`alter table ${name} disable trigger user`.execute(trx)
  await sql`truncate ${sql.join(names)}`.execute(trx)
  await work()
  for (const name of names) await sql`alter table ${name} enable trigger user`.execute(trx)
  for (const { table, name, definition } of keys)
    await sql`alter table ${sql.table(table)} add constraint ${sql.ref(name)}
      ${sql.raw(definition)}`.execute(trx)
}
