// npm run feed:test [-- writes]
//
// Eight writers send random writes (100,000 by default) to two processes of this build on one database,
// while a follower in a process of its own copies the workspace by the change feed. Every ten seconds or so
// one of the three is killed and started again. Fails unless the copy equals the source in the end.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { startEmbeddedPostgres } from '../../src/db/embedded.ts'
import { makeDataFolder } from '../bench/data_folder.ts'
import { build } from '../build.mjs'
import { type RunningBuild, startBuild } from '../upgrade/running_build.ts'
import { type Replica, readSource } from './replica.ts'
import type { FeedShop } from './shop.ts'
import { type Known, writeAtRandom } from './writes.ts'

const root = join(import.meta.dirname, '..', '..')
const writers = 8
/** Starting again takes the machine a second or two. */
const killSeconds = { least: 5, most: 15 }
const random = (below: number) => Math.floor(Math.random() * below)

const writes = Number(process.argv[2] ?? 100_000)
await build()
const dataDir = await makeDataFolder()
const database = await startEmbeddedPostgres({ dataDir })
const settings = {
  DATABASE_URL: database.url,
  DATA_DIR: dataDir,
  SECRET_KEY: 'a secret of the feed test, long enough',
}
const services: RunningBuild[] = []
let follower: ChildProcess | undefined
let kills = 0

async function startService(place: number): Promise<void> {
  const started = await startBuild(root, settings)
  await started.ready
  services[place] = started
}

/** The demo's shop: what it began with is in its feed, too. */
async function demoShop(): Promise<FeedShop> {
  const { apiKey } = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as {
    apiKey: string
  }
  const answer = await fetch(`${services[0]!.api}/v1/workspaces`, {
    headers: { Authorization: `Bearer ${apiKey}` },
  })
  const { workspaces } = (await answer.json()) as { workspaces: { id: string }[] }
  return { key: apiKey, workspaceId: workspaces[0]!.id }
}

const state = join(dataDir, 'replica.json')
function startFollower({ key, workspaceId }: FeedShop): void {
  const apis = services.map(({ api }) => api).join(',')
  const program = join(import.meta.dirname, 'follower.ts')
  const node = ['--import', 'tsx', program, state, apis, key, workspaceId]
  follower = spawn(process.execPath, node, { stdio: ['ignore', 'inherit', 'inherit'], cwd: root })
}

/** Kills one of the services, or the follower, and starts it again. */
async function killAtRandom(shop: FeedShop): Promise<void> {
  const victim = random(3)
  kills++
  if (victim < 2) {
    await services[victim]!.stop('SIGKILL')
    await startService(victim)
  }
  // It must know where the service listens now.
  const ended = once(follower!, 'exit')
  follower!.kill('SIGKILL')
  await ended
  startFollower(shop)
}

try {
  await startService(0)
  await startService(1)
  const shop = await demoShop()
  startFollower(shop)
  const known: Known = { products: [], tags: [], collections: [] }
  let [sent, answered] = [0, 0]
  const begun = performance.now()
  const write = async (lane: number) => {
    while (answered < writes) {
      sent++
      if (await writeAtRandom(services[lane % 2]!.api, shop, known, random)) answered++
      // Its service was killed and starts again.
      else await pause(100)
    }
  }
  const writing = Promise.all(Array.from({ length: writers }, (_, lane) => write(lane)))
  let isWriting = true
  void writing.finally(() => (isWriting = false))
  while (isWriting) {
    await pause(killSeconds.least * 1000 + random((killSeconds.most - killSeconds.least) * 1000))
    if (isWriting) await killAtRandom(shop)
  }
  try {
    await writing
  } catch (error) {
    for (const service of services) for (const line of service.faults()) console.error(line)
    throw error
  }
  const seconds = (performance.now() - begun) / 1000
  const ended = once(follower!, 'exit')
  writeFileSync(`${state}.end`, '')
  await ended
  const { resources } = JSON.parse(readFileSync(state, 'utf8')) as Replica
  const source = await readSource(services[0]!.api, shop)
  const ids = [...new Set([...Object.keys(source), ...Object.keys(resources)])]
  const different = ids.filter((id) => !isDeepStrictEqual(source[id], resources[id]))
  console.table([
    {
      writes: answered,
      unanswered: sent - answered,
      kills,
      seconds: Math.round(seconds),
      resources: Object.keys(source).length,
      different: different.length,
    },
  ])
  if (different.length > 0) {
    console.error(different.slice(0, 5).map((id) => [source[id], resources[id]]))
    process.exitCode = 1
  }
} finally {
  follower?.kill('SIGKILL')
  for (const service of services) await service.stop('SIGKILL')
  await database.stop()
  await rm(dataDir, { recursive: true, force: true })
}
