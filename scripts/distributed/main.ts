// npm run test:distributed: runs the tests of the wings that keep workspaces' data on a database that
// Citus distributes over two workers, then moves shards and ends a worker under traffic. Arguments
// select tests, as in npm test, or `faults` for the second part alone. `speed` compares what calls cost
// there with what they cost on one PostgreSQL; a word behind it selects calls by their names.
//
// CITUS_SOURCE  a tar archive of Citus, built if PostgreSQL has no citus.so yet
// PG_CONFIG     the pg_config of a PostgreSQL with its server headers
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { type Cluster, startCluster } from './cluster.ts'
import { HarnessError, provideExtension } from './extension.ts'
import { runFaults } from './faults.ts'
import { compareSpeed } from './speed.ts'

const root = join(import.meta.dirname, '..', '..')
const wings = ['catalogue', 'media', 'site', 'credits', 'people', 'agents']
const folders = ['distributed', ...wings].map((name) => `test/${name}/`)

/** Whether a signal has ended the tests: what would follow them does not begin. */
let isEnded = false

/** Runs the tests on the cluster; resolves to their exit code. */
function runTests({ coordinator, workers }: Cluster, selected: string[]): Promise<number> {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const child = spawn(process.execPath, [vitest, 'run', '--project', 'service', ...selected], {
    cwd: root,
    env: {
      ...process.env,
      DATABASE_URL: coordinator.url,
      TEST_WORKER_URLS: workers.map(({ url }) => url).join(),
    },
    stdio: 'inherit',
  })
  // Ctrl-C also reaches vitest, which closes its databases; wait for that.
  process.on('SIGINT', () => (isEnded = true))
  for (const signal of ['SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => (isEnded = child.kill(signal)))
  return new Promise((resolve) => child.once('close', (code) => resolve(code ?? 1)))
}

async function main(): Promise<number> {
  const { PG_CONFIG: pgConfig = '/usr/lib/postgresql/15/bin/pg_config', CITUS_SOURCE: source } =
    process.env
  const programs = provideExtension({ pgConfig, source })
  const selected = process.argv.slice(2)
  const isSpeed = selected[0] === 'speed'
  const cluster = await startCluster(programs, { withOneAlone: isSpeed })
  const { coordinator, workers } = cluster
  const ports = workers.map(({ port }) => port).join(' and ')
  console.log(`A coordinator listens on port ${coordinator.port}, workers on ${ports}.`)
  const everything = selected.length === 0
  const faultsAlone = selected[0] === 'faults'
  try {
    if (isSpeed) return await compareSpeed(cluster, selected[1] ?? '')
    const code = faultsAlone ? 0 : await runTests(cluster, everything ? folders : selected)
    const held = faultsAlone || (everything && !isEnded) ? await runFaults(cluster) : true
    return held ? code : 1
  } finally {
    await cluster.stop()
  }
}

main().then(
  (code) => {
    process.exitCode = code
  },
  (error: unknown) => {
    console.error(error instanceof HarnessError ? error.message : error)
    process.exitCode = 1
  },
)
