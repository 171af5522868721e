import type { Transaction } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { execute } from '../../scripts/distributed/nodes.ts'
import { createLog } from '../../src/core/log.ts'
import { connect, type Connection } from '../../src/db/connect.ts'
import type { Database } from '../../src/db/schema.ts'
import { isOnShards } from '../../src/db/shards/routes.ts'
import { createShards, type Shards } from '../../src/db/shards/shards.ts'
import { shardWrites } from '../../src/surfaces/call/reads/databases.ts'
import {
  duplicateErrors,
  editable,
  givenMediaRow,
  givenProduct,
  givenShop,
  givenTag,
  type Product,
  productBody,
  type Shop,
} from '../kit/catalogue.ts'
import { createDatabase, type TestDatabase } from '../kit/database.ts'
import { startService, type TestService } from '../kit/service.ts'
import {
  countPlanned,
  moveShard,
  nodeUrlOf,
  outcomesOf,
  placeOf,
  plannedOn,
  shardOf,
  terminate,
} from './shard_places.ts'

let database: TestDatabase
let service: TestService
let shop: Shop
let product: Product
let node: string
const ports = inject('workerUrls').map((url) => Number(new URL(url).port))

beforeAll(async () => {
  database = await createDatabase()
  service = await startService({ databaseUrl: database.url })
  shop = await givenShop(service)
  product = await givenProduct(shop)
  node = await nodeUrlOf(database.url, shop.workspaceId)
})
afterAll(async () => {
  await service?.close()
  await database?.drop()
})

const at = (id: string) => shop.at(`products/${id}`)
const writesOf = (work: () => Promise<unknown>) => outcomesOf(work, 'writes')

/** Writes until the node does it. */
async function settle(): Promise<void> {
  await vi.waitFor(
    async () => {
      const write = () => shop.api.patch(at(product.id)).send({ stock: 3 }).expect(200)
      expect(await writesOf(write)).toEqual({ shard: 1 })
    },
    { timeout: 100_000 },
  )
}

const countRows = async (table: string, condition = 'true') => {
  const [row] = await execute(
    database.url,
    `select count(*)::int as count from ${table}
    where workspace_id = '${shop.workspaceId}' and ${condition}`,
  )
  return row!.count as number
}

