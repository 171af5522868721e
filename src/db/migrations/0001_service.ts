import { sql, type Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create extension if not exists pg_trgm`.execute(db)
  await sql`
    create table service_stamps (
      name text constraint service_stamps_pkey primary key,
      value text not null,
      stamped_at timestamptz not null default now()
    )`.execute(db)
}
