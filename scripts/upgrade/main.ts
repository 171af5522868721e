// npm run upgrade:test -- <folder of an older release> [products] [runs]
//
// Starts the older release on a database of its own with so many products, calls it 20 times a second,
// starts this build beside it, kills that three times midway, lets both serve, then stops the older one
// and starts this build again, which contracts. Prints the calls of each run and what failed or was
// miscounted; there must be nothing. The folder needs its packages and its build (`npm ci`, then
// `node scripts/build.mjs`).
import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { connect } from '../../src/db/connect.ts'
import { startEmbeddedPostgres } from '../../src/db/embedded.ts'
import { recount } from '../../src/queries/upkeep/recount.ts'
import { makeDataFolder } from '../bench/data_folder.ts'
import { build } from '../build.mjs'
import { fillWorkspaces } from './catalogue.ts'
import { startLoad } from './load.ts'
import { type RunningBuild, startBuild } from './running_build.ts'

const root = join(import.meta.dirname, '..', '..')
/** Steps of migrations after which this build is killed, other ones in each run. */
const killsOf = (run: number) => [4, 30, 75].map((steps) => steps + run * 5)
const secondsSideBySide = 10

interface Row {
  calls: number
  'calls of the new build': number
  kills: number
  'seconds until ready': number
  contracted: number
  problems: string[]
}

/** Products that were acknowledged, and are not there. */
async function missingOf(database: pg.Pool, created: Set<string>): Promise<string[]> {
  const { rows } = await database.query<{ id: string }>(
    `select id from unnest($1::text[]) as c (id)
     where not exists (select from products p where p.id = c.id)`,
    [[...created]],
  )
  return rows.map(({ id }) => `${id} was acknowledged and is not there`)
}

async function upgrade(
  folder: string,
  { url, dataDir, products, run }: { url: string; dataDir: string; products: number; run: number },
): Promise<Row> {
  const settings = {
    DATABASE_URL: url,
    DATA_DIR: dataDir,
    SECRET_KEY: 'a secret of the upgrade test, long enough',
  }
  const database = new pg.Pool({ connectionString: url, max: 2, application_name: 'vitrine 9999' })
  const running = new Set<{ stop(signal: 'SIGKILL'): Promise<unknown> }>()
  const start = async (from: string) => {
    const started = await startBuild(from, settings)
    running.add(started)
    return started
  }
  try {
    // The embedded PostgreSQL logs none otherwise.
    for (const setting of ['log_min_messages = error', 'log_lock_waits = on'])
      await database.query(`alter database ${new URL(url).pathname.slice(1)} set ${setting}`)
    const older = await start(folder)
    await older.ready
    const { apiKey } = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as {
      apiKey: string
    }
    const workspaces = await fillWorkspaces(database, { api: older.api, key: apiKey, products })
    let latest: RunningBuild = older
    const load = startLoad(older.api, workspaces, 'old', () => latest.steps().at(-1) ?? '')
    await pause(5000)
    const kills = killsOf(run)
    const startedAt = performance.now()
    for (const steps of kills) {
      const killed = (latest = await start(root))
      await killed.migrated(steps)
      await killed.stop('SIGKILL')
    }
    const newer = (latest = await start(root))
    await newer.ready
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    const loadOfNewer = startLoad(newer.api, workspaces, 'new')
    await pause(secondsSideBySide * 1000)
    const ofNewer = await loadOfNewer.stop()
    const ofOlder = await load.stop()
    const problems = [...ofOlder.failures, ...ofNewer.failures]
    const code = await older.stop('SIGTERM')
    if (code !== 0) problems.push(`The older build ended with ${code}.`)
    await newer.stop('SIGTERM')
    const again = await start(root)
    await again.ready
    const { rows } = await database.query<{ name: string }>(
      `select name from service_migrations where name like '%\\_alone' order by 1`,
    )
    for (const { created } of [ofOlder, ofNewer])
      problems.push(...(await missingOf(database, created)))
    const connection = connect(url, { max: 1, patient: true })
    try {
      await recount(connection.db, (line) => problems.push(line))
    } finally {
      await connection.close()
    }
    await again.stop('SIGTERM')
    const sum = (calls: Record<string, number>) => Object.values(calls).reduce((a, b) => a + b, 0)
    return {
      calls: sum(ofOlder.calls),
      'calls of the new build': sum(ofNewer.calls),
      kills: kills.length,
      'seconds until ready': seconds,
      contracted: rows.length,
      problems,
    }
  } finally {
    for (const each of running) await each.stop('SIGKILL')
    await database.end()
  }
}

/** What PostgreSQL refused meanwhile. Locks that migrations do not wait for are no fault. */
function errorsOf(log: string): string[] {
  const lines = readFileSync(log, 'utf8').split('\n')
  return lines
    .filter(
      (line) =>
        /ERROR:|DETAIL:|CONTEXT:|still waiting/.test(line) && !line.includes('lock timeout'),
    )
    .slice(0, 40)
}

async function main(): Promise<void> {
  const [folder, products = '60000', runs = '5'] = process.argv.slice(2)
  if (folder === undefined)
    throw new Error('Usage: npm run upgrade:test -- <folder of an older release> [products] [runs]')
  await build()
  for (let run = 0; run < Number(runs); run++) {
    const dataDir = await makeDataFolder()
    const postgres = await startEmbeddedPostgres({
      dataDir: join(dataDir, 'database'),
      durable: true,
    })
    try {
      const { problems, ...row } = await upgrade(resolve(folder), {
        url: postgres.url,
        dataDir,
        products: Number(products),
        run,
      })
      console.table([{ run: run + 1, ...row, problems: problems.length }])
      for (const problem of problems.slice(0, 50)) console.log(`  ${problem}`)
      if (problems.length > 0) {
        process.exitCode = 1
        for (const line of errorsOf(join(dataDir, 'database', 'postgres.log'))) console.log(line)
      }
    } finally {
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    }
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
