import { type Kysely, sql } from 'kysely'
import type pg from 'pg'
import { identityOf, sendAlone } from '../../db/own_connection.ts'
import type { Database } from '../../db/schema.ts'

/* Raw SQL: months are partitions, which are made and dropped by name. */

/** Months of a database that this process knows to exist, or is making on a connection of their own. */
const months = new WeakMap<object, Map<string, Promise<unknown>>>()

/** Held by the transaction that makes a month: see `ensure_usage_month`. */
const monthsLock = 7318112047

/** Months that housekeeping keeps ready: the current one and these. */
const monthsAhead = 3

/**
 * Returns the UTC day of a moment whose event can be inserted: its month exists. Most calls know
 * that and ask nothing. A month is made outside the caller's transaction, or it would stay locked
 * for others until that ends. A transaction that has used events before does not see a month that
 * is made later, so all its events must be of one month, or of months made ahead.
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
  // On the caller's own connection first. Another may be long in coming: behind a pooler, those who wait
  // for a lock of the caller's can hold all of its sessions. Each caller looks for itself, because a
  // transaction that fails must not fail others.
  const name = `usage_events_${month.replace('-', '_')}`
  const { rows } = await sql`select where to_regclass(${name}) is not null`.execute(db)
  if (rows.length > 0) {
    // A new month is seen a moment before inserts find it: not until its maker lets go of the lock.
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
 * forgotten and made again: at once, or for the next call where the transaction is lost.
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
 * A check that fails without the name of a constraint is that of the partitions. A distributed
 * database tells only that a row could not be copied to its node.
 */
function isMissingMonth(error: unknown): boolean {
  const { code, constraint, routine } = error as pg.DatabaseError
  return (code === '23514' && constraint === undefined) || routine === 'ReportCopyError'
}

/** Makes the current month and the next ones, so that no writer has to wait for its month. */
export async function makeUsageMonths(db: Kysely<Database>, now: Date): Promise<void> {
  for (let ahead = 0; ahead <= monthsAhead; ahead++)
    await requireUsageMonth(
      db,
      new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1)),
    )
}

/**
 * Drops the months of events before a moment; reports keep their numbers. If a call uses the events
 * just then, the rest waits for the next sweep instead of making other calls wait.
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

/** Months of a range, such as `2026_01`, that were dropped or never made. */
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