describe('a hot write', () => {
  test('is done by the node that has the workspace, where the extension plans the slug alone', async () => {
    await countPlanned(node)
    await settle()
    const [tag, other] = [await givenTag(shop), await givenTag(shop)]
    const image = await givenMediaRow(shop)
    const body = productBody({ tagIds: [tag.id], imageIds: [image.id] })
    let made: Product | undefined
    const writes: Record<string, () => Promise<{ body: unknown }>> = {
      create_product: () => shop.api.post(shop.at('products')).send(body).expect(200),
      update_product: () =>
        shop.api.put(at(made!.id)).send({ ...editable(made!), tagIds: [other.id], imageIds: [] }),
      patch_product: () => shop.api.patch(at(made!.id)).send({ stock: 0, tagIds: [tag.id] }),
      add_product_tag: () => shop.api.post(shop.at(`products/${made!.id}/tags/${other.id}`)),
      remove_product_tag: () => shop.api.delete(shop.at(`products/${made!.id}/tags/${tag.id}`)),
      delete_product: () => shop.api.delete(at(made!.id)),
    }
    expect(new Set(Object.keys(writes))).toEqual(shardWrites)
    for (const [operation, write] of Object.entries(writes)) {
      const before = await plannedOn(node)
      const outcomes = await writesOf(async () => {
        const { body: answer } = await write()
        if (operation !== 'delete_product') made = answer as Product
      })
      const planned = (await plannedOn(node)) - before
      const expected = operation === 'create_product' ? 1 : 0
      expect({ operation, outcomes, planned }).toEqual({
        operation,
        outcomes: { shard: 1 },
        planned: expected,
      })
      if (operation === 'delete_product') await shop.api.get(at(made!.id)).expect(404)
      else expect((await shop.api.get(at(made!.id)).expect(200)).body).toEqual(made)
      expect(await countRows('activities', `operation = '${operation}'`)).toBeGreaterThan(0)
    }
    expect(made).toMatchObject({ stock: 0, images: [], tags: [{ id: other.id }] })
    const { body: list } = await shop.api.get(shop.at('products')).expect(200)
    expect((list as { summary: { total: number } }).summary.total).toBe(await countRows('products'))
    expect(await countRows('media', 'usage_count <> 0')).toBe(0)
    expect(await countRows('usage_events', "endpoint = 'patch_product'")).toBe(
      await countRows('activities', "operation = 'patch_product'"),
    )
    const [head] = await execute(
      database.url,
      `select last::int as last from feed_heads where workspace_id = '${shop.workspaceId}'`,
    )
    expect(head!.last).toBe(await countRows('catalogue_changes'))
  })

  test('is refused there in the same words', async () => {
    await settle()
    const twin = productBody({ name: product.name })
    const taken = shop.api.post(shop.at('products')).send(twin)
    expect((await taken.expect(409)).body).toMatchObject({
      code: 'duplicate',
      fieldErrors: { name: duplicateErrors.name },
    })
    const unknown = productBody({ tagIds: ['tag_unknown'] })
    await shop.api.post(shop.at('products')).send(unknown).expect(400)
    const { id } = await givenProduct(shop)
    const conflict = shop.api.patch(at(id)).send({ name: product.name, sku: product.sku })
    expect((await conflict.expect(409)).body).toMatchObject({
      fieldErrors: { name: duplicateErrors.name, sku: duplicateErrors.sku },
    })
  })

  test('claims the slug in its own transaction, and another one if that is taken', async () => {
    await settle()
    const neighbour = await givenShop(service)
    const slugs = new Set<string>()
    for (let count = 0; count < 8; count++) {
      const name = `Slug ${count}`
      const first = await givenProduct(neighbour, { name })
      let second: Product | undefined
      const write = async () => void (second = await givenProduct(shop, { name }))
      expect(await writesOf(write)).toEqual({ shard: 1 })
      expect(second!.slug).not.toBe(first.slug)
      slugs.add(second!.slug)
    }
    expect(slugs.size).toBe(8)
    expect(await countRows('product_slugs')).toBe(
      (await countRows('products')) + (await countRows('kept_products')),
    )
  })

  test('is done once for one Idempotency-Key', async () => {
    await settle()
    const body = productBody()
    const create = () =>
      shop.api.post(shop.at('products')).set('Idempotency-Key', 'once').send(body).expect(200)
    const first = await create()
    expect((await create()).body).toEqual(first.body)
    expect(await countRows('products', `sku = '${body.sku}'`)).toBe(1)
  })
})

/** Sessions that wait for the lock of a shard. */
const waiting = "select from pg_locks where locktype = 'advisory' and not granted"
type Work = (trx: Transaction<Database>) => Promise<void>

