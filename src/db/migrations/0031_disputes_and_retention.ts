import { type Kysely, sql } from 'kysely'
import type { Step } from '../migration.ts'
import { briefly, buildIndex } from '../online.ts'

/*
 * Disputed payments take their credits back, and give them back when the money returns. And what
 * finds the rows that are kept no longer.
 */

const indexes = {
  // In the order of its file, as good as in the order of time.
  reservations_created_index: { table: 'reservations', columns: 'using brin (created_at)' },
  threads_used_index: { table: 'threads', columns: '(used_at)' },
  mails_failed_index: { table: 'mails', columns: '(failed_at) where failed_at is not null' },
  api_keys_ended_index: { table: 'api_keys', columns: '(least(revoked_at, expires_at))' },
  grants_ended_index: { table: 'grants', columns: '(least(revoked_at, expires_at))' },
}

export const steps: readonly Step[] = [
  { name: 'disputes', run: ({ db }) => briefly(db, createDisputes) },
  { name: 'sign of refunds', run: ({ db }) => allowReturns(db) },
  { name: 'use of threads', run: ({ db }) => briefly(db, addUse) },
  ...Object.entries(indexes).map(([name, definition]): Step => ({
    name,
    run: ({ db }) => buildIndex(db, name, definition),
  })),
]

async function createDisputes(trx: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists payment_disputes (
      id text not null,
      payment_intent text not null,
      amount_cents integer not null,
      is_withdrawn boolean not null,
      is_reinstated boolean not null,
      constraint payment_disputes_key primary key (id)
    )`.execute(trx)
  await sql`
    create index if not exists payment_disputes_intent_index
      on payment_disputes (payment_intent)`.execute(trx)
}

/** What a dispute took back returns as a REFUND entry that adds credits. */
async function allowReturns(db: Kysely<unknown>): Promise<void> {
  await briefly(db, async (trx) => {
    await sql`
      alter table wallet_entries drop constraint if exists wallet_entries_sign_check`.execute(trx)
    await sql`
      alter table wallet_entries add constraint wallet_entries_sign_check check (case type
        when 'PURCHASE' then credits > 0
        when 'USAGE' then credits < 0
        else credits <> 0 end) not valid`.execute(trx)
  })
  await sql`alter table wallet_entries validate constraint wallet_entries_sign_check`.execute(db)
}

/** Conversations that exist count as used now: the days until their end begin with this build. */
async function addUse(trx: Kysely<unknown>): Promise<void> {
  await sql`
    alter table threads
      add column if not exists used_at timestamptz not null default now()`.execute(trx)
}
