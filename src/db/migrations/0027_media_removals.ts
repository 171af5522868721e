import { sql, type Kysely } from 'kysely'

/** Files that are being removed from the media store, or were a moment ago. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table media_removals (
      workspace_id text not null,
      file_key text not null,
      marked_at timestamptz not null,
      finished_at timestamptz,
      constraint media_removals_pkey primary key (workspace_id, file_key)
    )`.execute(db)
}
