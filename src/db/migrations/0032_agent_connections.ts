import { sql } from 'kysely'
import type { Step } from '../migration.ts'
import { briefly } from '../online.ts'

export const steps: readonly Step[] = [
  {
    // Where agents get their tokens: an address of several accounts belongs to a hosted agent.
    name: 'addresses of agents',
    run: ({ db }) =>
      briefly(db, async (trx) => {
        await sql`
          create table if not exists agent_addresses (
            address text not null,
            account_id text not null references accounts on delete cascade,
            expires_at timestamptz not null,
            primary key (address, account_id)
          )`.execute(trx)
        await sql`
          create index if not exists agent_addresses_expires_index
            on agent_addresses (expires_at)`.execute(trx)
        await sql`
          create index if not exists agent_addresses_account_index
            on agent_addresses (account_id)`.execute(trx)
      }),
  },
  {
    // Parallel refreshes derive the same successor from the token they sent and this seed.
    name: 'seeds of successors',
    run: ({ db }) =>
      briefly(db, async (trx) => {
        await sql`
          alter table refresh_tokens add column if not exists successor_seed bytea`.execute(trx)
      }),
  },
]
