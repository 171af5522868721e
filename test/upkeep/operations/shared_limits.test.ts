import { afterEach, expect, test } from 'vitest'
import { redisRateStore } from '../../../src/adapters/shared_rates.ts'
import { createLog } from '../../../src/core/log.ts'
import { recordBeat, removeProcess } from '../../../src/db/builds.ts'
import { createDatabase } from '../../kit/database.ts'
import { startRedisServer } from '../../kit/peers/redis_server.ts'
import { all, racesOf, tally } from '../../kit/races.ts'
import { startService, type TestService } from '../../kit/service.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const limit = { name: 'test', points: 6, seconds: 60 }
const log = createLog('silent')

/** Two processes that count in one Redis. */
async function givenPair(second: 'development' | 'production' = 'production') {
  const redis = await startRedisServer()
  const open = (environment: 'development' | 'production') =>
    redisRateStore({ url: redis.url, environment }, log)
  const stores = [await open('production'), await open(second)]
  cleanups.push(async () => {
    for (const store of stores) store.close()
    await redis.kill()
  })
  const consume = async (index: number, key: string) =>
    (await stores[index % 2]!.consume(limit, key)).allowed
  // Until both are connected, each counts alone.
  await expect
    .poll(async () => {
      for (const index of [0, 1]) await consume(index, `ready ${index}`)
      return redis.points.size
    })
    .toBe(2)
  return { redis, consume }
}

test('two processes with one Redis count together', async () => {
  const { consume } = await givenPair()
  const answers: boolean[] = []
  for (let call = 0; call < 10; call++) answers.push(await consume(call, 'both'))
  expect(answers).toEqual([true, true, true, true, true, true, false, false, false, false])
})

test('the two environments do not count together', async () => {
  const { consume } = await givenPair('development')
  const answers: boolean[] = []
  for (let call = 0; call < 12; call++) answers.push(await consume(call, 'both'))
  expect(answers.filter(Boolean)).toHaveLength(12)
})

test.each(['killed', 'frozen'] as const)(
  'with a Redis that is %s each counts alone, and together again when it is back',
  async (fate) => {
    const { redis, consume } = await givenPair()
    if (fate === 'killed') await redis.kill()
    else redis.freeze(true)
    const alone: boolean[] = []
    for (let call = 0; call < 14; call++) alone.push(await consume(call, 'away'))
    expect(alone.filter(Boolean)).toHaveLength(12)

    if (fate === 'killed') await redis.listen()
    else redis.freeze(false)
    let round = 0
    const isShared = async () => {
      const key = `back ${round++}`
      await consume(0, key)
      await consume(1, key)
      return redis.points.get(`vitrine:production:test:${key}`)
    }
    await expect.poll(isShared).toBe(2)
  },
)

test('services of one process each count in the database when there are several', async () => {
  const database = await createDatabase()
  const options = { databaseUrl: database.url, env: { RATE_LIMIT_PER_MINUTE: '10' } }
  const pair: TestService[] = [await startService(options), await startService(options)]
  cleanups.push(async () => {
    for (const service of pair) await service.close()
    await database.drop()
  })
  const { givenCreator } = racesOf(() => pair[0]!)
  const { key } = await givenCreator(1, pair[0])
  const db = pair[0]!.db as never
  for (const id of ['one', 'two']) await recordBeat(db, { id, build: '0000' })
  for (const { app } of pair) await app.others.look()
  const clients = pair.map((service) => service.api(key))
  const answers = await all(30, (index) => clients[index % 2]!.get('/v1/workspaces'))
  expect(tally(answers)).toEqual({ 200: 10, '429 rate_limited': 20 })
  for (const id of ['one', 'two']) await removeProcess(db, id)
})
