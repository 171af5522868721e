import { setTimeout as pause } from 'node:timers/promises'
import { startLoad } from '../../upgrade/load.ts'
import { type Pooler, startPgbouncer } from '../parts/pgbouncer.ts'
import type { Program } from '../parts/programs.ts'
import { startRedis } from '../parts/redis.ts'
import { openWorld } from '../parts/world.ts'
import { makeDataFolder } from '../../bench/data_folder.ts'
import { rm } from 'node:fs/promises'
import { type Drill, outcomeOf, recovery } from './drill.ts'

const calmMilliseconds = 3000
const awayMilliseconds = 5000

/** PgBouncer in transaction mode between two services and the database; it is killed and comes back. */
export const poolerKilled: Drill = {
  name: 'pooler-killed',
  about: `PgBouncer in transaction mode, killed for ${awayMilliseconds / 1000} s`,
  mayRefuse: true,
  async run() {
    let pooler: Pooler | undefined
    const world = await openWorld({
      services: 1,
      async through(databaseUrl, folder) {
        pooler = await startPgbouncer(folder, databaseUrl)
        console.log(`  PgBouncer ${pooler.version}`)
        return pooler.urlOf(databaseUrl)
      },
    })
    try {
      const api = `http://127.0.0.1:${world.services[0]!.port}`
      const load = startLoad(api, world.workspaces, 'drill')
      await pause(calmMilliseconds)
      await pooler!.stop('SIGKILL')
      await pause(awayMilliseconds)
      await pooler!.start()
      const seconds = await recovery(api, world)
      await pause(calmMilliseconds)
      const outcome = await outcomeOf(world, await load.stop(), seconds)
      await pooler!.stop()
      return outcome
    } finally {
      await world.stop()
    }
  },
}

const limitPerMinute = 120
const asked = 260

/** Two services count in one Redis, which is then killed: limits are wider, and no call fails. */
export const redisKilled: Drill = {
  name: 'redis-killed',
  about: `limits of two services in Redis, killed for ${awayMilliseconds / 1000} s`,
  mayRefuse: false,
  async run() {
    const folder = await makeDataFolder()
    const redis: Program = await startRedis(folder)
    const world = await openWorld({
      services: 2,
      settings: {
        REDIS_URL: `redis://127.0.0.1:${redis.port}`,
        RATE_LIMIT_PER_MINUTE: String(limitPerMinute),
      },
    })
    try {
      const { key } = world.workspaces[0]!
      const ask = async (index: number) => {
        const { port } = world.services[index % 2]!
        const headers = { Authorization: `Bearer ${key}` }
        const answer = await fetch(`http://127.0.0.1:${port}/v1/workspaces`, { headers })
        await answer.body?.cancel()
        return answer.status
      }
      const count = async () => {
        const statuses: Record<number, number> = {}
        for (let index = 0; index < asked; index++) {
          const status = await ask(index)
          statuses[status] = (statuses[status] ?? 0) + 1
        }
        return statuses
      }
      // The setup of the shops has counted, too: begin with a new minute.
      await redis.stop('SIGKILL')
      await redis.start()
      await pause(awayMilliseconds)
      const together = await count()
      await redis.stop('SIGKILL')
      const alone = await count()
      await redis.start()
      await pause(awayMilliseconds)
      console.log(`  with Redis ${JSON.stringify(together)}, without ${JSON.stringify(alone)}`)
      const failed = [together, alone].flatMap((statuses) =>
        Object.entries(statuses)
          .filter(([status]) => status !== '200' && status !== '429')
          .map(([status, times]) => `${times} × ${status}`),
      )
      const passed = together[200] ?? 0
      // A lot that one of them holds may be left over.
      if (passed < limitPerMinute - 4 || passed > limitPerMinute)
        failed.push(`${passed} of ${asked} passed at a limit of ${limitPerMinute}`)
      const none = { calls: {}, failures: [], created: new Set<string>() }
      const outcome = await outcomeOf(world, none)
      return { ...outcome, calls: 2 * asked, failed }
    } finally {
      await world.stop()
      await redis.stop()
      await rm(folder, { recursive: true, force: true })
    }
  },
}
