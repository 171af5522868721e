import { sql, type Kysely } from 'kysely'

/**
 * Backups that still need files of the media store, and files that no row refers to any more but one of
 * these backups does.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table backups (
      id text not null,
      begun_at timestamptz not null,
      needed_until timestamptz not null,
      constraint backups_pkey primary key (id)
    )`.execute(db)
  await sql`
    create table held_files (
      workspace_id text not null,
      file_key text not null,
      removed_at timestamptz not null,
      constraint held_files_pkey primary key (workspace_id, file_key)
    )`.execute(db)
}
