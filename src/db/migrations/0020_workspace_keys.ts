import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Step, StepContext } from '../migration.ts'
import { addForeignKey, briefly, buildIndex, requireColumn, throughBlocks } from '../online.ts'

/*
 * Every table of a workspace gets the workspace into its keys, so that it can be partitioned or
 * sharded by it. This part only adds. The build before goes on reading and writing: triggers fill in
 * what its statements do not know. 0024 takes away what it alone needs.
 */

/** Tables that had no workspace, and how it is found for a row `new`. */
const filled: Record<string, string> = {
  product_images: '(select workspace_id from products where id = new.product_id)',
  product_tags: '(select workspace_id from products where id = new.product_id)',
  collection_products: '(select workspace_id from collections where id = new.collection_id)',
  collection_tags: '(select workspace_id from collections where id = new.collection_id)',
  idempotency_records: `coalesce(new.path::jsonb ->> 'workspaceId', '')`,
}

/** The new key of each table; wallet entries are numbered, and threads are found by their token. */
const keys: Record<string, string> = {
  tags: '(workspace_id, id)',
  media: '(workspace_id, id)',
  products: '(workspace_id, id)',
  product_images: '(workspace_id, product_id, media_id)',
  product_tags: '(workspace_id, product_id, tag_id)',
  collections: '(workspace_id, id)',
  collection_products: '(workspace_id, collection_id, product_id)',
  collection_tags: '(workspace_id, collection_id, tag_id)',
  members: '(workspace_id, id)',
  media_uploads: '(workspace_id, token_hash)',
  customers: '(workspace_id, id)',
  customer_sessions: '(workspace_id, id)',
  threads: '(workspace_id, token_hash)',
  feedback: '(workspace_id, id)',
  wallet_entries: '(workspace_id, number)',
  reservations: '(workspace_id, id)',
  checkouts: '(workspace_id, id)',
  idempotency_records: '(workspace_id, connection_id, visitor, operation, path, key)',
}

const indexes = {
  products_workspace_slug_key: { table: 'products', columns: '(workspace_id, slug)', unique: true },
  customer_sessions_workspace_token_key: {
    table: 'customer_sessions',
    columns: '(workspace_id, token_hash)',
    unique: true,
  },
  product_images_workspace_media_index: {
    table: 'product_images',
    columns: '(workspace_id, media_id)',
  },
  product_tags_workspace_tag_index: {
    table: 'product_tags',
    columns: '(workspace_id, tag_id, product_id)',
  },
  collection_products_workspace_product_index: {
    table: 'collection_products',
    columns: '(workspace_id, product_id)',
  },
  collection_products_workspace_order_index: {
    table: 'collection_products',
    columns: '(workspace_id, collection_id, position, product_id)',
  },
  collection_tags_workspace_tag_index: {
    table: 'collection_tags',
    columns: '(workspace_id, tag_id)',
  },
  collections_workspace_image_index: {
    table: 'collections',
    columns: '(workspace_id, image_id)',
  },
  // An upload is found by its token alone, without a workspace.
  media_uploads_token_index: { table: 'media_uploads', columns: '(token_hash)' },
}

/** The rows that a link joins: each key takes the place of one without the workspace. */
const links = [
  { table: 'product_images', column: 'product_id', target: 'products' },
  { table: 'product_images', column: 'media_id', target: 'media' },
  { table: 'product_tags', column: 'product_id', target: 'products' },
  { table: 'product_tags', column: 'tag_id', target: 'tags' },
  { table: 'collection_products', column: 'collection_id', target: 'collections' },
  { table: 'collection_products', column: 'product_id', target: 'products' },
  { table: 'collection_tags', column: 'collection_id', target: 'collections' },
  { table: 'collection_tags', column: 'tag_id', target: 'tags' },
]

/** Triggers that count. This build counts in its statements; the build before relies on them. */
const counting: [table: string, trigger: string][] = [
  ['products', 'products_counted'],
  ['media', 'media_counted'],
  ['tags', 'rows_counted'],
  ['collections', 'rows_counted'],
  ['feedback', 'rows_of_list_counted'],
  ['product_images', 'media_used'],
  ['collections', 'media_used'],
  ['websites', 'media_used'],
]

export const steps: readonly Step[] = [
  ...Object.entries(filled).map(([table, workspace]) => ({
    name: `workspace of ${table}`,
    run: ({ db }: StepContext) => briefly(db, (trx) => addWorkspace(trx, table, workspace)),
  })),
  { name: 'slugs of products', run: ({ db }) => briefly(db, createSlugs) },
  { name: 'ids of threads', run: ({ db }) => briefly(db, makeThreadIds) },
  { name: 'workspaces of checkouts', run: ({ db }) => briefly(db, createCheckoutWorkspaces) },
  ...counting.map(([table, trigger]) => ({
    name: `${trigger} of ${table} for the build before`,
    run: ({ db }: StepContext) => briefly(db, (trx) => countForBuildBefore(trx, table, trigger)),
  })),
  ...Object.keys(filled).map((table) => ({
    name: `fill ${table}`,
    run: (context: StepContext) => fill(context, table),
  })),
  { name: 'fill product_slugs', run: fillSlugs },
  { name: 'fill checkout_workspaces', run: fillCheckoutWorkspaces },
  ...Object.keys(filled).map((table) => ({
    name: `require the workspace of ${table}`,
    run: ({ db }: StepContext) => requireColumn(db, table, 'workspace_id'),
  })),
  ...Object.entries(keys).map(([table, columns]) => ({
    name: `key of ${table}`,
    run: ({ db }: StepContext) =>
      buildIndex(db, `${table}_workspace_key`, { table, columns, unique: true }),
  })),
  ...Object.entries(indexes).map(([name, definition]) => ({
    name,
    run: ({ db }: StepContext) => buildIndex(db, name, definition),
  })),
  ...links.map(({ table, column, target }) => ({
    name: `${column} of ${table}`,
    run: ({ db }: StepContext) => replaceLink(db, table, column, target),
  })),
]

