import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../../../src/db/connect.ts'
import { migrate } from '../../../src/db/migrate.ts'
import { requireUsageMonth } from '../../../src/queries/credits/usage_months.ts'
import { recount } from '../../../src/queries/upkeep/recount.ts'
import { createDatabase, createEmptyDatabase, type TestDatabase } from '../../kit/database.ts'
import { givenProduct, givenShop, givenTag, productBody, type Shop } from '../../kit/catalogue.ts'
import { type Pooler, startPooler } from '../../kit/peers/pooler.ts'
import { startService, type TestService } from '../../kit/service.ts'

let database: TestDatabase
let pooler: Pooler
let service: TestService
let shop: Shop
beforeAll(async () => {
  database = await createDatabase()
  pooler = await startPooler(database.url)
  service = await startService({ databaseUrl: pooler.url, env: { WEB_CONCURRENCY: '2' } })
  shop = await givenShop(service)
})
afterAll(async () => {
  await service.close()
  await pooler.close()
  await database.drop()
})

test('a service behind a pooler in transaction mode answers everything', async () => {
  const before = pooler.switches()
  const tag = await givenTag(shop)
  const product = await givenProduct(shop, { tagIds: [tag.id] })
  const path = shop.at(`products/${product.id}`)
  for (let turn = 0; turn < 8; turn++) {
    await shop.api.get(path).expect(200)
    await shop.api.get(shop.at('products?search=a')).expect(200)
    await shop.api
      .put(path)
      .send(productBody({ tagIds: [tag.id] }))
      .expect(200)
    await shop.api.post(shop.at('products')).send(productBody()).expect(200)
  }
  await service.api().get('/readyz').expect(200)
  expect(pooler.switches()).toBeGreaterThan(before + 20)
  expect(await recount(service.db, () => undefined, { isTrial: true })).toBe(0)
})

test('what a transaction sets for itself is not there for the next client', async () => {
  const settings = async () => {
    const { rows } = await sql<{ counts: string | null; timeout: string }>`
      select nullif(current_setting('vitrine.counts', true), '') as counts,
        current_setting('statement_timeout') as timeout`.execute(service.db)
    return rows[0]
  }
  await service.db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ counts: string; timeout: string }>`
      select current_setting('vitrine.counts') as counts,
        current_setting('statement_timeout') as timeout`.execute(trx)
    expect(rows[0]).toEqual({ counts: 'kept', timeout: '7s' })
  })
  for (let turn = 0; turn < 6; turn++)
    expect(await settings()).toEqual({ counts: null, timeout: '0' })
})

test('a write outside a transaction keeps the counts itself, too', async () => {
  await sql`create table noted (counts text)`.execute(service.db)
  await sql`insert into noted select current_setting('vitrine.counts', true)`.execute(service.db)
  const { rows } = await sql<{ counts: string }>`select counts from noted`.execute(service.db)
  expect(rows).toEqual([{ counts: 'kept' }])
})

test('two services that start at once behind it migrate an empty database once', async () => {
  const empty = await createEmptyDatabase()
  const own = await startPooler(empty.url, { sessions: 4 })
  const connections = [
    connect(own.url, { max: 1, patient: true }),
    connect(own.url, { max: 1, patient: true }),
  ]
  try {
    await Promise.all(
      connections.map(({ db }) => migrate(db as never, { environment: 'development' })),
    )
    // The server notices a moment later that the session of the lock has ended.
    const held = async () => {
      const { rows } = await sql<{ held: number }>`
        select count(*)::integer as held from pg_locks where locktype = 'advisory'
          and database = (select oid from pg_database where datname = current_database())`.execute(
        connections[0]!.db,
      )
      return rows[0]!.held
    }
    await expect.poll(held).toBe(0)
  } finally {
    for (const connection of connections) await connection.close()
    await own.close()
    await empty.drop()
  }
})

test('an event needs no second session while its own transaction holds the last one', async () => {
  const own = await startPooler(database.url, { sessions: 1 })
  const connection = connect(own.url, { max: 1 })
  try {
    const now = new Date()
    const day = await connection.db.transaction().execute((trx) => requireUsageMonth(trx, now))
    expect(day).toBe(now.toISOString().slice(0, 10))
  } finally {
    await connection.close()
    await own.close()
  }
})
