import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { recordStatements } from '../../../scripts/bench/recorded_pool.ts'
import { day } from '../../../src/core/time.ts'
import { connect } from '../../../src/db/connect.ts'
import { groupActivities } from '../../../src/queries/credits/activity_groups.ts'
import { claimPicture } from '../../../src/queries/media/picture_queue.ts'
import { givenShop, type Shop } from '../../kit/catalogue.ts'
import { createDatabase, type TestDatabase } from '../../kit/database.ts'
import { rowsReadBy } from './plans.ts'
import { startService, type TestService } from '../../kit/service.ts'
import { type Statement, valuedStatementsOf } from '../../kit/statements.ts'

let database: TestDatabase
let service: TestService
let shop: Shop
beforeAll(async () => {
  database = await createDatabase()
  service = await startService({ databaseUrl: database.url })
})
afterAll(async () => {
  await service.close()
  await database.drop()
})
beforeEach(async () => {
  shop = await givenShop(service)
})

const later = (days: number) => new Date(service.now().getTime() + days * day)

/** The only statement of a query. */
async function statementOf(query: () => Promise<unknown>): Promise<Statement> {
  const sent = await valuedStatementsOf(service, query)
  expect(sent).toHaveLength(1)
  return sent[0]!
}

describe('groups of activities', () => {
  const activities = 3000
  const keys = 100
  const filters = { actorType: undefined, resourceIds: [], operations: ['patch_product'] }
  const group = () =>
    groupActivities(
      service.db,
      shop.workspaceId,
      { ...filters, since: new Date(0), until: undefined },
      'actor',
      { page: 1, pageSize: 100 },
    )

  test('are read once, however many there are', async () => {
    await sql`insert into activities (workspace_id, id, created_at, actor_type, user_id,
        connection_id, operation, resource_id, resource_name, changes)
      select ${shop.workspaceId}, n, to_timestamp(n), 'API_KEY', '', n % ${keys}::integer, 'patch_product',
        n, 'Product ' || n, '{}' from generate_series(1, ${activities}::integer) n`.execute(
      service.db,
    )
    const { found, total } = await group()
    expect([found.length, total]).toEqual([keys, keys])
    expect(found[0]).toEqual({
      key: ['API_KEY', '', '0'],
      count: 30,
      lastAt: '1970-01-01T00:50:00.000Z',
      parts: [{ key: ['patch_product'], count: 30 }],
      resources: 30,
      examples: ['Product 3000', 'Product 2900', 'Product 2800'],
    })
    expect(await rowsReadBy(service, await statementOf(group))).toBeLessThan(40 * activities)
  })
})

describe('a picture that waits', () => {
  const waiting = 3000

  test('is claimed without the whole queue being sorted', async () => {
    await sql`alter table picture_queue set (autovacuum_enabled = false)`.execute(service.db)
    await sql`insert into picture_queue (workspace_id, content_hash, leased_until)
      select ${shop.workspaceId}, n, ${later(1)}::timestamptz
      from generate_series(1, ${waiting}::integer) n`.execute(service.db)
    // The service claims by the same statement, so it is watched on a connection of its own.
    const own = connect(database.url)
    const sent = recordStatements(own.pool)
    sent.start()
    const claimed = await claimPicture(own.db, { now: later(2), until: later(3) })
    const [claim] = sent.stop().filter(({ text }) => text.includes('update picture_queue'))
    await own.close()
    expect(claimed?.attempts).toBe(1)
    expect(await rowsReadBy(service, claim!)).toBeLessThan(20)
  })
})
