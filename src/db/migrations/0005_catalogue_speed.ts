import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await keepSearchesQuick(db)
  await countChanges(db)
  await countMediaOnce(db)
}

/**
 * Turns off the list of pending entries: every search would have to read it until a vacuum merges it, and
 * would get slower with every write.
 */
async function keepSearchesQuick(db: Kysely<unknown>): Promise<void> {
  for (const table of ['products', 'collections', 'tags', 'media']) {
    const index = `${table}_search_index`
    await sql`alter index ${sql.ref(index)} set (fastupdate = off)`.execute(db)
    await sql`select gin_clean_pending_list(${index}::regclass)`.execute(db)
  }
}

/**
 * Every change of a product, its tags or its collections increments the row of counters that its connection
 * writes to. The sum of the rows identifies the state of the catalogue: a total counted under a sum stays
 * valid as long as the sum does.
 */
async function countChanges(db: Kysely<unknown>): Promise<void> {
  await sql`alter table catalogue_counters add column changes bigint not null default 0`.execute(db)
  await sql`
    create or replace function products_counted() returns trigger language plpgsql as $$
    declare
      workspace text := case when tg_op = 'INSERT' then new.workspace_id else old.workspace_id end;
      active integer := 0;
      inactive integer := 0;
      deleted integer := 0;
      out_of_stock integer := 0;
    begin
      if tg_op <> 'INSERT' then
        active := active - (old.status = 'ACTIVE')::integer;
        inactive := inactive - (old.status = 'INACTIVE')::integer;
        deleted := deleted - (old.status = 'DELETED')::integer;
        out_of_stock := out_of_stock - (old.status <> 'DELETED' and old.stock = 0)::integer;
      end if;
      if tg_op <> 'DELETE' then
        active := active + (new.status = 'ACTIVE')::integer;
        inactive := inactive + (new.status = 'INACTIVE')::integer;
        deleted := deleted + (new.status = 'DELETED')::integer;
        out_of_stock := out_of_stock + (new.status <> 'DELETED' and new.stock = 0)::integer;
      end if;
      insert into catalogue_counters as c (workspace_id, slot, products_active,
        products_inactive, products_deleted, products_out_of_stock, changes)
      values (workspace, pg_backend_pid() % 64, active, inactive, deleted, out_of_stock, 1)
      on conflict (workspace_id, slot) do update set
        products_active = c.products_active + excluded.products_active,
        products_inactive = c.products_inactive + excluded.products_inactive,
        products_deleted = c.products_deleted + excluded.products_deleted,
        products_out_of_stock = c.products_out_of_stock + excluded.products_out_of_stock,
        changes = c.changes + 1;
      return null;
    end $$`.execute(db)
  await sql`drop function count_product`.execute(db)

  await sql`
    create or replace function rows_counted() returns trigger language plpgsql as $$
    declare
      workspace text := case when tg_op = 'INSERT' then new.workspace_id else old.workspace_id end;
      delta integer := case tg_op when 'INSERT' then 1 when 'DELETE' then -1 else 0 end;
    begin
      insert into catalogue_counters as c (workspace_id, slot, tags_total, collections_total,
        changes)
      values (workspace, pg_backend_pid() % 64,
        case when tg_table_name = 'tags' then delta else 0 end,
        case when tg_table_name = 'collections' then delta else 0 end, 1)
      on conflict (workspace_id, slot) do update set
        tags_total = c.tags_total + excluded.tags_total,
        collections_total = c.collections_total + excluded.collections_total,
        changes = c.changes + 1;
      return null;
    end $$`.execute(db)
  // A write that adds a product to a collection or removes it also touches the collection.
  await sql`drop trigger rows_counted on collections`.execute(db)
  await sql`
    create constraint trigger rows_counted after insert or update or delete on collections
      deferrable initially deferred for each row execute function rows_counted()`.execute(db)
}

/** Most uses of an image change no counter of the workspace; its row is then left alone. */
async function countMediaOnce(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function media_counted() returns trigger language plpgsql as $$
    declare
      workspace text := case when tg_op = 'INSERT' then new.workspace_id else old.workspace_id end;
      total integer := 0;
      linked integer := 0;
      multi_linked integer := 0;
    begin
      if tg_op <> 'INSERT' then
        total := total - 1;
        linked := linked - (old.usage_count >= 1)::integer;
        multi_linked := multi_linked - (old.usage_count >= 2)::integer;
      end if;
      if tg_op <> 'DELETE' then
        total := total + 1;
        linked := linked + (new.usage_count >= 1)::integer;
        multi_linked := multi_linked + (new.usage_count >= 2)::integer;
      end if;
      if total = 0 and linked = 0 and multi_linked = 0 then return null; end if;
      insert into catalogue_counters as c (workspace_id, slot, media_total, media_linked,
        media_multi_linked)
      values (workspace, pg_backend_pid() % 64, total, linked, multi_linked)
      on conflict (workspace_id, slot) do update set
        media_total = c.media_total + excluded.media_total,
        media_linked = c.media_linked + excluded.media_linked,
        media_multi_linked = c.media_multi_linked + excluded.media_multi_linked;
      return null;
    end $$`.execute(db)
  await sql`drop function count_media`.execute(db)
}
