import { type Kysely, sql } from 'kysely'
import type { Step } from '../migration.ts'
import { briefly } from '../online.ts'

/*
 * Strangers must not keep an owner from signing in: browsers that signed in before have codes of their
 * own, and an address under attack gets links beside its codes.
 */

export const steps: readonly Step[] = [
  { name: 'known browsers', run: ({ db }) => createKnownBrowsers(db) },
  { name: 'links to sign in', run: ({ db }) => createLinks(db) },
  { name: 'attempts to sign in', run: ({ db }) => createAttempts(db) },
  {
    name: 'failures of strangers',
    run: ({ db }) =>
      briefly(db, async (trx) => {
        await sql`
          alter table one_time_codes
            add column if not exists stranger_failures integer not null default 0`.execute(trx)
      }),
  },
]

/** A browser has one row for each address that signed in there. */
async function createKnownBrowsers(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists known_browsers (
      id text not null,
      token_hash bytea not null,
      purpose text not null,
      email text not null,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      constraint known_browsers_key primary key (id),
      constraint known_browsers_token_key unique (token_hash, purpose, email)
    )`.execute(db)
  await sql`
    create index if not exists known_browsers_email_index
      on known_browsers (email, purpose)`.execute(db)
  await sql`
    create index if not exists known_browsers_expires_index
      on known_browsers (expires_at)`.execute(db)
}

async function createLinks(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists sign_in_links (
      token_hash bytea not null,
      purpose text not null,
      email text not null,
      expires_at timestamptz not null,
      constraint sign_in_links_key primary key (token_hash)
    )`.execute(db)
  await sql`
    create index if not exists sign_in_links_expires_index
      on sign_in_links (expires_at)`.execute(db)
}

/** What was tried at an address on a day, and when it last got a mail with a link alone. */
async function createAttempts(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists sign_in_attempts (
      purpose text not null,
      email text not null,
      day date not null,
      failures integer not null default 0,
      link_mailed_at timestamptz,
      constraint sign_in_attempts_key primary key (email, purpose)
    )`.execute(db)
  await sql`create index if not exists sign_in_attempts_day_index on sign_in_attempts (day)`.execute(
    db,
  )
}
