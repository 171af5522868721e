import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { execute } from '../../../scripts/distributed/nodes.ts'
import type { Replicated } from '../../../scripts/drill/parts/replicated.ts'
import { createLog } from '../../../src/core/log.ts'
import { readMetrics } from '../../../src/core/metrics.ts'
import { connect } from '../../../src/db/connect.ts'
import { databaseChecks } from '../../../src/domain/upkeep/doctor/database_checks.ts'
import { examine, inLines } from '../../../src/domain/upkeep/doctor/doctor.ts'
import { openReplica } from '../../../src/domain/upkeep/replica.ts'
import { givenProduct, givenShop, type Product, type Shop } from '../../kit/catalogue.ts'
import { createDatabase } from '../../kit/database.ts'
import { startPooler } from '../../kit/peers/pooler.ts'
import { givenReplicated, replayed, replicaReads } from '../../kit/replicated.ts'
import { startService, type TestService } from '../../kit/service.ts'

let servers: Replicated
/** Two machines. */
let pair: [TestService, TestService]
let shop: Shop
let product: Product

const well = 'Catalogues are read from the replica.'
const away = 'The replica cannot be used: all reads go to the primary.'
const timesLogged = (service: TestService, message: string) =>
  service.logged().filter(({ msg }) => msg === message).length

beforeAll(async () => {
  servers = await givenReplicated({ isSynchronous: false })
  await replayed(servers)
  const options = {
    databaseUrl: servers.primary.url,
    env: { DATABASE_URL: servers.primary.url, DATABASE_REPLICA_URL: servers.standby.url },
  }
  pair = [await startService(options), await startService(options)]
  await vi.waitFor(() => {
    for (const service of pair) expect(timesLogged(service, well)).toBe(1)
  }, 100_000)
  shop = await givenShop(pair[0])
  product = await givenProduct(shop)
  await replayed(servers)
})
afterAll(async () => {
  for (const service of pair ?? []) await service.close()
  await servers?.stop()
})

/** What each machine answers for the product: alone, in a list, by a search, to visitors, on a page. */
async function namesSeen(of = shop, { id } = product): Promise<string[]> {
  const at = (path: string) => of.at(path)
  const seen: string[] = []
  for (const service of pair) {
    const api = service.api(of.key)
    const inList = (products: Product[]) => products.find((each) => each.id === id)?.name ?? 'none'
    const listed = await api.get(at('products')).expect(200)
    const found = await api.get(at('products?search=product')).expect(200)
    const alone = await api.get(at(`products/${id}`)).expect(200)
    const published = await api.get(at(`experience/products/${id}`)).expect(200)
    seen.push(inList(listed.body.products as Product[]), inList(found.body.products as Product[]))
    seen.push(alone.body.name as string, published.body.name as string)
  }
  return [...new Set(seen)]
}
const readsOfNames = 8

let renames = 0
async function rename(): Promise<string> {
  const name = `product renamed ${++renames}`
  await shop.api
    .patch(shop.at(`products/${product.id}`))
    .send({ name })
    .expect(200)
  return name
}

/** Counts reads by what became of them. */
async function outcomesOf(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const outcomes = ['replica', 'late', 'busy', 'away', 'failed']
  const before = await Promise.all(outcomes.map(replicaReads))
  await work()
  const after = await Promise.all(outcomes.map(replicaReads))
  const counted = outcomes.map((name, index) => [name, after[index]! - before[index]!] as const)
  return Object.fromEntries(counted.filter(([, count]) => count > 0))
}

const isUp = async () => (await readMetrics()).includes('vitrine_replica_up{replica="database"} 1')

test('reads of the catalogue and of visitors are answered by the replica, as the primary would', async () => {
  const name = await rename()
  await replayed(servers)
  expect(await outcomesOf(async () => expect(await namesSeen()).toEqual([name]))).toEqual({
    replica: readsOfNames,
  })
})

test('everything else is answered by the primary', async () => {
  const paths = [
    'workspace',
    'media',
    'wallet',
    'activity',
    'website',
    'products/export?format=csv',
  ]
  const ask = async () => {
    for (const path of paths) await shop.api.get(shop.at(path)).expect(200)
  }
  expect(await outcomesOf(ask)).toEqual({})
})

describe('while the replica replays nothing', () => {
  afterEach(() => execute(servers.standby.url, 'select pg_wal_replay_resume()'))

  test('nobody reads anything older than an acknowledged write, of either machine', async () => {
    await replayed(servers)
    await execute(servers.standby.url, 'select pg_wal_replay_pause()')
    const name = await rename()
    expect(await outcomesOf(async () => expect(await namesSeen()).toEqual([name]))).toEqual({
      late: readsOfNames,
    })
  })

  test('what has not changed since is still answered by it', async () => {
    const other = await givenShop(pair[1])
    const unchanged = await givenProduct(other)
    await replayed(servers)
    await execute(servers.standby.url, 'select pg_wal_replay_pause()')
    await rename()
    const ask = async () => expect(await namesSeen(other, unchanged)).toEqual([unchanged.name])
    expect(await outcomesOf(ask)).toEqual({ replica: readsOfNames })
  })

  test('a workspace that it has not seen yet is there', async () => {
    await execute(servers.standby.url, 'select pg_wal_replay_pause()')
    const fresh = await givenShop(pair[0])
    const { body } = await fresh.api.get(fresh.at('products')).expect(200)
    expect(body.products).toEqual([])
    const added = await givenProduct(fresh)
    expect(await namesSeen(fresh, added)).toEqual([added.name])
  })
})

