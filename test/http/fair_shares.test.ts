import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { givenProduct, givenShop, productBody, type Shop } from '../kit/catalogue.ts'
import { type HeldTransaction, holdTransaction, waitersOn } from '../kit/held_transactions.ts'
import { start, tally } from '../kit/races.ts'
import { startService, type TestService } from '../kit/service.ts'

/** A third of the pool. */
const places = 4
const calls = 14

let service: TestService
let attacker: Shop
let other: Shop
beforeAll(async () => {
  service = await startService()
  attacker = await givenShop(service)
  other = await givenShop(service)
  await givenProduct(other)
})
afterAll(() => service.close())

async function holdProduct(shop: Shop, id: string): Promise<HeldTransaction> {
  return holdTransaction(service.connection.pool.options.connectionString!, (trx) =>
    trx
      .selectFrom('products')
      .select('id')
      .where('workspace_id', '=', shop.workspaceId)
      .where('id', '=', id)
      .forUpdate()
      .execute(),
  )
}

describe('an account whose calls all wait for the database', () => {
  test('holds a third of the connections, and leaves the others to everyone else', async () => {
    const product = await givenProduct(attacker)
    const holder = await holdProduct(attacker, product.id)
    const path = attacker.at(`products/${product.id}`)
    const writes = Array.from({ length: calls }, () =>
      start(attacker.api.put(path).send(productBody())),
    )
    try {
      while ((await waitersOn(service)) < places);
      await other.api.get(other.at('products')).expect(200)
      await other.api.post(other.at('products')).send(productBody()).expect(200)
      await service.api().get('/readyz').expect(200)
      await service.dashboard(other.person).get('/api/session').expect(200)
      expect(await waitersOn(service)).toBe(places)
    } finally {
      await holder.rollback()
    }
    expect(tally(await Promise.all(writes))).toEqual({ 200: calls })
  })

  test('shares them among its keys, its sessions and its visitors', async () => {
    const product = await givenProduct(attacker)
    const holder = await holdProduct(attacker, product.id)
    const path = attacker.at(`products/${product.id}`)
    const { key } = await service.givenKey(attacker.person)
    const clients = [attacker.api, service.api(key), service.dashboard(attacker.person)]
    const writes = Array.from({ length: 9 }, (_, index) =>
      start(clients[index % 3]!.put(path).send(productBody())),
    )
    try {
      while ((await waitersOn(service)) < places);
      await other.api.get(other.at('products')).expect(200)
      expect(await waitersOn(service)).toBe(places)
    } finally {
      await holder.rollback()
    }
    expect(tally(await Promise.all(writes))).toEqual({ 200: 9 })
  })
})

describe('a read that takes too long', () => {
  test('is refused, and its statement ends in the database', async () => {
    const own = service.connection.dbOf('acc_slow', 'read')
    await expect(sql`select pg_sleep(60)`.execute(own)).rejects.toThrow('Query read timeout')
    while ((await sleepers()) > 0);
  })
})

async function sleepers(): Promise<number> {
  const { rows } = await service.connection.pool.query<{ count: number }>(
    `select count(*) from pg_stat_activity
      where datname = current_database() and wait_event = 'PgSleep'`,
  )
  return rows[0]!.count
}
