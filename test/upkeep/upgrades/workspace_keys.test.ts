import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../../src/core/ids.ts'
import { migrate } from '../../../src/db/migrate.ts'
import type { Migrations } from '../../../src/db/migration.ts'
import { migrations } from '../../../src/generated/migrations.ts'
import { createDatabase, createEmptyDatabase, type TestDatabase } from '../../kit/database.ts'
import { restoreRelease } from '../../kit/release_dump.ts'

const opened: Kysely<unknown>[] = []
const databases = new Set<TestDatabase>()

function open(database: TestDatabase): Kysely<unknown> {
  const pool = new pg.Pool({ connectionString: database.url, max: 2 })
  pool.on('error', () => undefined)
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  opened.push(db)
  databases.add(database)
  return db
}

afterAll(async () => {
  for (const db of opened) await db.destroy()
  for (const database of databases) await database.drop()
})

/** Tables that say where something of a workspace lies, or whose it is: they are whole. */
const directories = [
  'product_slugs',
  'checkout_workspaces',
  'publishable_keys',
  'site_domains',
  'sub_domains',
]

async function tablesOfWorkspaces(db: Kysely<unknown>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and not c.relispartition and a.attname = 'workspace_id' order by 1`.execute(db)
  return rows.map(({ name }) => name).filter((name) => !directories.includes(name))
}

describe('the schema', () => {
  test('lets every table of a workspace be partitioned by it', async () => {
    const db = open(await createDatabase())
    const tables = await tablesOfWorkspaces(db)
    expect(tables).toHaveLength(52)
    for (const table of tables)
      await sql`create table ${sql.table(`${table}_divided`)}
        (like ${sql.table(table)} including all) partition by hash (workspace_id)`.execute(db)
  })

  test('leaves no trigger and no foreign key between workspaces and the whole service', async () => {
    const db = open(await createDatabase())
    const { rows } = await sql<{ name: string }>`
      select conrelid::regclass || ' ' || conname as name from pg_constraint
      where contype = 'f' and confrelid = any(array['workspaces', 'accounts']::regclass[])
        and conrelid = any(array['products', 'media', 'tags', 'collections', 'customers', 'threads',
          'feedback', 'wallets', 'wallet_entries', 'reservations', 'checkouts', 'visits',
          'visitor_quotas', 'usage_events', 'usage_days']::regclass[])
      union all
      select tgrelid::regclass || ' ' || tgname from pg_trigger
      where not tgisinternal and tgrelid = any(array['products', 'media', 'tags', 'collections',
        'product_images', 'feedback', 'checkouts', 'usage_events']::regclass[])`.execute(db)
    expect(rows).toEqual([])
  })
})

/** A migration whose step fails once it has done its work, as if the process had been killed. */
function killedAfter(name: string, step: number): Migrations {
  const migration = migrations[name]!
  if (!('steps' in migration)) throw new Error(`${name} has no steps.`)
  const steps = migration.steps.map((each, index) => {
    if (index !== step) return each
    const run: typeof each.run = async (context) => {
      await each.run(context)
      throw new Error('killed')
    }
    return { ...each, run }
  })
  return { ...migrations, [name]: { ...migration, steps } }
}

/** What the build before does: it knows neither workspaces of links nor the directory of slugs. */
async function writeAsBuildBefore(db: Kysely<unknown>): Promise<void> {
  const [kept, gone] = [newId('prod'), newId('prod')]
  await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ workspace: string; image: string; tag: string; set: string }>`
      select m.workspace_id as workspace, m.id as image,
        (select t.id from tags t where t.workspace_id = m.workspace_id limit 1) as tag,
        (select c.id from collections c where c.workspace_id = m.workspace_id limit 1) as set
      from media m
      where exists (select from collections c where c.workspace_id = m.workspace_id)
      order by m.id limit 1`.execute(trx)
    const { workspace, image, tag, set } = rows[0]!
    for (const id of [kept, gone]) {
      await sql`insert into products (id, workspace_id, name, brand, slug, description, information,
          sales, sku, barcode, stock, status, name_key, sku_key, barcode_key, search, created_at,
          updated_at)
        values (${id}, ${workspace}, ${id}, '', ${id}, '', '', '[]', ${id}, ${id}, 0, 'ACTIVE',
          sha256(${id}), sha256(${id}), sha256(${id}), ${id}, now(), now())`.execute(trx)
      await sql`insert into product_images (product_id, media_id, position)
        values (${id}, ${image}, 0)`.execute(trx)
      await sql`insert into product_tags (product_id, tag_id, position)
        values (${id}, ${tag}, 0)`.execute(trx)
      await sql`insert into collection_products (collection_id, product_id, position)
        values (${set}, ${id}, 0)`.execute(trx)
    }
  })
  await sql`delete from products where id = ${gone}`.execute(db)
  await sql`update products set status = 'INACTIVE' where id = ${kept}`.execute(db)
}

/** Every rule of the schema, in the words of PostgreSQL. */
async function rulesOf(db: Kysely<unknown>): Promise<string[]> {
  const { rows } = await sql<{ rule: string }>`
    select indexdef as rule from pg_indexes where schemaname = 'public'
    union all
    select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) || convalidated
    from pg_constraint where connamespace = 'public'::regnamespace
    union all
    select tgrelid::regclass || ' ' || pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
    union all
    select proname from pg_proc where pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
    union all
    select attrelid::regclass || ' ' || attname || ' ' || attnotnull from pg_attribute
    where attrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace
      and relkind in ('r', 'p')) and attnum > 0 and not attisdropped`.execute(db)
  // Months differ with the events of the release and the day of the test.
  const rules = rows.map(({ rule }) => rule).filter((rule) => !/usage_events_\d{4}/.test(rule))
  return rules.toSorted()
}

/** Rows whose copy in a directory or a counter is not what it should be. */
async function wrongRows(db: Kysely<unknown>): Promise<unknown[]> {
  const { rows } = await sql`
    select 'slug' as what, slug from products p full join product_slugs s using (slug)
    where p.id is distinct from s.product_id or p.workspace_id is distinct from s.workspace_id
    union all
    select 'image', media_id from product_images i join products p on p.id = i.product_id
    where i.workspace_id is distinct from p.workspace_id
    union all
    select 'checkout', id from checkouts c full join checkout_workspaces w on w.checkout_id = c.id
    where c.workspace_id is distinct from w.workspace_id
    union all
    select 'record', path from idempotency_records
    where workspace_id <> coalesce(path::jsonb ->> 'workspaceId', '')
    union all
    select 'tags', id from products p where tag_ids <>
      array(select l.tag_id from product_tags l where l.product_id = p.id order by l.position)
    union all
    select 'uses', id from media m where usage_count <>
      (select count(*) from product_images where media_id = m.id)
      + (select count(*) from collections where image_id = m.id)
      + (select count(*) from websites where logo_image_id = m.id)
    union all
    select 'active', w.id from workspaces w where
      (select count(*) from products p where p.workspace_id = w.id and p.status = 'ACTIVE') <>
      (select coalesce(sum(products_active), 0) from catalogue_counters c
        where c.workspace_id = w.id)
    union all
    select 'inactive', w.id from workspaces w where
      (select count(*) from products p where p.workspace_id = w.id and p.status = 'INACTIVE') <>
      (select coalesce(sum(products_inactive), 0) from catalogue_counters c
        where c.workspace_id = w.id)`.execute(db)
  return rows
}

describe('the migration of a database that the release ran on', () => {
  let database: TestDatabase
  let db: Kysely<unknown>
  let buildBefore: Kysely<unknown>
  beforeAll(async () => {
    database = await createEmptyDatabase()
    buildBefore = open(database)
    db = open(database)
    await restoreRelease(database.url)
  })

  const stepsOf = (name: string) => {
    const migration = migrations[name]!
    return 'steps' in migration ? migration.steps.map((_, index) => index) : []
  }
  const environment = 'development' as const
  const endsBuildBefore = (name: string) => 'endsBuildBefore' in migrations[name]!
  const stepped = Object.keys(migrations).filter((name) => 'steps' in migrations[name]!)

  test('resumes after a kill at every step, while the build before writes', async () => {
    await writeAsBuildBefore(buildBefore)
    for (const name of stepped.filter((each) => !endsBuildBefore(each)))
      for (const step of stepsOf(name)) {
        const attempt = migrate(db, { environment, migrations: killedAfter(name, step) })
        await expect(attempt).rejects.toThrow('continues at the next start: killed')
        await writeAsBuildBefore(buildBefore)
      }
    await migrate(db, { environment })
    await writeAsBuildBefore(buildBefore)
    expect(await wrongRows(db)).toEqual([])
  })

  test('resumes after a kill at every step that takes away what the build before needed', async () => {
    for (const name of stepped.filter(endsBuildBefore))
      for (const step of stepsOf(name)) {
        const killed = killedAfter(name, step)
        const attempt = migrate(db, { environment, migrations: killed, isAlone: true })
        await expect(attempt).rejects.toThrow('continues at the next start: killed')
      }
    await migrate(db, { environment, isAlone: true })
    expect(await wrongRows(db)).toEqual([])
  })

  test('ends in the schema of a new database', async () => {
    const fresh = open(await createDatabase())
    expect(await rulesOf(db)).toEqual(await rulesOf(fresh))
  })
})
