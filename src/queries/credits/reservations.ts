import { type Kysely, sql, type Transaction } from 'kysely'
import { newId } from '../../core/ids.ts'
import { prepared } from '../../db/prepared.ts'
import type { Database } from '../../db/schema.ts'
import { entryColumns, type WalletEntry } from './wallets.ts'

/* Raw SQL: one statement inserts and counts, or two calls could reserve the same credits. */

/** A reservation to insert; the wallet may not have the credits. */
interface NewReservation {
  id: string
  credits: number
  reference: string
  /** JSON of the usage event to record as failed if the reservation expires. */
  usage: string | null
  /** The visitor, and the UTC day the request counts against. */
  visitorId: string | null
  quotaDay: string | null
  budget: string | null
  now: Date
  expiresAt: Date
}

/** What a reservation had taken of a day's budget, besides its credits. */
export interface BudgetShare {
  credits: number
  budget: string | null
  day: string | null
}

export interface Reservation {
  id: string
  credits: number
  reference: string
  status: 'HELD' | 'SETTLED' | 'RELEASED'
  expiresAt: string
}

const insertPrepared = prepared<NewReservation & { workspaceId: string }>()(
  'insert_reservation',
  (_db, parameter) => sql<{ held: boolean }>`
    with made as (
      insert into reservations
        (id, workspace_id, credits, reference, usage, visitor_id, quota_day, budget, created_at,
          expires_at)
      values (${parameter('id')}, ${parameter('workspaceId')}, ${parameter('credits')},
        ${parameter('reference')}, ${parameter('usage')}, ${parameter('visitorId')},
        ${parameter('quotaDay')}::date, ${parameter('budget')}, ${parameter('now')},
        ${parameter('expiresAt')})
      on conflict on constraint reservations_reference_key do nothing
      returning credits),
    wallet as (
      update wallets w set reserved_credits = w.reserved_credits + made.credits,
        updated_at = greatest(w.updated_at, ${parameter('now')})
      from made where w.workspace_id = ${parameter('workspaceId')}
        and (w.balance_credits - w.reserved_credits >= made.credits or made.credits = 0)
      returning 1)
    select exists (select from wallet) as held from made`,
)

/**
 * Inserts a reservation and, if the wallet has the credits, counts it, in one statement. Expired
 * reservations that are not yet released still count here: `short` is not yet a refusal.
 */
export async function insertReservation(
  trx: Transaction<Database>,
  workspaceId: string,
  reservation: NewReservation,
): Promise<'held' | 'short' | 'known'> {
  const [row] = await insertPrepared(trx, { workspaceId, ...reservation })
  if (!row) return 'known'
  return row.held ? 'held' : 'short'
}

