import { type Kysely, sql } from 'kysely'
import type { Step } from '../migration.ts'
import { briefly, buildIndex } from '../online.ts'

/*
 * Mails are sent in turns of their senders, and each workspace's addresses are counted by day. The
 * build before leaves the new columns to their defaults: its mails take the first turn.
 */

export const steps: readonly Step[] = [
  { name: 'senders of mails', run: ({ db }) => briefly(db, addSenders) },
  {
    name: 'mails_turn_index',
    run: ({ db }) =>
      buildIndex(db, 'mails_turn_index', {
        table: 'mails',
        columns: '(is_urgent, turn, id) where failed_at is null',
      }),
  },
  {
    name: 'mails_sender_index',
    run: ({ db }) =>
      buildIndex(db, 'mails_sender_index', {
        table: 'mails',
        columns: '(sender, turn) where failed_at is null',
      }),
  },
  { name: 'addresses of workspaces', run: ({ db }) => briefly(db, createAddresses) },
]

async function addSenders(trx: Kysely<unknown>): Promise<void> {
  await sql`
    alter table mails
      add column if not exists sender text not null default '',
      add column if not exists is_urgent boolean not null default false,
      add column if not exists turn bigint not null default 0`.execute(trx)
}

/** Addresses are kept as hashes: only whether one is new that day matters. */
async function createAddresses(trx: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists mail_days (
      workspace_id text not null,
      day date not null,
      addresses integer not null,
      constraint mail_days_key primary key (workspace_id, day)
    )`.execute(trx)
  await sql`create index if not exists mail_days_day_index on mail_days (day)`.execute(trx)
  await sql`
    create table if not exists mailed_addresses (
      workspace_id text not null,
      day date not null,
      address_hash bytea not null,
      constraint mailed_addresses_key primary key (workspace_id, day, address_hash)
    )`.execute(trx)
  await sql`
    create index if not exists mailed_addresses_day_index on mailed_addresses (day)`.execute(trx)
}
