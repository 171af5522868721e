import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // The last turns of the conversation, oldest first, in the order in which they were paid for.
  await sql`alter table threads add column turns jsonb not null default '[]'`.execute(db)

  // A running request counts against its visitor's day for as long as its reservation holds.
  await sql`alter table reservations add column visitor_id text, add column quota_day date`.execute(
    db,
  )
  await sql`
    create index reservations_visitor_index on reservations (workspace_id, visitor_id, quota_day)
      where status = 'HELD' and visitor_id is not null`.execute(db)
}
