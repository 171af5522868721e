import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create extension if not exists btree_gin`.execute(db)
  await createTables(db)
  await createIndexes(db)
  await createCounters(db)
}

async function createTables(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table tags (
      id text primary key,
      workspace_id text not null references workspaces on delete cascade,
      name text not null,
      search text not null,
      created_at timestamptz not null,
      updated_at timestamptz not null
    )`.execute(db)

  await sql`
    create table media (
      id text primary key,
      workspace_id text not null references workspaces on delete cascade,
      file_name text not null,
      mime_type text not null,
      size_bytes integer not null,
      content_hash text not null,
      extension text not null,
      usage_count integer not null default 0,
      search text not null,
      created_at timestamptz not null
    )`.execute(db)

  // The keys are hashes of the normalised values: a name may be longer than an index entry.
  await sql`
    create table products (
      id text primary key,
      workspace_id text not null references workspaces on delete cascade,
      name text not null,
      brand text not null,
      slug text not null,
      description text not null,
      information text not null,
      sales json not null,
      sku text not null,
      barcode text not null,
      stock integer not null,
      status text not null,
      name_key bytea not null,
      sku_key bytea not null,
      barcode_key bytea not null,
      search text not null,
      questions json,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      constraint products_slug_key unique (slug),
      constraint products_stock_check check (stock between 0 and 999999),
      constraint products_status_check check (status in ('ACTIVE', 'INACTIVE', 'DELETED'))
    )`.execute(db)

  await sql`
    create table product_images (
      product_id text not null references products on delete cascade,
      media_id text not null references media on delete cascade,
      position integer not null,
      primary key (product_id, media_id)
    )`.execute(db)
  await sql`
    create table product_tags (
      product_id text not null references products on delete cascade,
      tag_id text not null references tags on delete cascade,
      position integer not null,
      primary key (product_id, tag_id)
    )`.execute(db)

  await sql`
    create table collections (
      id text primary key,
      workspace_id text not null references workspaces on delete cascade,
      name text not null,
      slug text not null,
      description text not null,
      image_id text references media on delete set null,
      search text not null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      constraint collections_workspace_slug_key unique (workspace_id, slug)
    )`.execute(db)
  await sql`
    create table collection_products (
      collection_id text not null references collections on delete cascade,
      product_id text not null references products on delete cascade,
      position integer not null,
      primary key (collection_id, product_id)
    )`.execute(db)
  await sql`
    create table collection_tags (
      collection_id text not null references collections on delete cascade,
      tag_id text not null references tags on delete cascade,
      position integer not null,
      primary key (collection_id, tag_id)
    )`.execute(db)

  await sql`
    alter table websites add constraint websites_logo_image_fkey
      foreign key (logo_image_id) references media on delete set null`.execute(db)
  await sql`
    alter table workspaces
      add column question_library json not null default '[]',
      add column ai_fast_enabled boolean not null default true,
      add column ai_comprehensive_enabled boolean not null default true,
      add column ai_sector text not null default 'AUTO'`.execute(db)
}

async function createIndexes(db: Kysely<unknown>): Promise<void> {
  for (const field of ['name', 'sku', 'barcode']) {
    const index = sql.ref(`products_workspace_${field}_key`)
    await sql`
      create unique index ${index} on products (workspace_id, ${sql.ref(`${field}_key`)})
        where status <> 'DELETED'`.execute(db)
  }
  const indexes = [
    sql`create index products_created_index on products (workspace_id, created_at, id)`,
    sql`create index products_status_index on products (workspace_id, status, created_at, id)`,
    sql`create index products_name_index on products (workspace_id, name, id)`,
    sql`create index products_stock_index on products (workspace_id, stock, id)`,
    sql`create index products_search_index on products using gin (workspace_id, search gin_trgm_ops)`,
    sql`create index collections_created_index on collections (workspace_id, created_at, id)`,
    sql`create index collections_search_index on collections
      using gin (workspace_id, search gin_trgm_ops)`,
    sql`create index tags_name_index on tags (workspace_id, name, id)`,
    sql`create index tags_search_index on tags using gin (workspace_id, search gin_trgm_ops)`,
    sql`create index media_created_index on media (workspace_id, created_at, id)`,
    sql`create index media_search_index on media using gin (workspace_id, search gin_trgm_ops)`,
    sql`create index media_content_index on media (workspace_id, content_hash)`,
    sql`create index product_images_media_index on product_images (media_id)`,
    sql`create index product_tags_tag_index on product_tags (tag_id, product_id)`,
    sql`create index collection_products_product_index on collection_products (product_id)`,
    sql`create index collection_products_order_index
      on collection_products (collection_id, position, product_id)`,
    sql`create index collection_tags_tag_index on collection_tags (tag_id)`,
    sql`create index collections_image_index on collections (image_id)`,
    sql`create index websites_logo_image_index on websites (logo_image_id)`,
  ]
  for (const index of indexes) await index.execute(db)
}

/**
 * Counters are maintained by the write that changes them. A workspace has 64 rows of them, of which a
 * connection writes to one, so writers of one workspace rarely meet; readers add them up.
 */
