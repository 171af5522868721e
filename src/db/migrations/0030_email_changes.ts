import { type Kysely, sql } from 'kysely'

/** Changes of accounts' addresses, which the old address can take back for a while. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table email_changes (
      token_hash bytea not null,
      account_id text not null,
      old_email text not null,
      new_email text not null,
      changed_at timestamptz not null,
      expires_at timestamptz not null,
      taken_back_at timestamptz,
      constraint email_changes_key primary key (token_hash),
      constraint email_changes_account_fkey foreign key (account_id)
        references accounts on delete cascade
    )`.execute(db)
  await sql`create index email_changes_account_index on email_changes (account_id)`.execute(db)
  await sql`create index email_changes_expires_index on email_changes (expires_at)`.execute(db)
}
