import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { execute } from '../../scripts/distributed/nodes.ts'
import { createLog } from '../../src/core/log.ts'
import { connect } from '../../src/db/connect.ts'
import { nameIn, openNode } from '../../src/db/shards/nodes.ts'
import { setUpSession } from '../../src/db/sessions/session.ts'
import {
  givenCollection,
  givenMediaRow,
  givenProduct,
  givenShop,
  givenTag,
  type Product,
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
/** Two machines. */
let pair: [TestService, TestService]
let shop: Shop
let product: Product
/** Every hot read of the workspace. */
let paths: string[]
const ports = inject('workerUrls').map((url) => Number(new URL(url).port))

beforeAll(async () => {
  database = await createDatabase()
  const start = () => startService({ databaseUrl: database.url })
  pair = [await start(), await start()]
  shop = await givenShop(pair[0])
  const tag = await givenTag(shop)
  const image = await givenMediaRow(shop)
  product = await givenProduct(shop, { tagIds: [tag.id], imageIds: [image.id] })
  for (let count = 0; count < 3; count++) await givenProduct(shop)
  const { id } = await givenCollection(shop, {
    tagIds: [tag.id],
    imageId: image.id,
    productIds: [product.id],
  })
  const slug = await execute(database.url, `select slug from collections where id = '${id}'`)
  paths = [
    'products',
    'products?pageSize=3&page=2',
    'products?view=summary&sort=name',
    'products?search=product',
    'products?search=described',
    'products?status=ACTIVE&stock=IN&hasImages=true',
    `products?tagId=${tag.id}&collectionId=${id}&hasDuplicates=false`,
    `products/${product.id}`,
    'collections',
    'collections?search=collection&view=summary',
    `collections/${id}`,
    `collections/${id}?view=summary`,
    `collections/${id}/products`,
    'tags',
    `tags?search=tag`,
    `tags/${tag.id}`,
    'changes',
    'experience/products',
    'experience/products?search=product',
    `experience/products/${product.id}`,
    `experience/products/slug/${product.slug}`,
    'experience/collections',
    `experience/collections/${id}`,
    `experience/collections/slug/${String(slug[0]!.slug)}`,
    `experience/collections/${id}/products`,
    'experience/tags',
    `experience/tags/${tag.id}/products`,
    `experience/tags/${tag.id}/collections`,
  ]
})
afterAll(async () => {
  for (const service of pair ?? []) await service.close()
  await database?.drop()
})

const readBy = (service: TestService, path: string) => service.api(shop.key).get(shop.at(path))

/** Reads until both machines ask the node. */
async function settle(): Promise<void> {
  for (const service of pair)
    await vi.waitFor(
      async () => {
        const read = () => readBy(service, `products/${product.id}`).expect(200)
        expect(await outcomesOf(read)).toEqual({ shard: 1 })
      },
      { timeout: 100_000 },
    )
}

const nodeUrl = () => nodeUrlOf(database.url, shop.workspaceId)

describe('a hot read', () => {
  test('is asked of the node that has the workspace, and answers what the coordinator does', async () => {
    const expected: unknown[] = []
    for (const path of paths) {
      // The first call of a process asks the coordinator, and finds out where the workspace is.
      const fresh = await startService({ databaseUrl: database.url })
      expected.push((await readBy(fresh, path).expect(200)).body)
      await fresh.close()
    }
    await settle()
    for (const [index, path] of paths.entries()) {
      let body: unknown
      const outcomes = await outcomesOf(async () => {
        body = (await readBy(pair[0], path).expect(200)).body as unknown
      })
      expect({ path, outcomes: Object.keys(outcomes) }).toEqual({ path, outcomes: ['shard'] })
      expect(body).toEqual(expected[index])
    }
  })

  test('names no table but those of its shard', async () => {
    const node = await nodeUrl()
    await countPlanned(node)
    await settle()
    const before = await plannedOn(node)
    for (const path of paths) await readBy(pair[0], path).expect(200)
    expect(await plannedOn(node)).toBe(before)
    await execute(node, 'select count(*) from products')
    expect(await plannedOn(node)).toBeGreaterThan(before)
  })

  test('of what is not the workspace’s alone is asked of the coordinator', async () => {
    const ask = async () => {
      for (const path of ['media', 'wallet', 'activity', 'website'])
        await readBy(pair[0], path).expect(200)
    }
    expect(await outcomesOf(ask)).toEqual({})
  })
})

describe('while a shard moves', () => {
  test('both machines read every acknowledged write, there and back', async () => {
    await settle()
    const end = new AbortController()
    const stale: string[] = []
    let writes = 0
    const client = async () => {
      for (let stock = 1; !end.signal.aborted; stock++) {
        const at = shop.at(`products/${product.id}`)
        await shop.api.patch(at).send({ stock }).expect(200)
        writes++
        for (const service of pair) {
          const { body } = await readBy(service, `products/${product.id}`).expect(200)
          const listed = await readBy(service, 'experience/products').expect(200)
          const { products } = listed.body as { products: Product[] }
          const seen = [body as Product, products.find(({ id }) => id === product.id)!]
          for (const each of seen) if (each.stock !== stock) stale.push(`${stock}: ${each.stock}`)
        }
      }
    }
    const running = client()
    try {
      await moveShard(database.url, shop.workspaceId, ports)
      await settle()
      await moveShard(database.url, shop.workspaceId, ports)
    } finally {
      end.abort()
    }
    await running
    expect(stale).toEqual([])
    expect(writes).toBeGreaterThan(0)
  })

  test('a shard that is split is found again', async () => {
    await settle()
    const { shard } = await placeOf(database.url, shop.workspaceId)
    await execute(
      database.url,
      `select isolate_tenant_to_new_shard('catalogue_counters', '${shop.workspaceId}'::text, 'CASCADE',
        shard_transfer_mode => 'block_writes')`,
    )
    expect((await placeOf(database.url, shop.workspaceId)).shard).not.toBe(shard)
    for (const service of pair) await readBy(service, `products/${product.id}`).expect(200)
    await settle()
  })
})

describe('a node that cannot be asked', () => {
  test('costs no answer when its connections are lost', async () => {
    await settle()
    const node = await nodeUrl()
    await execute(node, terminate("application_name like 'vitrine%'"))
    await readBy(pair[0], `products/${product.id}`).expect(200)
    await settle()
  })

  test('costs no answer when it is lost in the middle of a statement', async () => {
    await settle()
    const node = await nodeUrl()
    const table = `products_${await shardOf(database.url, 'products', shop.workspaceId)}`
    const blocker = new pg.Client(node)
    await blocker.connect()
    try {
      await blocker.query(
        `set citus.enable_manual_changes_to_shards = on; begin; lock table ${table}`,
      )
      const outcomes = outcomesOf(() => readBy(pair[0], `products/${product.id}`).expect(200))
      const waiting = "application_name like 'vitrine%' and wait_event_type = 'Lock'"
      await vi.waitFor(async () => {
        expect(await execute(node, terminate(waiting))).toEqual([{ done: true }])
      }, 100_000)
      await blocker.query('rollback')
      expect(await outcomes).toEqual({ failed: 1 })
    } finally {
      await blocker.end()
    }
    await settle()
  })

  test('is left to the coordinator if another server answers at its address', async () => {
    const { port } = await placeOf(database.url, shop.workspaceId)
    const connection = connect(database.url, { max: 2 })
    const lines: string[] = []
    const node = openNode({
      name: `127.0.0.1:${port}`,
      coordinator: connection.pool,
      startOf: () => Promise.resolve('another time'),
      log: createLog('info', { write: (line) => void lines.push(line) }),
    })
    try {
      expect(node.isUp(shop.workspaceId)).toBe(false)
      await vi.waitFor(() => expect(lines.join()).toContain('Another server answers'), 100_000)
      expect(node.isUp(shop.workspaceId)).toBe(false)
    } finally {
      await node.close()
      await connection.close()
    }
  })
})

test('a connection keeps a bounded number of statements, those used last', async () => {
  const pool = new pg.Pool({ connectionString: await nodeUrl(), max: 1 })
  const client = await pool.connect()
  try {
    await setUpSession(client, { statementMilliseconds: 7000, requiresPrimary: false })
    for (let count = 0; count < 300; count++) {
      const name = await nameIn(client, `read_${count}`)
      await client.query({ name: name!, text: `select ${count}` })
      await client.query({ name: (await nameIn(client, 'read_0'))!, text: 'select 0' })
    }
    const { rows } = await client.query<{ name: string }>('select name from pg_prepared_statements')
    const names = rows.map(({ name }) => name)
    expect(names).toHaveLength(128)
    expect(names).toEqual(expect.arrayContaining(['read_0', 'read_299', 'read_173']))
  } finally {
    client.release()
    await pool.end()
  }
})