describe('a transaction on shards', () => {
  let connection: Connection
  let shards: Shards
  beforeAll(() => {
    connection = connect(database.url, { max: 4 })
    const log = createLog('info', { write: () => undefined })
    shards = createShards({ connection, baseUrl: 'http://localhost', log })
  })
  afterAll(async () => {
    await shards.close()
    await connection.close()
  })

  test('is waited for by a move, which takes its rows along', async () => {
    const { workspaceId } = shop
    const { shard, port } = await placeOf(database.url, workspaceId)
    const placement = { shard, node: `127.0.0.1:${port}` }
    const place = { workspaceId, account: 'test', meter: undefined }
    const transact = (known: typeof placement | undefined, work: Work) =>
      shards.transact(connection.db, { ...place, placement: known }, work)
    // Finds out that the database is distributed, then where the workspace is, then that the node is well.
    for (const known of [undefined, undefined]) await transact(known, () => Promise.resolve())
    await vi.waitFor(async () => {
      let wasOnShards: boolean | undefined
      await transact(placement, (trx) => {
        wasOnShards = isOnShards(trx)
        return Promise.resolve()
      })
      expect(wasOnShards).toBe(true)
    }, 100_000)
    let moved: Promise<void> | undefined
    await transact(placement, async (trx) => {
      await trx
        .updateTable('products')
        .set({ stock: 77 })
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', product.id)
        .execute()
      moved = moveShard(database.url, workspaceId, ports, 'block_writes')
      await vi.waitFor(async () => expect(await execute(node, waiting)).toHaveLength(1), 60_000)
    })
    await moved
    expect((await placeOf(database.url, workspaceId)).port).not.toBe(port)
    const { body } = await shop.api.get(at(product.id)).expect(200)
    expect((body as Product).stock).toBe(77)
    node = await nodeUrlOf(database.url, workspaceId)
    await settle()
  })

  test('that waited for a move sees where the shard is by then', async () => {
    await settle()
    const { shard } = await placeOf(database.url, shop.workspaceId)
    const mover = new pg.Client(node)
    await mover.connect()
    const settled = async (groups: string) => {
      await mover.query(
        `update pg_dist_placement set groupid = (${groups}) where shardid = ${shard}`,
      )
    }
    try {
      await mover.query(`begin; select lock_shard_metadata(7, array[${shard}])`)
      await settled('select max(groupid) + 1 from pg_dist_node')
      const outcomes = writesOf(() => shop.api.patch(at(product.id)).send({ stock: 5 }).expect(200))
      await vi.waitFor(async () => expect(await execute(node, waiting)).toHaveLength(1), 60_000)
      await mover.query('commit')
      expect(await outcomes).toEqual({ moved: 1 })
    } finally {
      await settled('select groupid from pg_dist_local_group')
      await mover.end()
    }
    await settle()
  })

  test('that may not begin is left to the coordinator, and keeps its connection', async () => {
    await settle()
    const { shard } = await placeOf(database.url, shop.workspaceId)
    const writers = "datname = current_database() and application_name like 'vitrine%'"
    const countWriters = () => execute(node, `select pid from pg_stat_activity where ${writers}`)
    const before = await countWriters()
    const mover = new pg.Client(node)
    await mover.connect()
    try {
      await mover.query(`begin; select lock_shard_metadata(7, array[${shard}])`)
      const outcomes = writesOf(() => shop.api.patch(at(product.id)).send({ stock: 6 }).expect(200))
      await vi.waitFor(async () => {
        const cancel = `select pg_cancel_backend(pid) as done from pg_stat_activity
          where ${writers} and wait_event_type = 'Lock'`
        expect(await execute(node, cancel)).toEqual([{ done: true }])
      }, 60_000)
      expect(await outcomes).toEqual({ refused: 1 })
      await mover.query('rollback')
    } finally {
      await mover.end()
    }
    await settle()
    expect(await countWriters()).toEqual(before)
  })

  test('that is lost in the middle is refused for a while, and has done nothing', async () => {
    await settle()
    const before = [await countRows('products'), await countRows('product_slugs')]
    const table = `products_${await shardOf(database.url, 'products', shop.workspaceId)}`
    const blocker = new pg.Client(node)
    await blocker.connect()
    try {
      await blocker.query(
        `set citus.enable_manual_changes_to_shards = on; begin; lock table ${table}`,
      )
      const outcomes = writesOf(async () => {
        const answer = await shop.api.post(shop.at('products')).send(productBody()).expect(503)
        expect(answer.headers['retry-after']).toBeDefined()
      })
      const writer = "application_name like 'vitrine%' and wait_event_type = 'Lock'"
      await vi.waitFor(async () => {
        expect(await execute(node, terminate(writer))).toEqual([{ done: true }])
      }, 100_000)
      await blocker.query('rollback')
      expect(await outcomes).toEqual({ lost: 1 })
    } finally {
      await blocker.end()
    }
    expect([await countRows('products'), await countRows('product_slugs')]).toEqual(before)
    await settle()
  })
})
