import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { StepContext } from './migration.ts'

/* Raw SQL: it changes tables and indexes, of which the schema knows nothing. */

/** Blocks of a table in one batch; some ten thousand rows. */
const blocksPerBatch = 200

/**
 * Changes that need a lock only for a moment. Calls queue behind a waiting lock request, so the wait is cut
 * short and retried. It is also shorter than PostgreSQL's deadlock timeout, so of a migration and a call in
 * a deadlock, the migration gives way.
 */
export async function briefly(
  db: Kysely<unknown>,
  work: (trx: Kysely<unknown>) => Promise<void>,
): Promise<void> {
  for (;;) {
    try {
      return await db.transaction().execute(async (trx) => {
        await sql`set local lock_timeout = '400ms'`.execute(trx)
        await work(trx)
      })
    } catch (error) {
      if (!isLockTimeout(error) && !isDeadlock(error)) throw error
      await pause(200)
    }
  }
}

const isLockTimeout = (error: unknown) => (error as { code?: string }).code === '55P03'
const isDeadlock = (error: unknown) => (error as { code?: string }).code === '40P01'

/** Builds an index while the table is being written to. An interrupted build starts over. */
export async function buildIndex(
  db: Kysely<unknown>,
  name: string,
  definition: { table: string; columns: string; unique?: boolean },
): Promise<void> {
  const { rows } = await sql<{ valid: boolean }>`
    select indisvalid as valid from pg_index where indexrelid = to_regclass(${name})`.execute(db)
  if (rows[0]?.valid) return
  const index = sql.ref(name)
  if (rows[0]) await sql`drop index concurrently ${index}`.execute(db)
  await sql`create ${definition.unique ? sql`unique` : sql``} index concurrently ${index}
    on ${sql.table(definition.table)} ${sql.raw(definition.columns)}`.execute(db)
}

/**
 * Goes through the rows that a table has now, by their position in its file. Rows written meanwhile may be
 * missed, so a trigger must handle them.
 */
export async function throughBlocks(
  { db, inBatches, progress }: StepContext,
  table: string,
  statement: (range: RawBuilder<boolean>) => RawBuilder<unknown>,
): Promise<void> {
  const { rows } = await sql<{ blocks: string }>`
    select pg_relation_size(${table}::regclass) / current_setting('block_size')::bigint as blocks
    `.execute(db)
  const end = Number(rows[0]!.blocks)
  await inBatches(async (trx, from) => {
    if (from >= end) return undefined
    const to = from + blocksPerBatch
    const range = sql<boolean>`ctid >= ${`(${from},0)`}::tid and ctid < ${`(${to},0)`}::tid`
    await statement(range).execute(trx)
    progress(Math.min(1, to / end))
    return to
  })
}

/** Makes a column required without reading the table under a lock. */
export async function requireColumn(
  db: Kysely<unknown>,
  table: string,
  column: string,
): Promise<void> {
  const [name, owner] = [sql.ref(`${table}_${column}_present`), sql.table(table)]
  await briefly(db, async (trx) => {
    await sql`alter table ${owner} drop constraint if exists ${name}`.execute(trx)
    await sql`alter table ${owner} add constraint ${name}
      check (${sql.ref(column)} is not null) not valid`.execute(trx)
  })
  await sql`alter table ${owner} validate constraint ${name}`.execute(db)
  await briefly(db, async (trx) => {
    await sql`alter table ${owner} alter column ${sql.ref(column)} set not null`.execute(trx)
    await sql`alter table ${owner} drop constraint ${name}`.execute(trx)
  })
}

/** Adds a foreign key and checks existing rows afterwards, without a lock that blocks writers. */
export async function addForeignKey(
  db: Kysely<unknown>,
  table: string,
  name: string,
  definition: string,
): Promise<void> {
  const [key, owner] = [sql.ref(name), sql.table(table)]
  await briefly(db, async (trx) => {
    await sql`alter table ${owner} drop constraint if exists ${key}`.execute(trx)
    await sql`alter table ${owner} add constraint ${key}
      foreign key ${sql.raw(definition)} not valid`.execute(trx)
  })
  await sql`alter table ${owner} validate constraint ${key}`.execute(db)
}
