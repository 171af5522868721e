import { type Kysely, sql } from 'kysely'
import type { Step } from '../migration.ts'
import { briefly } from '../online.ts'

/*
 * The addresses that an account mails to are counted by day, over all of its workspaces, while it has
 * paid nothing. The key of a trial is for one workspace; the build before makes some without.
 */

export const steps: readonly Step[] = [
  { name: 'addresses of accounts', run: ({ db }) => createAddresses(db) },
  {
    name: 'keys of one workspace',
    run: ({ db }) =>
      briefly(db, async (trx) => {
        await sql`alter table api_keys add column if not exists only_workspace_id text`.execute(trx)
      }),
  },
]

/** Addresses are kept as hashes: only whether one is new that day matters. */
async function createAddresses(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists account_mail_days (
      account_id text not null,
      day date not null,
      addresses integer not null,
      constraint account_mail_days_key primary key (account_id, day)
    )`.execute(db)
  await sql`
    create index if not exists account_mail_days_day_index
      on account_mail_days (day)`.execute(db)
  await sql`
    create table if not exists account_mailed_addresses (
      account_id text not null,
      day date not null,
      address_hash bytea not null,
      constraint account_mailed_addresses_key primary key (account_id, day, address_hash)
    )`.execute(db)
  await sql`
    create index if not exists account_mailed_addresses_day_index
      on account_mailed_addresses (day)`.execute(db)
}