/** What the doctor says of a replica. */
async function diagnosis(databaseReplicaUrl: string): Promise<string> {
  const { connection, config } = pair[0]
  const checks = databaseChecks(connection, { ...config, databaseReplicaUrl }, () => new Date())
  const lines: string[] = []
  for await (const found of examine(checks.filter(({ name }) => name === 'replica')))
    lines.push(...inLines(found))
  return lines.join('\n')
}

test('the doctor says what is wrong with a replica', async () => {
  const { primary, standby } = servers
  await replayed(servers)
  expect(await diagnosis(standby.url)).toBe('ok      replica')
  expect(await diagnosis(primary.url)).toContain('The replica is the primary itself.')
  expect(await diagnosis('postgres://127.0.0.1:1/none')).toContain('FAULT   replica: ')
  await execute(standby.url, 'select pg_wal_replay_pause()')
  expect(await diagnosis(standby.url)).toContain('The replica replays nothing.')
  await execute(standby.url, 'select pg_wal_replay_resume()')
})

describe.each(['killed', 'frozen'] as const)('a replica that is %s', (fate) => {
  test('costs no call, is left alone, and is used again when it is back', async () => {
    await expect.poll(isUp).toBe(true)
    const name = await rename()
    await replayed(servers)
    const logged = timesLogged(pair[0], away)
    if (fate === 'killed') await servers.standby.kill()
    else servers.standby.signal('SIGSTOP')
    const atOnce = () => Promise.all([namesSeen(), namesSeen(), namesSeen()])
    for (const seen of await atOnce()) expect(seen).toEqual([name])
    await expect.poll(() => timesLogged(pair[0], away)).toBe(logged + 1)
    expect(await outcomesOf(namesSeen)).toEqual({ away: readsOfNames })

    const wells = pair.map((service) => timesLogged(service, well))
    if (fate === 'killed') await servers.standby.start()
    else servers.standby.signal('SIGCONT')
    await expect
      .poll(() => pair.map((service, index) => timesLogged(service, well) > wells[index]!))
      .toEqual([true, true])
    await replayed(servers)
    expect(await outcomesOf(namesSeen)).toEqual({ replica: readsOfNames })
  })
})

describe('by itself', () => {
  /** A replica that has been looked at, and what was said of it. */
  async function givenReplica(url: string, max = 2) {
    const lines: { msg: string; reason?: string }[] = []
    const write = (line: string) => void lines.push(JSON.parse(line) as { msg: string })
    const primary = connect(servers.primary.url, { max })
    const replica = openReplica(primary, { url, max, log: createLog('info', { write }) })
    cleanups.push(async () => {
      await replica.close()
      await primary.close()
    })
    await expect.poll(() => lines.length).toBe(1)
    return { primary: primary.db, replica, said: lines[0]! }
  }
  const cleanups: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
  })

  /** Whether a database is a standby. */
  const isStandby = async (db: TestService['db']) => {
    const { rows } = await sql<{ it: boolean }>`select pg_is_in_recovery() as it`.execute(db)
    return rows[0]!.it
  }

  test('another database is no replica', async () => {
    const other = await createDatabase()
    cleanups.push(() => other.drop())
    const { primary, replica, said } = await givenReplica(other.url)
    const reason = 'It is no standby of the database in DATABASE_URL.'
    expect(said).toMatchObject({ msg: away, reason })
    expect(await replica.read(primary, shop.workspaceId, isStandby)).toBe(false)
  })

  test('behind a pooler, all of a read is of one session', async () => {
    const pooler = await startPooler(servers.standby.url, { sessions: 3 })
    cleanups.push(() => pooler.close())
    await replayed(servers)
    const turns = 4
    // A connection for each: on a slow machine, one may still commit while the next turn begins.
    const { primary, replica, said } = await givenReplica(pooler.url, turns)
    expect(said.msg).toBe(well)
    const session = async (db: TestService['db']) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
      return rows[0]!.pid
    }
    for (let turn = 0; turn < turns; turn++)
      await replica.read(primary, shop.workspaceId, async (db) => {
        expect(await isStandby(db)).toBe(true)
        expect(await session(db)).toBe(await session(db))
      })
  })

  test('who finds no connection to it asks the primary', async () => {
    await replayed(servers)
    const { primary, replica } = await givenReplica(servers.standby.url, 1)
    const read = <T>(work: (db: TestService['db']) => Promise<T>) =>
      replica.read(primary, shop.workspaceId, work)
    const both = await read(async (db) => [await isStandby(db), await read(isStandby)])
    expect(both).toEqual([true, false])
    await expect.poll(() => read(isStandby)).toBe(true)
  })

  test('what it cannot answer, and all that is read after that, is asked of the primary', async () => {
    await replayed(servers)
    const { primary, replica } = await givenReplica(servers.standby.url)
    const seen = await replica.read(primary, shop.workspaceId, async (db) => {
      const before = await isStandby(db)
      await sql`create temporary table noted (id text)`.execute(db)
      return [before, await isStandby(db)]
    })
    expect(seen).toEqual([true, false])
  })

  test('what is read after its call is over is asked of the primary', async () => {
    await replayed(servers)
    const { primary, replica } = await givenReplica(servers.standby.url)
    const later = await replica.read(primary, shop.workspaceId, (db) =>
      Promise.resolve(() => isStandby(db)),
    )
    expect(await later()).toBe(false)
  })
})
