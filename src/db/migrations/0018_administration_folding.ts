import { type Kysely, sql } from 'kysely'

/** What staff can search, in the text that each list compares. */
const searched = {
  accounts: `id || ' ' || email || ' ' || name`,
  workspaces: `id || ' ' || name || ' ' || sub_domain || ' ' || billing_email`,
  integration_sources: `id || ' ' || identity || ' ' || name`,
  contact_requests: `id || ' ' || email || ' ' || name`,
  audit_entries: `staff_email || ' ' || action || ' ' || subject_id`,
}

/**
 * Folds text as the catalogue's search does. PostgreSQL maps letters one to one, so ß is written
 * out, and letters are taken apart first, which frees the dot of İ and the Greek subscript iota.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function administration_text(value text) returns text
      language sql immutable strict parallel safe as $$
      select replace(replace(replace(
        normalize(lower(upper(lower(normalize(value, NFKD)))), NFKC),
        'ß', 'ss'), U&'i\\0307', 'i'), 'ς', 'σ')
    $$`.execute(db)
  for (const [table, text] of Object.entries(searched)) await foldAgain(db, table, text)
  // Totals that were counted with the old folding are no longer true.
  await sql`update row_counters set changes = changes + 1
    where counted in (${sql.join(Object.keys(searched))})`.execute(db)
}

/** A stored column keeps what the old function made of it, so it is made anew, with its index. */
async function foldAgain(db: Kysely<unknown>, table: string, text: string): Promise<void> {
  await sql`alter table ${sql.table(table)} drop column search`.execute(db)
  await sql`
    alter table ${sql.table(table)} add column search text not null
      generated always as (administration_text(${sql.raw(text)})) stored`.execute(db)
  await sql`
    create index ${sql.ref(`${table}_search_index`)} on ${sql.table(table)}
      using gin (search gin_trgm_ops) with (fastupdate = off)`.execute(db)
}
