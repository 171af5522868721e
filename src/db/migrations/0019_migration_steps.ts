import { type Kysely, sql } from 'kysely'

/** How far the steps of later migrations are. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table service_migration_steps (
      migration text not null,
      step text not null,
      position bigint not null default 0,
      done boolean not null default false,
      primary key (migration, step)
    )`.execute(db)
}
