import { sql, type Kysely } from 'kysely'

/** What workspaces cost by the minute, for operators; kept for two days. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table workspace_costs (
      minute timestamptz not null,
      workspace_id text not null,
      calls bigint not null,
      milliseconds double precision not null,
      database_milliseconds double precision not null,
      wait_milliseconds double precision not null,
      bytes bigint not null,
      constraint workspace_costs_pkey primary key (minute, workspace_id)
    )`.execute(db)
}
