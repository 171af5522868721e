import { type Kysely, sql, type Transaction } from 'kysely'
import { newId } from '../../core/ids.ts'
import { prepared } from '../../db/prepared.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'

type Wallet = components['schemas']['Wallet']
export type WalletEntry = components['schemas']['WalletEntry']

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
  now: Date
  expiresAt: Date
}

export interface Reservation {
  id: string
  credits: number
  reference: string
  status: 'HELD' | 'SETTLED' | 'RELEASED'
  expiresAt: string
}

const findWallet = prepared<{ workspaceId: string; now: Date }>()(
  'find_wallet',
  (_db, parameter) => sql<Wallet>`
    select balance, reserved, balance - reserved as available, balance < 0 as "inDebt", "updatedAt"
    from (
      select balance_credits as balance, updated_at as "updatedAt",
        reserved_credits - coalesce((select sum(credits) from reservations r
          where r.workspace_id = w.workspace_id and r.status = 'HELD'
            and r.expires_at <= ${parameter('now')}), 0)::bigint as reserved
      from wallets w where w.workspace_id = ${parameter('workspaceId')}
    ) wallet`,
)

/** The wallet at a given time. Reservations expired by then do not count, released or not. */
export async function getWallet(
  db: Kysely<Database>,
  workspaceId: string,
  now: Date,
): Promise<Wallet> {
  const [wallet] = await findWallet(db, { workspaceId, now })
  if (!wallet) throw new Error(`The workspace ${workspaceId} has no wallet.`)
  return wallet
}

/*
 * Every update moves the wallet's time forwards only, and an entry takes its time from there. `now` is
 * the time of arrival at one service: calls overtake each other on their way to the wallet's lock, and
 * clocks differ. Under the lock, PostgreSQL compares with the latest version of the row.
 */

