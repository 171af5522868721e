import { type Kysely, sql } from 'kysely'

/**
 * What happens on the pages of shops, as numbers of a day: how often a page was read, which searches found
 * nothing, from where people came and where they went on to. Visitors are told apart within a day alone,
 * by a hash whose salt is dropped after it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table site_counts (
      workspace_id text not null,
      day date not null,
      kind text not null,
      name text not null,
      count bigint not null,
      constraint site_counts_key primary key (workspace_id, day, kind, name),
      constraint site_counts_kind_check check
        (kind in ('visitor', 'product', 'page', 'click', 'shop', 'referrer', 'missed'))
    )`.execute(db)
  await sql`
    create table site_visitors (
      day date not null,
      workspace_id text not null,
      visitor bytea not null,
      constraint site_visitors_key primary key (day, workspace_id, visitor)
    )`.execute(db)
  await sql`
    create table site_salts (
      day date not null,
      salt bytea not null,
      constraint site_salts_key primary key (day)
    )`.execute(db)
}
