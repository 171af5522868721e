import { readFileSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { connect } from '../../../src/db/connect.ts'
import { startEmbeddedPostgres } from '../../../src/db/embedded.ts'
import { brokenWallets } from '../../../src/queries/credits/wallet_audit.ts'
import { recount } from '../../../src/queries/upkeep/recount.ts'
import { exampleOf } from '../../../src/core/examples.ts'
import { makeDataFolder } from '../../bench/data_folder.ts'
import { build } from '../../build.mjs'
import { creatorAt, type Workspace } from '../../upgrade/catalogue.ts'
import type { LoadOutcome } from '../../upgrade/load.ts'
import { type RunningBuild, startBuild } from '../../upgrade/running_build.ts'
import { freePort } from '../../../test/kit/free_ports.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const secret = 'a secret of the drills, long enough'

/** A service that can be stopped and started again at the same address. */
export interface DrillService {
  port: number
  pid(): number
  start(): Promise<void>
  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

/** A database, services on it, and shops to call. */
export interface World {
  folder: string
  databaseUrl: string
  services: DrillService[]
  workspaces: Workspace[]
  /** What is wrong in the end with what was acknowledged and counted. */
  verify(outcome: LoadOutcome): Promise<Damage>
  stop(): Promise<void>
}

export interface Damage {
  lost: number
  miscounted: number
  wallets: number
}

interface WorldParts {
  services: number
  settings?: Record<string, string>
  /** The address at which services find the database, if it is not the server's own. */
  through?: (databaseUrl: string, folder: string) => Promise<string>
  /** Another database than one of its own. */
  databaseUrl?: string
}

export async function openWorld({
  services: count,
  settings = {},
  databaseUrl: given,
  through = (url) => Promise.resolve(url),
}: WorldParts): Promise<World> {
  await build()
  const folder = await makeDataFolder()
  const postgres = given
    ? { url: given, stop: () => Promise.resolve() }
    : await startEmbeddedPostgres({ dataDir: join(folder, 'database') })
  const services: DrillService[] = []
  const stop = async () => {
    for (const service of services) await service.stop('SIGKILL')
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const own = {
      DATABASE_URL: await through(postgres.url, folder),
      SECRET_KEY: secret,
      ...settings,
    }
    for (let index = 0; index < count; index++)
      services.push(await openService(join(folder, `service-${index}`), own))
    const demo = join(folder, 'service-0', 'demo.json')
    const { apiKey } = JSON.parse(readFileSync(demo, 'utf8')) as { apiKey: string }
    const api = `http://127.0.0.1:${services[0]!.port}`
    const workspaces = await openShops(postgres.url, api, apiKey)
    return {
      folder,
      databaseUrl: postgres.url,
      services,
      workspaces,
      verify: (outcome) => damageOf(postgres.url, outcome),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

async function openService(
  dataDir: string,
  settings: Record<string, string>,
): Promise<DrillService> {
  await mkdir(dataDir, { recursive: true })
  const port = await freePort()
  let running: RunningBuild
  const start = async () => {
    running = await startBuild(root, { DATA_DIR: dataDir, API_PORT: String(port), ...settings })
    await running.ready
  }
  await start()
  return {
    port,
    start,
    pid: () => running.pid,
    async stop(signal) {
      await running.stop(signal)
    },
  }
}

const shops = ['lale', 'deniz', 'bahar']
const productsOfShop = 10

async function openShops(databaseUrl: string, api: string, key: string): Promise<Workspace[]> {
  const connection = connect(databaseUrl, { max: 1 })
  await connection.db.updateTable('accounts').set({ workspace_limit: 10 }).execute()
  await connection.close()
  const post = creatorAt(api, key)
  return Promise.all(
    shops.map(async (subDomain) => {
      const id = await post('', { name: `Shop ${subDomain}`, subDomain, templateKey: 'beauty' })
      const tagId = await post(`/${id}/tags`, { name: 'Krem' })
      const productIds: string[] = []
      for (let number = 0; number < productsOfShop; number++)
        productIds.push(
          await post(`/${id}/products`, {
            ...exampleOf('ProductUpdate'),
            name: `Krem ${number}`,
            sku: `first ${number}`,
            barcode: `first ${number}`,
            imageIds: [],
            tagIds: [tagId],
          }),
        )
      return { id, key, tagId, productIds }
    }),
  )
}

async function damageOf(databaseUrl: string, { created }: LoadOutcome): Promise<Damage> {
  const connection = connect(databaseUrl, { max: 2, patient: true })
  try {
    const { rows } = await sql<{ lost: number }>`
      select count(*)::integer as lost from unnest(${[...created]}::text[]) as c (id)
      where not exists (select from products p where p.id = c.id)`.execute(connection.db)
    const miscounted = await recount(connection.db, () => undefined, { isTrial: true })
    const wallets = await brokenWallets(connection.db)
    return { lost: rows[0]!.lost, miscounted, wallets: wallets.length }
  } finally {
    await connection.close()
  }
}
