import { sql, type Transaction } from 'kysely'
import { ApiError } from '../../src/core/errors.ts'
import type { Database } from '../../src/db/schema.ts'
import {
  adjustCredits,
  releaseReservation,
  reserveCredits,
  settleReservation,
} from '../../src/domain/credits/wallet.ts'
import type { components } from '../../src/generated/types.ts'
import { getWallet, type WalletEntry } from '../../src/queries/credits/wallets.ts'
import { brokenWallets } from '../../src/queries/credits/wallet_audit.ts'
import { type TestService, unique } from './service.ts'

export type Wallet = components['schemas']['Wallet']

/** The wallet of a new workspace, and operations on it, each in its own transaction. */
export interface TestWallet {
  workspaceId: string
  /** A key of the workspace's owner. */
  key: string
  read(): Promise<Pick<Wallet, 'balance' | 'reserved' | 'available' | 'inDebt'>>
  reserve(credits: number, reference?: string, seconds?: number): Promise<{ id: string }>
  settle(id: string, reason?: string): Promise<WalletEntry>
  release(id: string): Promise<boolean>
  adjust(credits: number, reference?: string): Promise<unknown>
  /** Problems that the audit finds in the whole database. */
  broken(): Promise<string[]>
}

export function write<T>(
  { db }: Pick<TestService, 'db'>,
  work: (trx: Transaction<Database>) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(work)
}

export async function givenWallet(service: TestService, credits = 0): Promise<TestWallet> {
  const owner = await service.givenPerson()
  const { id: workspaceId } = await service.givenWorkspace(owner)
  const { key } = await service.givenKey(owner)
  const wallet: TestWallet = {
    workspaceId,
    key,
    async read() {
      const current = await getWallet(service.db, workspaceId, service.now())
      const { balance, reserved, available, inDebt } = current
      return { balance, reserved, available, inDebt }
    },
    reserve: (amount, reference = unique('call'), seconds = 300) =>
      write(service, (trx) =>
        reserveCredits(trx, workspaceId, {
          credits: amount,
          reference,
          seconds,
          now: service.now(),
        }),
      ),
    settle: (id, reason = 'chat.product') =>
      write(service, (trx) =>
        settleReservation(trx, workspaceId, id, { now: service.now(), reason }),
      ),
    release: (id) =>
      write(service, (trx) => releaseReservation(trx, workspaceId, id, { now: service.now() })),
    adjust: (amount, reference = unique('adjustment')) =>
      write(service, (trx) =>
        adjustCredits(trx, workspaceId, {
          credits: amount,
          reason: 'A reason',
          reference,
          now: service.now(),
        }),
      ),
    broken: async () => (await brokenWallets(service.db)).map(({ problem }) => problem),
  }
  if (credits !== 0) await wallet.adjust(credits)
  return wallet
}

/** Counts outcomes: successes as `done`, refusals by their code. */
export function tally(outcomes: PromiseSettledResult<unknown>[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const outcome of outcomes) {
    const name =
      outcome.status === 'fulfilled'
        ? 'done'
        : outcome.reason instanceof ApiError
          ? outcome.reason.code
          : String(outcome.reason)
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

export async function entriesOf(
  { db }: Pick<TestService, 'db'>,
  workspaceId: string,
): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select type || ' ' || credits || ' = ' || balance_after as line from wallet_entries
    where workspace_id = ${workspaceId} order by number`.execute(db)
  return rows.map(({ line }) => line)
}