async function addWorkspace(trx: Kysely<unknown>, table: string, workspace: string): Promise<void> {
  await sql`alter table ${sql.table(table)} add column if not exists workspace_id text`.execute(trx)
  const name = sql.ref(`${table}_fill_workspace`)
  await sql`
    create or replace function ${name}() returns trigger language plpgsql as $$
    begin
      new.workspace_id := ${sql.raw(workspace)};
      return new;
    end $$`.execute(trx)
  await sql`
    create or replace trigger fill_workspace before insert or update on ${sql.table(table)}
      for each row when (new.workspace_id is null) execute function ${name}()`.execute(trx)
}

/** Slugs are unique in the whole service, so they have a table that no workspace divides. */
async function createSlugs(trx: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists product_slugs (
      slug text primary key,
      workspace_id text not null,
      product_id text not null
    )`.execute(trx)
  await sql`
    create or replace function keep_slug() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' then
        delete from product_slugs where slug = old.slug and product_id = old.id;
      else
        insert into product_slugs (slug, workspace_id, product_id)
        values (new.slug, new.workspace_id, new.id) on conflict do nothing;
      end if;
      return null;
    end $$`.execute(trx)
  await sql`
    create or replace trigger keep_slug after insert or update or delete on products
      for each row when (${fromBuildBefore}) execute function keep_slug()`.execute(trx)
}

/** This build knows a conversation by its token; the column goes when the build before is gone. */
async function makeThreadIds(trx: Kysely<unknown>): Promise<void> {
  await sql`
    alter table threads alter column id set default gen_random_uuid()::text`.execute(trx)
}

/** Payments name a checkout without its workspace. */
async function createCheckoutWorkspaces(trx: Kysely<unknown>): Promise<void> {
  await sql`
    create table if not exists checkout_workspaces (
      checkout_id text primary key,
      workspace_id text not null
    )`.execute(trx)
  await sql`
    create or replace function keep_checkout_workspace() returns trigger language plpgsql as $$
    begin
      insert into checkout_workspaces (checkout_id, workspace_id)
      values (new.id, new.workspace_id) on conflict do nothing;
      return null;
    end $$`.execute(trx)
  await sql`
    create or replace trigger keep_checkout_workspace after insert or update on checkouts
      for each row when (${fromBuildBefore}) execute function keep_checkout_workspace()`.execute(
    trx,
  )
}

/** Connections of this build declare that they maintain the counts themselves. */
const fromBuildBefore: RawBuilder<boolean> = sql`
  coalesce(current_setting('vitrine.counts', true), '') <> 'kept'`

async function countForBuildBefore(
  trx: Kysely<unknown>,
  table: string,
  trigger: string,
): Promise<void> {
  const { rows } = await sql<{ definition: string }>`
    select pg_get_triggerdef(oid) as definition from pg_trigger
    where tgrelid = ${table}::regclass and tgname = ${trigger} and tgqual is null`.execute(trx)
  const [before, after] = rows[0]?.definition.split(' EXECUTE ') ?? []
  if (before === undefined || after === undefined) return
  await sql`drop trigger ${sql.ref(trigger)} on ${sql.table(table)}`.execute(trx)
  await sql`${sql.raw(before)} when (${fromBuildBefore}) execute ${sql.raw(after)}`.execute(trx)
}

function fill(context: StepContext, table: string): Promise<void> {
  const workspace = sql.raw(filled[table]!.replaceAll('new.', `${table}.`))
  return throughBlocks(
    context,
    table,
    (range) => sql`update ${sql.table(table)} set workspace_id = ${workspace}
      where workspace_id is null and ${range}`,
  )
}

/** Locks the products, so that none is deleted after it was read and before its slug is inserted. */
function fillSlugs(context: StepContext): Promise<void> {
  return throughBlocks(
    context,
    'products',
    (range) => sql`insert into product_slugs (slug, workspace_id, product_id)
      select slug, workspace_id, id from products where ${range} for key share
      on conflict do nothing`,
  )
}

function fillCheckoutWorkspaces(context: StepContext): Promise<void> {
  return throughBlocks(
    context,
    'checkouts',
    (range) => sql`insert into checkout_workspaces (checkout_id, workspace_id)
      select id, workspace_id from checkouts where ${range} on conflict do nothing`,
  )
}

async function replaceLink(
  db: Kysely<unknown>,
  table: string,
  column: string,
  target: string,
): Promise<void> {
  await addForeignKey(
    db,
    table,
    `${table}_${column.replace('_id', '')}_fkey`,
    `(workspace_id, ${column}) references ${target} (workspace_id, id) on delete cascade`,
  )
  await briefly(db, async (trx) => {
    const before = sql.ref(`${table}_${column}_fkey`)
    await sql`alter table ${sql.table(table)} drop constraint if exists ${before}`.execute(trx)
  })
}
