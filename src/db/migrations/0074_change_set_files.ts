import { sql } from 'kysely'
import type { Step } from '../migration.ts'
import { briefly, buildIndex } from '../online.ts'

/*
 * Files of products. An upload is kept as its rows, for a day; a set that is made of it has a copy of
 * them. What rows name and what is not there yet is noted with the set, and made when it is applied;
 * pictures that rows name by their URLs are fetched once for each upload.
 *
 * What a row replaces or deletes goes into the activities of its set, to be put back one by one. Plans,
 * those with pictures and writes wait in lines of their own, because the one must not hold up the other.
 */

const tables = [
  sql`
    create table if not exists change_set_uploads (
      workspace_id text not null,
      id text not null,
      file_name text not null,
      format text not null,
      columns json not null,
      rows integer not null,
      is_complete boolean not null,
      created_at timestamptz not null,
      constraint change_set_uploads_key primary key (workspace_id, id)
    )`,
  sql`
    create table if not exists change_set_upload_rows (
      workspace_id text not null,
      upload_id text not null,
      number integer not null,
      cells json not null,
      constraint change_set_upload_rows_key primary key (workspace_id, upload_id, number)
    )`,
  sql`
    create table if not exists change_set_makes (
      workspace_id text not null,
      change_set_id text not null,
      kind text not null,
      name_key bytea not null,
      id text not null,
      name text not null,
      constraint change_set_makes_key primary key (workspace_id, change_set_id, kind, name_key)
    )`,
  sql`
    create table if not exists fetched_pictures (
      workspace_id text not null,
      upload_id text not null,
      url_hash bytea not null,
      media_id text,
      refusal json,
      fetched_at timestamptz not null,
      constraint fetched_pictures_key primary key (workspace_id, upload_id, url_hash)
    )`,
]

export const steps: readonly Step[] = [
  {
    name: 'tables',
    run: ({ db }) =>
      briefly(db, async (trx) => {
        for (const table of tables) await table.execute(trx)
        await sql`alter table change_set_rows add column if not exists kept json`.execute(trx)
        await sql`alter table change_set_queue add column if not exists
          line text not null default 'write'`.execute(trx)
      }),
  },
  {
    name: 'change_sets_time_index',
    run: ({ db }) =>
      buildIndex(db, 'change_sets_time_index', { table: 'change_sets', columns: '(created_at)' }),
  },
  {
    name: 'media_file_name_index',
    run: ({ db }) =>
      buildIndex(db, 'media_file_name_index', {
        table: 'media',
        columns: '(workspace_id, file_name)',
      }),
  },
]