/** Counts a reservation that was already inserted, if the wallet now has the credits. */
export async function holdInserted(
  trx: Transaction<Database>,
  workspaceId: string,
  credits: number,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('wallets')
    .set(({ eb }) => ({
      reserved_credits: eb('reserved_credits', '+', credits),
      updated_at: sql<Date>`greatest(updated_at, ${now})`,
    }))
    .where('workspace_id', '=', workspaceId)
    .where(({ eb }) => eb('balance_credits', '-', eb.ref('reserved_credits')), '>=', credits)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Deletes a reservation that was inserted but never counted. */
export async function deleteReservation(
  trx: Transaction<Database>,
  workspaceId: string,
  id: string,
): Promise<void> {
  await trx
    .deleteFrom('reservations')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

const reservationColumns = [
  'id',
  'credits',
  'reference',
  'status',
  'expires_at as expiresAt',
] as const

export function findReservation(
  db: Kysely<Database>,
  workspaceId: string,
  reference: string,
): Promise<Reservation | undefined> {
  return db
    .selectFrom('reservations')
    .select(reservationColumns)
    .where('workspace_id', '=', workspaceId)
    .where('reference', '=', reference)
    .executeTakeFirst()
}

export function findReservationById(
  db: Kysely<Database>,
  workspaceId: string,
  id: string,
): Promise<Reservation | undefined> {
  return db
    .selectFrom('reservations')
    .select(reservationColumns)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
}

const settle = prepared<{
  workspaceId: string
  id: string
  entryId: string
  reason: string | null
  now: Date
}>()(
  'settle_reservation',
  (_db, parameter) => sql<WalletEntry>`
    with settled as (
      update reservations set status = 'SETTLED', ended_at = ${parameter('now')}
      where workspace_id = ${parameter('workspaceId')} and id = ${parameter('id')}
        and status = 'HELD' and expires_at > ${parameter('now')}
      returning credits, reference),
    wallet as (
      update wallets w set balance_credits = w.balance_credits - s.credits,
        reserved_credits = w.reserved_credits - s.credits, entry_count = w.entry_count + 1,
        updated_at = greatest(w.updated_at, ${parameter('now')})
      from settled s where w.workspace_id = ${parameter('workspaceId')}
      returning w.entry_count, w.balance_credits, w.updated_at, s.credits, s.reference)
    insert into wallet_entries
      (id, workspace_id, number, type, credits, balance_after, reference, reason, created_at)
    select ${parameter('entryId')}, ${parameter('workspaceId')}, entry_count, 'USAGE', -credits,
      balance_credits, reference, ${parameter('reason')}, updated_at from wallet
    returning ${entryColumns}`,
)

/**
 * Turns a held reservation into an entry. Its row decides: of two transactions that settle or release it,
 * the second finds it no longer held.
 */
export async function settleHeldReservation(
  trx: Transaction<Database>,
  workspaceId: string,
  reservation: { id: string; reason: string | null; now: Date },
): Promise<WalletEntry | undefined> {
  const [entry] = await settle(trx, { workspaceId, entryId: newId('ent'), ...reservation })
  return entry
}

/** Settles a held reservation without an entry; undefined if it was not held or has expired. */
export async function settleHeldFree(
  trx: Transaction<Database>,
  workspaceId: string,
  id: string,
  now: Date,
): Promise<BudgetShare | undefined> {
  const { rows } = await sql<BudgetShare>`
    with settled as (
      update reservations set status = 'SETTLED', is_free = true, ended_at = ${now}
      where workspace_id = ${workspaceId} and id = ${id} and status = 'HELD'
        and expires_at > ${now}
      returning credits, budget, quota_day),
    wallet as (
      update wallets w set reserved_credits = w.reserved_credits - s.credits,
        updated_at = greatest(w.updated_at, ${now})
      from settled s where w.workspace_id = ${workspaceId})
    select credits, budget, quota_day as day from settled`.execute(trx)
  return rows[0]
}

/** Releases a held reservation; undefined if it was not held. */
export async function releaseHeldReservation(
  trx: Transaction<Database>,
  workspaceId: string,
  id: string,
  now: Date,
): Promise<BudgetShare | undefined> {
  const { rows } = await sql<BudgetShare>`
    with released as (
      update reservations set status = 'RELEASED', ended_at = ${now}
      where workspace_id = ${workspaceId} and id = ${id} and status = 'HELD'
      returning credits, budget, quota_day),
    wallet as (
      update wallets w set reserved_credits = w.reserved_credits - r.credits,
        updated_at = greatest(w.updated_at, ${now})
      from released r where w.workspace_id = ${workspaceId})
    select credits, budget, quota_day as day from released`.execute(trx)
  return rows[0]
}

/**
 * Releases expired reservations and returns what they had counted, with the usage events to record. The
 * caller holds the wallet's lock. Locked reservations are skipped: their transaction is about to end them
 * and waits for this wallet.
 */
export async function releaseExpired(
  trx: Transaction<Database>,
  workspaceId: string,
  now: Date,
): Promise<(BudgetShare & { usage: unknown })[]> {
  const { rows } = await sql<BudgetShare & { usage: unknown }>`
    with released as (
      update reservations set status = 'RELEASED', ended_at = ${now}
      where workspace_id = ${workspaceId} and id in (select id from reservations
        where workspace_id = ${workspaceId} and status = 'HELD' and expires_at <= ${now}
        for update skip locked)
      returning credits, budget, quota_day, usage),
    wallet as (
      update wallets set updated_at = greatest(updated_at, ${now}),
        reserved_credits = reserved_credits - (select coalesce(sum(credits), 0) from released)
      where workspace_id = ${workspaceId} and exists (select from released))
    select credits, budget, quota_day as day, usage from released`.execute(trx)
  return rows
}

/** A batch of wallets that have expired reservations. */
export async function listWalletsToTidy(db: Kysely<Database>, now: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('reservations')
    .select('workspace_id as id')
    .distinct()
    .where('status', '=', 'HELD')
    .where('expires_at', '<=', sql<string>`${now}`)
    .limit(1000)
    .execute()
  return rows.map(({ id }) => id)
}
