import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connect, type Connection } from '../../../src/db/connect.ts'
import { migrate } from '../../../src/db/migrate.ts'
import { recount } from '../../../src/queries/upkeep/recount.ts'
import { expectRightCounts } from '../../catalogue/catalogue_counts.ts'
import { givenShop, productBody } from '../../kit/catalogue.ts'
import { createDatabase, createEmptyDatabase, type TestDatabase } from '../../kit/database.ts'
import { all, tally } from '../../kit/races.ts'
import { restoreRelease } from '../../kit/release_dump.ts'
import { startService } from '../../kit/service.ts'

describe('a recount', () => {
  let database: TestDatabase
  let connection: Connection
  /** A workspace with rows of every kind. */
  let shop: string
  beforeAll(async () => {
    database = await createEmptyDatabase()
    await restoreRelease(database.url)
    connection = connect(database.url, { max: 2, patient: true })
    const db = connection.db as unknown as Kysely<unknown>
    await migrate(db, { environment: 'development', isAlone: true })
    const { rows } = await sql<{ id: string }>`
      select workspace_id as id from checkouts order by 1 limit 1`.execute(db)
    shop = rows[0]!.id
  })
  afterAll(async () => {
    await connection.close()
    await database.drop()
  })

  async function mend(onlyWorkspaceId?: string): Promise<string[]> {
    const lines: string[] = []
    const mended = await recount(connection.db, (line) => lines.push(line), { onlyWorkspaceId })
    expect(mended).toBe(lines.length)
    return lines
  }

  const one = async (query: ReturnType<typeof sql>) =>
    Object.values((await query.execute(connection.db)).rows[0] as object)[0] as never

  test('changes nothing where all is right', async () => {
    const state = sql`
      select (select json_agg(c order by c) from catalogue_counters c)::text
        || (select json_agg(c order by c.counted, c.slot) from row_counters c)::text
        || (select json_agg(d order by d) from usage_days d)::text
        || (select json_agg(p order by p) from usage_people p)::text
        || (select json_agg(s order by s) from product_slugs s)::text
        || (select json_agg(w order by w) from checkout_workspaces w)::text
        || (select json_agg(m.usage_count order by m.id) from media m)::text
        || (select json_agg(p.tag_ids order by p.id) from products p)::text as state`
    const before = await one(state)
    expect(await mend()).toEqual([])
    expect(await one(state)).toBe(before)
  })

  const counters = [
    'products_active',
    'products_inactive',
    'products_deleted',
    'products_out_of_stock',
    'media_total',
    'media_linked',
    'media_multi_linked',
    'tags_total',
    'collections_total',
  ]
  test.each(counters)('finds and mends a wrong %s', async (counter) => {
    const sum = sql`select sum(${sql.ref(counter)})::bigint from catalogue_counters
      where workspace_id = ${shop}`
    const right: number = await one(sum)
    await sql`update catalogue_counters set ${sql.ref(counter)} = ${sql.ref(counter)} + 3
      where workspace_id = ${shop}
        and slot = (select min(slot) from catalogue_counters where workspace_id = ${shop})
      `.execute(connection.db)
    expect(await mend()).toEqual([`${shop}: ${counter} was ${right + 3}, is ${right}`])
    expect(await one(sum)).toBe(right)
    expect(await mend()).toEqual([])
  })

  test('mends the uses of an image, and the counters that follow from them', async () => {
    const id: string = await one(sql`select id from media
      where workspace_id = ${shop} and usage_count = 1 order by id limit 1`)
    await sql`update media set usage_count = 0 where id = ${id}`.execute(connection.db)
    expect(await mend()).toEqual([`${shop}: uses of ${id} were 0, are 1`])
    expect(await mend()).toEqual([])
  })

  test('claims slugs that are missing or point at no product of that name', async () => {
    const { rows } = await sql<{ id: string; slug: string }>`
      select id, slug from products where workspace_id = ${shop} order by id limit 2
      `.execute(connection.db)
    const [missing, stale] = [rows[0]!, rows[1]!]
    await sql`delete from product_slugs where slug = ${missing.slug}`.execute(connection.db)
    await sql`update product_slugs set product_id = 'prod_gone'
      where slug = ${stale.slug}`.execute(connection.db)
    expect(await mend()).toEqual(
      rows.map(({ id, slug }) => `${shop}: slug ${slug} of ${id} is claimed`),
    )
    expect(await mend()).toEqual([])
  })

  test('copies the tags of a product again, but for one that was deleted', async () => {
    const { rows } = await sql<{ id: string }>`
      select id from products where workspace_id = ${shop} and cardinality(tag_ids) > 0
      order by id limit 2`.execute(connection.db)
    const [stale, fine] = rows
    await sql`update products set tag_ids = '{}' where id = ${stale!.id}`.execute(connection.db)
    await sql`update products set tag_ids = array_append(tag_ids, 'tag_deleted')
      where id = ${fine!.id}`.execute(connection.db)
    expect(await mend()).toEqual([`${shop}: tags of ${stale!.id} are copied again`])
    expect(await mend()).toEqual([])
  })

  test('finds a checkout again that no payment would be booked for', async () => {
    const id: string = await one(sql`
      delete from checkout_workspaces where checkout_id not in (select checkout_id from payment_intents)
        and checkout_id = (select max(id) from checkouts c where workspace_id = ${shop}
          and not exists (select from payment_intents i where i.checkout_id = c.id))
      returning checkout_id`)
    expect(await mend()).toEqual([`${shop}: checkout ${id} is found again`])
    expect(await mend()).toEqual([])
  })

  test('mends lists of the service, connections of a source and feedback', async () => {
    const source: string = await one(sql`select source_id from api_keys order by id limit 1`)
    for (const key of ['accounts', 'audit_entries', source, shop])
      await sql`update row_counters set total = total - 1 where counted = ${key}
        and slot = (select min(slot) from row_counters where counted = ${key})
        `.execute(connection.db)
    const about = (lines: string[]) => lines.map((line) => line.replace(/ were .*/, ''))
    expect(about(await mend())).toEqual([
      `${shop}: rows of ${shop}`,
      ...['accounts', 'audit_entries', source].sort().map((key) => `service: rows of ${key}`),
    ])
    expect(await mend()).toEqual([])
  })

  test('mends the sums of events in months that are kept, and leaves those of others', async () => {
    const { rows } = await sql<{ day: string }>`
      update usage_days set events = events - 1, credit_delta = credit_delta - 5
      where (workspace_id, day, actor_type, event_name, status, comprehensive, slot) =
        (select workspace_id, day, actor_type, event_name, status, comprehensive, slot
         from usage_days where workspace_id = ${shop} and actor_type = 'OWNER'
         order by day, event_name, status, comprehensive, slot limit 1)
      returning day::text`.execute(connection.db)
    await sql`update usage_people set visits = visits + 2
      where (workspace_id, span, day, actor_type, user_id, slot) =
        (select workspace_id, span, day, actor_type, user_id, slot from usage_people
         where workspace_id = ${shop} and span = 'MONTH' order by day, actor_type, user_id limit 1)
      `.execute(connection.db)
    await sql`insert into usage_days values (${shop}, '2020-01-01', 'OWNER', 'visit', 'SUCCESS',
      false, 0, 7, 0, '2020-01-01')`.execute(connection.db)
    const lines = await mend()
    expect(lines).toHaveLength(2)
    expect(lines[0]).toMatch(/ in the month of \d{4}-\d\d-01: visits off by -2$/)
    expect(lines[1]).toContain(` on ${rows[0]!.day}: events off by 1, credit_delta off by 5`)
    expect(await mend()).toEqual([])
    expect(await one(sql`select events from usage_days where day = '2020-01-01'`)).toBe(7)
  })

  test('of one workspace leaves the others alone', async () => {
    await sql`update catalogue_counters set tags_total = tags_total + 1`.execute(connection.db)
    expect(await mend(shop)).toHaveLength(1)
    const { rows } = await sql`select from workspaces`.execute(connection.db)
    expect(await mend()).toHaveLength(rows.length - 1)
  })
})

test('a recount beside writers loses none of their writes', async () => {
  const database = await createDatabase()
  const service = await startService({ databaseUrl: database.url })
  const connection = connect(database.url, { max: 1, patient: true })
  try {
    const shop = await givenShop(service)
    const create = () => shop.api.post(shop.at('products')).send(productBody())
    expect(tally(await all(5, create))).toEqual({ 200: 5 })
    await sql`update catalogue_counters set products_active = products_active + 1000`.execute(
      connection.db,
    )
    const writes = all(60, create)
    for (let round = 0; round < 5; round++) await recount(connection.db, () => undefined)
    expect(tally(await writes)).toEqual({ 200: 60 })
    expect(await recount(connection.db, () => undefined)).toBe(0)
    expect((await expectRightCounts(shop)).active).toBe(65)
  } finally {
    await service.close()
    await connection.close()
    await database.drop()
  }
})
