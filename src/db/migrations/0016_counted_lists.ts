import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await keepSearchesQuick(db)
  await countChanges(db)
  await countFeedback(db)
}

/** As for the catalogue: no list of pending entries, which every search would have to read. */
async function keepSearchesQuick(db: Kysely<unknown>): Promise<void> {
  const lists = ['accounts', 'workspaces', 'integration_sources', 'contact_requests']
  for (const table of [...lists, 'audit_entries']) {
    const index = `${table}_search_index`
    await sql`alter index ${sql.ref(index)} set (fastupdate = off)`.execute(db)
    await sql`select gin_clean_pending_list(${index}::regclass)`.execute(db)
  }
}

/**
 * Every change that a search may find increments a counter. The sum identifies the state of a list: a total
 * counted under a sum stays valid as long as the sum does.
 */
async function countChanges(db: Kysely<unknown>): Promise<void> {
  await sql`alter table row_counters add column changes bigint not null default 0`.execute(db)
  await sql`
    create or replace function rows_of_list_counted() returns trigger language plpgsql as $$
    declare
      counted text := tg_table_name;
      delta integer := case tg_op when 'INSERT' then 1 when 'DELETE' then -1 else 0 end;
    begin
      if tg_nargs > 0 then
        counted := (case when tg_op = 'INSERT' then to_jsonb(new) else to_jsonb(old) end)
          ->> tg_argv[0];
      end if;
      insert into row_counters as c (counted, slot, total, changes)
      values (counted, pg_backend_pid() % 64, delta, 1)
      on conflict on constraint row_counters_key do update
        set total = c.total + excluded.total, changes = c.changes + 1;
      return null;
    end $$`.execute(db)
  const searched = {
    accounts: ['email', 'name'],
    workspaces: ['name', 'sub_domain', 'billing_email'],
    integration_sources: ['identity', 'name'],
  }
  for (const [table, columns] of Object.entries(searched))
    await sql`
      create constraint trigger rows_of_list_changed
        after update of ${sql.join(columns.map((column) => sql.ref(column)))}
        on ${sql.table(table)} deferrable initially deferred
        for each row execute function rows_of_list_counted()`.execute(db)
}

/** The feedback of a workspace is counted under its id. */
async function countFeedback(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert into row_counters (counted, slot, total)
    select workspace_id, 0, count(*) from feedback group by workspace_id`.execute(db)
  await sql`
    create constraint trigger rows_of_list_counted after insert or delete on feedback
      deferrable initially deferred
      for each row execute function rows_of_list_counted('workspace_id')`.execute(db)
}
