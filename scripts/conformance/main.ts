import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { readConfig } from '../../src/core/config.ts'
import { connect } from '../../src/db/connect.ts'
import { startEmbeddedPostgres } from '../../src/db/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'
import { ensureAccount } from '../../src/queries/accounts.ts'
import type { Origin } from '../../src/surfaces/http.ts'
import { insertAgent } from '../bench/agents.ts'
import { build } from '../build.mjs'
import { startFixtures } from './fixtures.ts'
import { startProxy } from './proxy.ts'
import { checksOf, judge, type Revision, suites, type Target } from './suites.ts'

// Runs the official conformance suites of the Model Context Protocol. They come from the npm
// registry at the first run, with a Node that is new enough for them. Two targets: the service
// itself, and fixtures that the suites know by name on the service's own endpoint.

const service = {
  ...{ PATH: process.env.PATH, DASHBOARD_PORT: '0', ADMIN_PORT: '0' },
  ...{ SEED_DEMO: 'false', RATE_LIMIT_PER_MINUTE: '1000000', LOG_LEVEL: 'warn' },
}

async function startService(databaseUrl: string, dataDir: string, port: number) {
  const env = { ...service, DATABASE_URL: databaseUrl, DATA_DIR: dataDir, API_PORT: String(port) }
  const child = spawn(process.execPath, ['dist/main.js'], { env, stdio: 'inherit' })
  const ready = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await ready())) {
    if (child.exitCode !== null) throw new Error('The service did not start.')
    await delay(200)
  }
  return child
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}

async function main(): Promise<string[]> {
  await build()
  const dataDir = mkdtempSync(join(tmpdir(), 'vitrine-data-'))
  const postgres = await startEmbeddedPostgres({ dataDir })
  const connection = connect(postgres.url, { max: 1, patient: true })
  let child: ChildProcess | undefined
  let fixtures: Origin | undefined
  try {
    const { db } = connection
    await migrate(db as unknown as Kysely<unknown>, readConfig({}))
    await db.transaction().execute((trx) => ensureAccount(trx, 'owner@example.com', 'Owner'))
    const port = await freePort()
    child = await startService(postgres.url, dataDir, port)
    const fixturesPort = await freePort()
    fixtures = await startFixtures(db, fixturesPort)
    const targets = { service: port, fixtures: fixturesPort }
    const problems: string[] = []
    for (const [target, at] of Object.entries(targets)) {
      const token = await insertAgent(db, `http://localhost:${at}/mcp`)
      const proxy = await startProxy(new URL(`http://127.0.0.1:${at}`), token)
      const url = `http://localhost:${(proxy.address() as AddressInfo).port}/mcp`
      for (const revision of Object.keys(suites) as Revision[])
        problems.push(...judge(target as Target, revision, await checksOf(revision, url)))
      proxy.closeAllConnections()
      proxy.close()
    }
    return problems
  } finally {
    await fixtures?.drain()
    const ended = child && new Promise((resolve) => child?.once('exit', resolve))
    child?.kill('SIGTERM')
    await ended
    await connection.close()
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const problems = await main()
for (const problem of problems) console.error(problem)
process.exitCode = problems.length > 0 ? 1 : 0
