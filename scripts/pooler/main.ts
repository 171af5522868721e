// npm run test:pooler: runs the tests of the service behind PgBouncer in transaction mode. Arguments
// select tests, as in npm test. Needs pgbouncer (Debian: apt-get install pgbouncer).
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../../src/db/embedded.ts'
import { startPgbouncer } from '../drill/parts/pgbouncer.ts'

const root = join(import.meta.dirname, '..', '..')
const wings = ['catalogue', 'media', 'site', 'credits', 'people', 'agents', 'assistant']
const more = ['administration', 'change_sets', 'every_operation', 'webhooks', 'mcp']
const folders = [...wings, ...more].map((name) => `test/${name}/`)

/**
 * Not behind a pooler: the first release, whose sessions these tests play, does not run there; and what
 * a test sets for a session, or counts of its statements, is other there.
 */
const leftOut = ['test/credits/usage_migration.test.ts', 'test/credits/usage_months.test.ts']

function runTests(env: NodeJS.ProcessEnv, selected: string[]): Promise<number> {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const args = [vitest, 'run', '--project', 'service', ...selected]
  const child = spawn(process.execPath, args, {
    cwd: root,
    env,
    stdio: 'inherit',
  })
  // Ctrl-C also reaches vitest, which closes its databases; wait for that.
  process.on('SIGINT', () => undefined)
  return new Promise((resolve) => child.once('close', (code) => resolve(code ?? 1)))
}

const folder = mkdtempSync(join(tmpdir(), 'vitrine-pooler-'))
chmodSync(folder, 0o711)
const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), durable: false })
try {
  const pooler = await startPgbouncer(folder, postgres.url)
  console.log(`PgBouncer ${pooler.version} listens on port ${pooler.port}.`)
  const selected = process.argv.slice(2)
  const env = {
    ...process.env,
    DATABASE_URL: postgres.url,
    TEST_POOLER: `127.0.0.1:${pooler.port}`,
    TEST_LEFT_OUT: leftOut.join(),
  }
  process.exitCode = await runTests(env, selected.length > 0 ? selected : folders)
  await pooler.stop()
} finally {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
}
