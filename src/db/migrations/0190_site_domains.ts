import { type Kysely, sql } from 'kysely'

/**
 * Shops' own domains for their pages. A domain is found before its workspace is known, so the table stays
 * whole on a distributed database. Several workspaces may claim a name; the first index ensures that only
 * one gets it, the second that a shop has one address.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table site_domains (
      id text not null,
      workspace_id text not null,
      name text not null,
      token text not null,
      is_primary boolean not null default false,
      problem text,
      checked_at timestamptz,
      verified_at timestamptz,
      created_at timestamptz not null,
      constraint site_domains_key primary key (id),
      constraint site_domains_workspace_fkey foreign key (workspace_id) references workspaces,
      constraint site_domains_workspace_name_key unique (workspace_id, name),
      constraint site_domains_primary_check check (not is_primary or verified_at is not null)
    )`.execute(db)
  await sql`
    create unique index site_domains_verified_key
      on site_domains (name) where verified_at is not null`.execute(db)
  await sql`
    create unique index site_domains_primary_key on site_domains (workspace_id) where is_primary`.execute(
    db,
  )
}
