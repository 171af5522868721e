import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startStore } from '../../attack/loopback_store.ts'
import { startLoad } from '../../upgrade/load.ts'
import { signalServer } from '../parts/server_processes.ts'
import { openWorld, type World } from '../parts/world.ts'
import { type Drill, type Outcome, outcomeOf, recovery } from './drill.ts'

const calmMilliseconds = 2000
const faultMilliseconds = 5000

/** Runs a fault under load, and waits until calls succeed again. */
async function underLoad(world: World, fault: (world: World) => Promise<void>): Promise<Outcome> {
  const api = `http://127.0.0.1:${world.services[0]!.port}`
  const load = startLoad(api, world.workspaces, 'drill')
  await pause(calmMilliseconds)
  await fault(world)
  const seconds = await recovery(api, world)
  await pause(calmMilliseconds)
  return outcomeOf(world, await load.stop(), seconds)
}

async function withWorld(
  parts: Parameters<typeof openWorld>[0],
  fault: (world: World) => Promise<void>,
  prepare?: (world: World) => Promise<void>,
): Promise<Outcome> {
  const world = await openWorld(parts)
  try {
    await prepare?.(world)
    return await underLoad(world, fault)
  } finally {
    await world.stop()
  }
}

export const serviceKilled: Drill = {
  name: 'service-killed',
  about: 'kill -9 of the service, which is started again',
  mayRefuse: true,
  run: () =>
    withWorld({ services: 1 }, async ({ services: [service] }) => {
      await service!.stop('SIGKILL')
      await service!.start()
    }),
}

const postmasterOf = ({ folder }: World): number => {
  const file = join(folder, 'database', 'postgres', 'postmaster.pid')
  return Number(readFileSync(file, 'utf8').split('\n')[0])
}

export const databaseKilled: Drill = {
  name: 'database-killed',
  about: 'kill -9 of PostgreSQL with all its sessions',
  mayRefuse: true,
  run: () =>
    withWorld({ services: 1 }, (world) => {
      signalServer(postmasterOf(world), 'SIGKILL')
      return Promise.resolve()
    }),
}

export const databaseFrozen: Drill = {
  name: 'database-frozen',
  about: `PostgreSQL stands still for ${faultMilliseconds / 1000} s`,
  mayRefuse: true,
  run: () =>
    withWorld({ services: 1 }, async (world) => {
      const postmaster = postmasterOf(world)
      signalServer(postmaster, 'SIGSTOP')
      await pause(faultMilliseconds)
      signalServer(postmaster, 'SIGCONT')
    }),
}

export const storeHangs: Drill = {
  name: 'store-hangs',
  about: 'the media store takes requests and does not answer, from before the start on',
  mayRefuse: false,
  async run() {
    const store = await startStore()
    const { endpoint, region, bucket, accessKeyId, secretAccessKey } = store.settings
    const settings = {
      S3_ENDPOINT: endpoint,
      S3_REGION: region,
      S3_BUCKET: bucket,
      S3_ACCESS_KEY_ID: accessKeyId,
      S3_SECRET_ACCESS_KEY: secretAccessKey,
    }
    try {
      const fault = async () => {
        await pause(faultMilliseconds)
        store.resume()
      }
      return await withWorld({ services: 1, settings }, fault, async ({ services: [service] }) => {
        await service!.stop('SIGTERM')
        store.hang()
        await service!.start()
      })
    } finally {
      await store.close()
    }
  },
}

/** The short form of the first two, in one world. */
export const crashes: Drill = {
  name: 'crashes',
  about: 'kill -9 of the service, then of PostgreSQL',
  mayRefuse: true,
  run: () =>
    withWorld({ services: 1 }, async (world) => {
      const [service] = world.services
      await service!.stop('SIGKILL')
      await service!.start()
      signalServer(postmasterOf(world), 'SIGKILL')
    }),
}
