import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLog } from '../../../src/core/log.ts'
import { listGrown } from '../../../src/db/statistics.ts'
import { startStatistics } from '../../../src/domain/upkeep/statistics.ts'
import { givenShop, type Shop } from '../../kit/catalogue.ts'
import { createDatabase, isDistributed, type TestDatabase } from '../../kit/database.ts'
import { rowsReadBy } from './plans.ts'
import { startService, type TestService } from '../../kit/service.ts'
import { valuedStatementsOf } from '../../kit/statements.ts'

let database: TestDatabase
let service: TestService
beforeAll(async () => {
  database = await createDatabase()
  service = await startService({ databaseUrl: database.url })
})
afterAll(async () => {
  await service.close()
  await database.drop()
})

/** Products of which every fifth has no tag. */
async function givenProducts({ workspaceId }: Shop, count: number): Promise<void> {
  const statements = [
    sql`insert into tags (id, workspace_id, name, search, created_at, updated_at)
      values (${workspaceId}, ${workspaceId}, 'A tag', 'a tag', now(), now())`,
    sql`insert into products (id, workspace_id, name, brand, slug, description, information, sales,
        sku, barcode, stock, status, name_key, sku_key, barcode_key, search, created_at, updated_at)
      select p.id, ${workspaceId}, 'A product', '', p.id, '', '', '[]', n, n, 1, 'ACTIVE',
        p.key, p.key, p.key, '', now(), now()
      from generate_series(1, ${count}::integer) n,
        lateral (select ${workspaceId} || n as id, n::text::bytea as key) p`,
    sql`insert into product_tags (workspace_id, product_id, tag_id, position)
      select ${workspaceId}, ${workspaceId} || n, ${workspaceId}, 0
      from generate_series(1, ${count}::integer) n where n % 5 > 0`,
    sql`update catalogue_counters set products_active = ${count} where workspace_id = ${workspaceId}`,
  ]
  await service.db.transaction().execute(async (trx) => {
    for (const statement of statements) await statement.execute(trx)
    // Otherwise what has grown is known a second later.
    await sql`select pg_stat_force_next_flush()`.execute(trx)
  })
}

describe.skipIf(isDistributed())('a shop that grows among known ones', () => {
  const products = 4000
  let shop: Shop
  beforeAll(async () => {
    for (const table of ['products', 'product_tags', 'tags'])
      await sql`alter table ${sql.table(table)} set (autovacuum_enabled = false)`.execute(
        service.db,
      )
    for (let small = 0; small < 5; small++) await givenProducts(await givenShop(service), 20)
    await sql`analyze`.execute(service.db)
    shop = await givenShop(service)
    await givenProducts(shop, products)
  })

  test('is known to the planner after a look', async () => {
    expect(await listGrown(service.db)).toEqual(['products', 'product_tags'])
    const statistics = startStatistics({ ...service.connection, log: createLog('info') })
    await statistics.look()
    statistics.stop()
    expect(await listGrown(service.db)).toEqual([])
  })

  test.each(['?hasTags=false', '?hasTags=true&sort=name'])(
    'has its products%s listed without reading rows over and over',
    async (query) => {
      const sent = await valuedStatementsOf(service, () =>
        shop.api.get(shop.at(`products${query}`)),
      )
      const catalogue = sent.filter(({ text }) => text.includes('product_tags'))
      expect(catalogue.length).toBeGreaterThan(0)
      for (const statement of catalogue)
        expect(await rowsReadBy(service, statement)).toBeLessThan(10 * products)
    },
  )
})
