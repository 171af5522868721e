import { rm } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { makeDataFolder } from '../../bench/data_folder.ts'
import { execute } from '../../distributed/nodes.ts'
import { startLoad } from '../../upgrade/load.ts'
import { startOwnWrites } from '../parts/own_writes.ts'
import { type Replicated, startReplicated } from '../parts/replicated.ts'
import { openWorld, type World } from '../parts/world.ts'
import { type Drill, type Outcome, outcomeOf, recovery } from './drill.ts'

const calmMilliseconds = 3000
const faultMilliseconds = 5000

type Parts = Omit<Parameters<typeof openWorld>[0], 'databaseUrl'>

/** Services on a primary and its standby. */
async function onReplicated(
  isSynchronous: boolean,
  partsOf: (servers: Replicated) => Parts,
  run: (world: World, servers: Replicated) => Promise<Outcome>,
): Promise<Outcome> {
  const folder = await makeDataFolder()
  const servers = await startReplicated(folder, { isSynchronous })
  try {
    const world = await openWorld({ ...partsOf(servers), databaseUrl: servers.url })
    try {
      return await run(world, servers)
    } finally {
      await world.stop()
    }
  } finally {
    await servers.stop()
    await rm(folder, { recursive: true, force: true, maxRetries: 20 })
  }
}

/** A primary and its synchronous standby under one address; the primary is lost, the standby takes over. */
function takeOver(
  name: string,
  about: string,
  fault: (servers: Replicated) => Promise<void> | void,
): Drill {
  return {
    name,
    about: `${about}, whose standby is promoted a second later`,
    mayRefuse: true,
    recoversWithin: 5,
    run: () =>
      onReplicated(
        true,
        () => ({ services: 1 }),
        async (world, servers) => {
          const api = `http://127.0.0.1:${world.services[0]!.port}`
          const load = startLoad(api, world.workspaces, 'drill')
          await pause(calmMilliseconds)
          await fault(servers)
          await pause(1000)
          await servers.promote()
          const recoverySeconds = await recovery(api, world)
          await pause(calmMilliseconds)
          return outcomeOf(world, await load.stop(), recoverySeconds)
        },
      ),
  }
}

export const failover = takeOver('failover', 'kill -9 of the primary of two hosts', ({ primary }) =>
  primary.kill(),
)

/** As with a machine that is switched off: its connections stay open. */
export const silentFailover = takeOver(
  'failover-silent',
  'the primary of two hosts answers nothing any more',
  ({ primary }) => primary.signal('SIGSTOP'),
)

/** Two services read from a replica with which something is wrong for a while. */
function onReplica(
  name: string,
  about: string,
  fault: (servers: Replicated) => Promise<void>,
): Drill {
  return {
    name,
    about,
    mayRefuse: false,
    run: () =>
      onReplicated(
        false,
        ({ standby }) => ({ services: 2, settings: { DATABASE_REPLICA_URL: standby.url } }),
        async (world, servers) => {
          const apis = world.services.map(({ port }) => `http://127.0.0.1:${port}`)
          const load = startLoad(apis[0]!, world.workspaces, 'drill')
          const writes = startOwnWrites(apis, world.workspaces[0]!)
          await pause(calmMilliseconds)
          await fault(servers)
          await pause(calmMilliseconds)
          const outcome = await outcomeOf(world, await load.stop())
          const { reads, stale, failed, slowestMilliseconds } = await writes.stop()
          const slowest = Math.round(slowestMilliseconds)
          console.log(`  ${reads} reads after writes, ${stale.length} stale, slowest ${slowest} ms`)
          return {
            ...outcome,
            calls: outcome.calls + reads,
            failed: [...outcome.failed, ...failed, ...stale],
          }
        },
      ),
  }
}

const seconds = faultMilliseconds / 1000

export const replicaLate = onReplica(
  'replica-late',
  `the replica replays nothing for ${seconds} s`,
  async ({ standby }) => {
    await execute(standby.url, 'select pg_wal_replay_pause()')
    await pause(faultMilliseconds)
    await execute(standby.url, 'select pg_wal_replay_resume()')
  },
)

export const replicaKilled = onReplica(
  'replica-killed',
  `kill -9 of the replica, which comes back after ${seconds} s`,
  async ({ standby }) => {
    await standby.kill()
    await pause(faultMilliseconds)
    await standby.start()
  },
)

export const replicaFrozen = onReplica(
  'replica-frozen',
  `the replica stands still for ${seconds} s`,
  async ({ standby }) => {
    standby.signal('SIGSTOP')
    await pause(faultMilliseconds)
    standby.signal('SIGCONT')
  },
)
