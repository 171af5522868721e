import { type Kysely, sql, type Transaction } from 'kysely'
import { newId } from '../../core/ids.ts'
import { prepared } from '../../db/prepared.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'

/* Raw SQL: a move changes the wallet and adds its entry in one statement. */

type Wallet = components['schemas']['Wallet']
export type WalletEntry = components['schemas']['WalletEntry']

const findWallet = prepared<{ workspaceId: string; now: Date }>()(
  'find_wallet',
  (_db, parameter) => sql<Wallet>`
    select balance, reserved, balance - reserved as available, balance < 0 as "inDebt", "updatedAt"
    from (
      select balance_credits as balance, updated_at as "updatedAt",
        reserved_credits - coalesce((select sum(credits) from reservations r
          where r.workspace_id = ${parameter('workspaceId')} and r.status = 'HELD'
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
 * An update can only move the wallet's time forwards, and entries take their time from it. `now` is when a
 * call arrived at one service: calls overtake each other on their way to the wallet's lock, and clocks
 * differ. Under the lock, PostgreSQL compares with the latest version of the row.
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

/** The columns of an entry as the contract names them. */
export const entryColumns = sql.raw(
  'id, type, credits, balance_after as "balanceAfter", reference, reason, created_at as "createdAt"',
)

const listPage = prepared<{ workspaceId: string; limit: number; offset: number }>()(
  'list_wallet_entries',
  (_db, parameter) => sql<WalletEntry & { total: number }>`
    select e.id, e.type, e.credits, e.balance_after as "balanceAfter", e.reference, e.reason,
      e.created_at as "createdAt", w.entry_count as total
    from wallets w left join lateral (
      select * from wallet_entries
      where workspace_id = ${parameter('workspaceId')}
        and number <= w.entry_count - ${parameter('offset')}
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
      returning entry_count, balance_credits, updated_at)
    insert into wallet_entries
      (id, workspace_id, number, type, credits, balance_after, reference, reason, created_at)
    select ${newId('ent')}, ${workspaceId}, entry_count, ${type}, ${credits}, balance_credits,
      ${reference}, ${reason}, updated_at
    from wallet returning ${entryColumns}`.execute(trx)
  return rows[0]!
}
