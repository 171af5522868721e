import { type Kysely, sql } from 'kysely'
import type pg from 'pg'
import { identityOf, sendAlone } from '../../db/own_connection.ts'
import type { Database } from '../../db/schema.ts'

/* Raw SQL: months are partitions, which are made and dropped by name. */

/**
 * For each database, the months that this process knows to exist, or is creating on a connection of their
 * own.
 */
const months = new WeakMap<object, Map<string, Promise<unknown>>>()

/** Held by the transaction that creates a month: see `ensure_usage_month`. */
const monthsLock = 7318112047

/** Months that housekeeping keeps ready: the current one and these. */
const monthsAhead = 3

/**
 * Returns the UTC day of a moment after making sure that its month exists. Most calls know that it does and
 * send no query. A month is created outside the caller's transaction, or it would stay locked for others
 * until that ends. A transaction that has already used events does not see a month that is created later,
 * so all its events must be in one month, or in months created ahead.
 */
export async function requireUsageMonth(db: Kysely<Database>, moment: Date): Promise<string> {
  const day = moment.toISOString().slice(0, 10)
  await monthOf(db, day)
  return day
}

async function monthOf(db: Kysely<Database>, day: string): Promise<unknown> {
  const database = identityOf(db)
  const made = months.get(database) ?? new Map<string, Promise<unknown>>()
  months.set(database, made)
  const month = day.slice(0, 7)
  const existing = made.get(month)
  if (existing) return existing
  // Look on the caller's own connection first. Another connection may take long: behind a pooler,
  // transactions that wait for one of the caller's locks can occupy all sessions. Each caller looks for
  // itself, because its failing transaction must not fail others.
  const name = `usage_events_${month.replace('-', '_')}`
  const { rows } = await sql`select where to_regclass(${name}) is not null`.execute(db)
  if (rows.length > 0) {
    // A new month is visible slightly before inserts find it: wait until its creator releases the lock.
    await sql`select pg_advisory_lock_shared(${monthsLock}),
      pg_advisory_unlock_shared(${monthsLock})`.execute(db)
    return void made.set(month, Promise.resolve())
  }
  const others = made.get(month)
  if (others) return others
  const making = sendAlone(db, 'select ensure_usage_month($1)', [day])
  made.set(month, making)
  making.catch(() => made.delete(month))
  return making
}

/**
 * Runs a statement that inserts an event of a known month. If the month was dropped meanwhile, it is
 * forgotten and created again: at once outside a transaction, otherwise for the next call.
 */
export async function insertInMonth<Result>(
  db: Kysely<Database>,
  moment: Date,
  insert: () => Promise<Result>,
): Promise<Result> {
  try {
    return await insert()
  } catch (error) {
    if (!isMissingMonth(error)) throw error
    months.get(identityOf(db))?.delete(moment.toISOString().slice(0, 7))
    if (db.isTransaction) throw error
    await requireUsageMonth(db, moment)
    return insert()
  }
}

/**
 * A check violation without a constraint's name comes from the partitions. A distributed database only
 * reports that a row could not be copied to its node.
 */
function isMissingMonth(error: unknown): boolean {
  const { code, constraint, routine } = error as pg.DatabaseError
  return (code === '23514' && constraint === undefined) || routine === 'ReportCopyError'
}

/** Creates the current month and the next ones, so that no writer has to wait for its month. */
export async function makeUsageMonths(db: Kysely<Database>, now: Date): Promise<void> {
  for (let ahead = 0; ahead <= monthsAhead; ahead++)
    await requireUsageMonth(
      db,
      new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1)),
    )
}

/**
 * Drops the months of events before a moment; reports keep their numbers. If a call uses events right now,
 * the rest waits for the next sweep instead of blocking other calls.
 */
export async function dropUsageMonths(db: Kysely<Database>, before: Date): Promise<void> {
  const first = `usage_events_${before.toISOString().slice(0, 7).replace('-', '_')}`
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'usage_events'::regclass and c.relname ~ '^usage_events_[0-9]{4}_[0-9]{2}$'
      and c.relname < ${first} order by c.relname`.execute(db)
  for (const { name } of rows)
    try {
      await db.transaction().execute(async (trx) => {
        await sql`set local lock_timeout = '400ms'`.execute(trx)
        await sql`drop table if exists ${sql.table(name)}`.execute(trx)
      })
    } catch (error) {
      if ((error as pg.DatabaseError).code === lockTimeout) return
      throw error
    }
}

const lockTimeout = '55P03'

/** Months of a range, such as `2026_01`, that were dropped or never created. */
export async function listMonthsWithoutEvents(
  db: Kysely<Database>,
  { firstMoment, endMoment }: { firstMoment: Date; endMoment: Date },
): Promise<string[]> {
  const { rows } = await sql<{ month: string }>`
    select month from (
      select to_char(first, 'YYYY_MM') as month from generate_series(
        date_trunc('month', ${firstMoment}::timestamptz at time zone 'UTC'),
        ${endMoment}::timestamptz at time zone 'UTC', interval '1 month') first) months
    where to_regclass('usage_events_' || month) is null`.execute(db)
  return rows.map(({ month }) => month)
}