async function createCounters(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table catalogue_counters (
      workspace_id text not null,
      slot integer not null,
      products_active bigint not null default 0,
      products_inactive bigint not null default 0,
      products_deleted bigint not null default 0,
      products_out_of_stock bigint not null default 0,
      media_total bigint not null default 0,
      media_linked bigint not null default 0,
      media_multi_linked bigint not null default 0,
      tags_total bigint not null default 0,
      collections_total bigint not null default 0,
      primary key (workspace_id, slot)
    )`.execute(db)

  await sql`
    create function count_product(workspace text, status text, stock integer, delta integer)
      returns void language sql as $$
      insert into catalogue_counters as c (workspace_id, slot, products_active,
        products_inactive, products_deleted, products_out_of_stock)
      values (workspace, pg_backend_pid() % 64,
        case when status = 'ACTIVE' then delta else 0 end,
        case when status = 'INACTIVE' then delta else 0 end,
        case when status = 'DELETED' then delta else 0 end,
        case when status <> 'DELETED' and stock = 0 then delta else 0 end)
      on conflict (workspace_id, slot) do update set
        products_active = c.products_active + excluded.products_active,
        products_inactive = c.products_inactive + excluded.products_inactive,
        products_deleted = c.products_deleted + excluded.products_deleted,
        products_out_of_stock = c.products_out_of_stock + excluded.products_out_of_stock
    $$`.execute(db)
  await sql`
    create function products_counted() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' and old.status = new.status and (old.stock = 0) = (new.stock = 0) then
        return null;
      end if;
      if tg_op <> 'INSERT' then
        perform count_product(old.workspace_id, old.status, old.stock, -1);
      end if;
      if tg_op <> 'DELETE' then
        perform count_product(new.workspace_id, new.status, new.stock, 1);
      end if;
      return null;
    end $$`.execute(db)
  await sql`
    create constraint trigger products_counted after insert or update or delete on products
      deferrable initially deferred for each row execute function products_counted()`.execute(db)

  await sql`
    create function count_media(workspace text, uses integer, delta integer)
      returns void language sql as $$
      insert into catalogue_counters as c (workspace_id, slot, media_total, media_linked,
        media_multi_linked)
      values (workspace, pg_backend_pid() % 64, delta,
        case when uses >= 1 then delta else 0 end, case when uses >= 2 then delta else 0 end)
      on conflict (workspace_id, slot) do update set
        media_total = c.media_total + excluded.media_total,
        media_linked = c.media_linked + excluded.media_linked,
        media_multi_linked = c.media_multi_linked + excluded.media_multi_linked
    $$`.execute(db)
  await sql`
    create function media_counted() returns trigger language plpgsql as $$
    begin
      if tg_op <> 'INSERT' then perform count_media(old.workspace_id, old.usage_count, -1); end if;
      if tg_op <> 'DELETE' then perform count_media(new.workspace_id, new.usage_count, 1); end if;
      return null;
    end $$`.execute(db)
  await sql`
    create constraint trigger media_counted after insert or update of usage_count or delete on media
      deferrable initially deferred for each row execute function media_counted()`.execute(db)

  await sql`
    create function rows_counted() returns trigger language plpgsql as $$
    declare
      workspace text := case when tg_op = 'INSERT' then new.workspace_id else old.workspace_id end;
      delta integer := case when tg_op = 'INSERT' then 1 else -1 end;
    begin
      insert into catalogue_counters as c (workspace_id, slot, tags_total, collections_total)
      values (workspace, pg_backend_pid() % 64,
        case when tg_table_name = 'tags' then delta else 0 end,
        case when tg_table_name = 'collections' then delta else 0 end)
      on conflict (workspace_id, slot) do update set
        tags_total = c.tags_total + excluded.tags_total,
        collections_total = c.collections_total + excluded.collections_total;
      return null;
    end $$`.execute(db)
  for (const table of ['tags', 'collections'])
    await sql`
      create constraint trigger rows_counted after insert or delete on ${sql.ref(table)}
        deferrable initially deferred for each row execute function rows_counted()`.execute(db)

  // Users of an image refer to it by a column; the image counts them.
  await sql`
    create function media_used() returns trigger language plpgsql as $$
    declare
      before text;
      after text;
    begin
      if tg_op <> 'INSERT' then before := to_jsonb(old) ->> tg_argv[0]; end if;
      if tg_op <> 'DELETE' then after := to_jsonb(new) ->> tg_argv[0]; end if;
      if before is not distinct from after then return null; end if;
      if before is not null then
        update media set usage_count = usage_count - 1 where id = before;
      end if;
      if after is not null then
        update media set usage_count = usage_count + 1 where id = after;
      end if;
      return null;
    end $$`.execute(db)
  const users = { product_images: 'media_id', collections: 'image_id', websites: 'logo_image_id' }
  for (const [table, column] of Object.entries(users)) {
    const name = sql.lit(column)
    await sql`
      create trigger media_used after insert or update of ${sql.ref(column)} or delete
        on ${sql.ref(table)} for each row execute function media_used(${name})`.execute(db)
  }
}
