import { type Kysely, sql } from 'kysely'
import type { Step } from '../migration.ts'
import { addForeignKey } from '../online.ts'

/* Changes of accounts' addresses, which the old address can take back for a while. */

export const steps: readonly Step[] = [
  { name: 'table', run: ({ db }) => createChanges(db) },
  {
    name: 'account of a change',
    run: ({ db }) =>
      addForeignKey(
        db,
        'email_changes',
        'email_changes_account_fkey',
        '(account_id) references accounts on delete cascade',
      ),
  },
]

async function createChanges(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists email_changes (
      token_hash bytea not null,
      account_id text not null,
      old_email text not null,
      new_email text not null,
      changed_at timestamptz not null,
      expires_at timestamptz not null,
      taken_back_at timestamptz,
      constraint email_changes_key primary key (token_hash)
    )`.execute(db)
  await sql`
    create index if not exists email_changes_account_index
      on email_changes (account_id)`.execute(db)
  await sql`
    create index if not exists email_changes_expires_index
      on email_changes (expires_at)`.execute(db)
}
