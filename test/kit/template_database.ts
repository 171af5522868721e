import { randomBytes } from 'node:crypto'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { distribute } from '../../src/db/distribution.ts'
import { migrate } from '../../src/db/migrate.ts'
import { databaseAt, execute, introduceNodes } from '../../scripts/distributed/nodes.ts'

/** The addresses of the workers on which the databases of this run are distributed, if they are. */
export function workerUrlsOf(env: NodeJS.ProcessEnv): string[] {
  return env['TEST_WORKER_URLS']?.split(',') ?? []
}

/** A migrated database to copy from; with workers, distributed over them. Returns its name. */
export async function makeTemplate(serverUrl: string, workerUrls: string[]): Promise<string> {
  const name = `vitrine_template_${randomBytes(6).toString('hex')}`
  for (const url of [serverUrl, ...workerUrls])
    await execute(url, `create database ${name} template template0`)
  if (workerUrls.length > 0) await introduceNodes(name, serverUrl, workerUrls)
  const pool = new pg.Pool({ connectionString: databaseAt(serverUrl, name), max: 1 })
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  try {
    await migrate(db, { environment: 'development' })
    if (workerUrls.length > 0) await distribute(db, () => undefined)
  } finally {
    await db.destroy()
  }
  if (workerUrls.length > 0)
    for (const url of [serverUrl, ...workerUrls]) await closeDatabase(url, name)
  return name
}

/**
 * A database in use cannot be copied, and the extension's daemon uses each that lets it in. The
 * copies find each other: nodes connect under the name of the database they are in.
 */
async function closeDatabase(nodeUrl: string, name: string): Promise<void> {
  await execute(
    nodeUrl,
    `alter database ${name} with allow_connections false`,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
  )
}
