import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // A solved challenge is valid once: the second insert fails.
  await sql`
    create table spent_challenges (
      fingerprint bytea primary key,
      expires_at timestamptz not null
    )`.execute(db)
  await sql`create index spent_challenges_expires_index on spent_challenges (expires_at)`.execute(
    db,
  )
}
