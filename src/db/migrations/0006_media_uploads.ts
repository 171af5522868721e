import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // The connection is a key, a grant or a session: looked up when the bytes come, perhaps gone then.
  await sql`
    create table media_uploads (
      token_hash bytea primary key,
      workspace_id text not null references workspaces on delete cascade,
      account_id text not null references accounts on delete cascade,
      connection_id text not null,
      file_name text not null,
      mime_type text not null,
      size_bytes integer not null,
      expires_at timestamptz not null,
      used_at timestamptz
    )`.execute(db)
  await sql`create index media_uploads_expires_at_index on media_uploads (expires_at)`.execute(db)
  await sql`create index media_uploads_workspace_index on media_uploads (workspace_id)`.execute(db)
  await sql`create index media_uploads_account_index on media_uploads (account_id)`.execute(db)
}
