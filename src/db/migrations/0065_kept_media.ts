import { type Kysely, sql } from 'kysely'

/**
 * Files of content that was replaced, kept for a time. The key finds them by their address, the first
 * index by their item, the second those whose time is over. No foreign key joins them to their items,
 * because they may lie on different nodes until this table is distributed, too; what serves a file
 * looks for its item.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table kept_media_files (
      workspace_id text not null,
      media_id text not null,
      content_hash text not null,
      extension text not null,
      kept_until timestamptz not null,
      constraint kept_media_files_key primary key (workspace_id, content_hash, media_id)
    )`.execute(db)
  await sql`
    create index kept_media_files_media_index on kept_media_files
      (workspace_id, media_id)`.execute(db)
  await sql`
    create index kept_media_files_until_index on kept_media_files (kept_until)`.execute(db)
}