/** Locks the wallet until the transaction ends: all other moves of its credits wait. */
export function lockWallet(
  trx: Transaction<Database>,
  workspaceId: string,
): Promise<{ balance: number }> {
  return trx
    .selectFrom('wallets')
    .select('balance_credits as balance')
    .where('workspace_id', '=', workspaceId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
}

const entryColumns = sql.raw(
  'id, type, credits, balance_after as "balanceAfter", reference, reason, created_at as "createdAt"',
)

const listPage = prepared<{ workspaceId: string; limit: number; offset: number }>()(
  'list_wallet_entries',
  (_db, parameter) => sql<WalletEntry & { total: number }>`
    select e.id, e.type, e.credits, e.balance_after as "balanceAfter", e.reference, e.reason,
      e.created_at as "createdAt", w.entry_count as total
    from wallets w left join lateral (
      select * from wallet_entries
      where workspace_id = w.workspace_id and number <= w.entry_count - ${parameter('offset')}
      order by number desc limit ${parameter('limit')}
    ) e on true
    where w.workspace_id = ${parameter('workspaceId')}
    order by e.number desc`,
)

/** A page of the ledger, newest first. Entries are numbered, so that every page is equally fast. */
export async function listEntries(
  db: Kysely<Database>,
  workspaceId: string,
  page: { limit: number; offset: number },
): Promise<{ entries: WalletEntry[]; total: number }> {
  const rows = await listPage(db, { workspaceId, ...page })
  const entries = rows.filter(({ id }) => id !== null).map(({ total: _total, ...entry }) => entry)
  return { entries, total: rows[0]?.total ?? 0 }
}

export async function findEntry(
  db: Kysely<Database>,
  workspaceId: string,
  type: WalletEntry['type'],
  reference: string,
): Promise<WalletEntry | undefined> {
  const { rows } = await sql<WalletEntry>`select ${entryColumns} from wallet_entries
    where workspace_id = ${workspaceId} and type = ${type} and reference = ${reference}`.execute(db)
  return rows[0]
}

/** Adds an entry and updates the balance. The caller holds the wallet's lock. */
export async function insertEntry(
  trx: Transaction<Database>,
  workspaceId: string,
  entry: Pick<WalletEntry, 'type' | 'credits' | 'reference' | 'reason'>,
  now: Date,
): Promise<WalletEntry> {
  const { type, credits, reference, reason } = entry
  const { rows } = await sql<WalletEntry>`
    with wallet as (
      update wallets set balance_credits = balance_credits + ${credits},
        entry_count = entry_count + 1, updated_at = greatest(updated_at, ${now})
      where workspace_id = ${workspaceId}
      returning workspace_id, entry_count, balance_credits, updated_at)
    insert into wallet_entries
      (id, workspace_id, number, type, credits, balance_after, reference, reason, created_at)
    select ${newId('ent')}, workspace_id, entry_count, ${type}, ${credits}, balance_credits,
      ${reference}, ${reason}, updated_at
    from wallet returning ${entryColumns}`.execute(trx)
  return rows[0]!
}

const insertPrepared = prepared<NewReservation & { workspaceId: string }>()(
  'insert_reservation',
  (_db, parameter) => sql<{ held: boolean }>`
    with made as (
      insert into reservations
        (id, workspace_id, credits, reference, usage, visitor_id, quota_day, created_at, expires_at)
      values (${parameter('id')}, ${parameter('workspaceId')}, ${parameter('credits')},
        ${parameter('reference')}, ${parameter('usage')}, ${parameter('visitorId')},
        ${parameter('quotaDay')}::date, ${parameter('now')}, ${parameter('expiresAt')})
      on conflict on constraint reservations_reference_key do nothing
      returning workspace_id, credits),
    wallet as (
      update wallets w set reserved_credits = w.reserved_credits + made.credits,
        updated_at = greatest(w.updated_at, ${parameter('now')})
      from made where w.workspace_id = made.workspace_id
        and w.balance_credits - w.reserved_credits >= made.credits
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
  const { numAffectedRows } = await sql`
    update wallets set reserved_credits = reserved_credits + ${credits},
      updated_at = greatest(updated_at, ${now})
    where workspace_id = ${workspaceId}
      and balance_credits - reserved_credits >= ${credits}`.execute(trx)
  return numAffectedRows === 1n
}

/** Deletes a reservation that was inserted but never counted. */
export async function deleteReservation(trx: Transaction<Database>, id: string): Promise<void> {
  await trx.deleteFrom('reservations').where('id', '=', id).execute()
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
  id: string,
): Promise<(Reservation & { workspaceId: string }) | undefined> {
  return db
    .selectFrom('reservations')
    .select([...reservationColumns, 'workspace_id as workspaceId'])
    .where('id', '=', id)
    .executeTakeFirst()
}

const settle = prepared<{ id: string; entryId: string; reason: string | null; now: Date }>()(
  'settle_reservation',
  (_db, parameter) => sql<WalletEntry>`
    with settled as (
      update reservations set status = 'SETTLED', ended_at = ${parameter('now')}
      where id = ${parameter('id')} and status = 'HELD' and expires_at > ${parameter('now')}
      returning workspace_id, credits, reference),
    wallet as (
      update wallets w set balance_credits = w.balance_credits - s.credits,
        reserved_credits = w.reserved_credits - s.credits, entry_count = w.entry_count + 1,
        updated_at = greatest(w.updated_at, ${parameter('now')})
      from settled s where w.workspace_id = s.workspace_id
      returning w.workspace_id, w.entry_count, w.balance_credits, w.updated_at, s.credits,
        s.reference)
    insert into wallet_entries
      (id, workspace_id, number, type, credits, balance_after, reference, reason, created_at)
    select ${parameter('entryId')}, workspace_id, entry_count, 'USAGE', -credits, balance_credits,
      reference, ${parameter('reason')}, updated_at from wallet
    returning ${entryColumns}`,
)

/**
 * Turns a held reservation into an entry. Its row decides: of two that settle or release it, the
 * second finds it no longer held.
 */
export async function settleHeldReservation(
  trx: Transaction<Database>,
  id: string,
  reason: string | null,
  now: Date,
): Promise<WalletEntry | undefined> {
  const [entry] = await settle(trx, { id, entryId: newId('ent'), reason, now })
  return entry
}

/** Releases a held reservation; false if it was not held. */
export async function releaseHeldReservation(
  trx: Transaction<Database>,
  id: string,
  now: Date,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with released as (
      update reservations set status = 'RELEASED', ended_at = ${now}
      where id = ${id} and status = 'HELD' returning workspace_id, credits)
    update wallets w set reserved_credits = w.reserved_credits - r.credits,
      updated_at = greatest(w.updated_at, ${now})
    from released r where w.workspace_id = r.workspace_id`.execute(trx)
  return numAffectedRows === 1n
}

/**
 * Releases expired reservations and returns the usage events to record. The caller holds the
 * wallet's lock. Locked reservations are skipped: another transaction is ending them and waits for
 * this wallet.
 */
export async function releaseExpired(
  trx: Transaction<Database>,
  workspaceId: string,
  now: Date,
): Promise<unknown[]> {
  const { rows } = await sql<{ usage: unknown }>`
    with released as (
      update reservations set status = 'RELEASED', ended_at = ${now}
      where id in (select id from reservations
        where workspace_id = ${workspaceId} and status = 'HELD' and expires_at <= ${now}
        for update skip locked)
      returning credits, usage),
    wallet as (
      update wallets set updated_at = greatest(updated_at, ${now}),
        reserved_credits = reserved_credits - (select coalesce(sum(credits), 0) from released)
      where workspace_id = ${workspaceId} and exists (select from released))
    select usage from released`.execute(trx)
  return rows.map(({ usage }) => usage)
}

/** A batch of the wallets with expired reservations. */
export async function listWalletsToTidy(db: Kysely<Database>, now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select distinct workspace_id as id from reservations
    where status = 'HELD' and expires_at <= ${now} limit 1000`.execute(db)
  return rows.map(({ id }) => id)
}
