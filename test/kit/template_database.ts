import { randomBytes } from 'node:crypto'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { distribute, requireExtension } from '../../src/db/distribution.ts'
import { migrate } from '../../src/db/migrate.ts'

/** The addresses of the workers on which the databases of this run are distributed, if they are. */
export function workerUrlsOf(env: NodeJS.ProcessEnv): string[] {
  return env['TEST_WORKER_URLS']?.split(',') ?? []
}

function databaseAt(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

export async function execute(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** A migrated database to copy from; with workers, distributed over them. Returns its name. */
export async function makeTemplate(serverUrl: string, workerUrls: string[]): Promise<string> {
  const name = `vitrine_template_${randomBytes(6).toString('hex')}`
  await execute(serverUrl, `create database ${name} template template0`)
  const pool = new pg.Pool({ connectionString: databaseAt(serverUrl, name), max: 1 })
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  try {
    await migrate(db, { environment: 'development' })
    if (workerUrls.length > 0) await distributeTemplate(db, name, serverUrl, workerUrls)
  } finally {
    await db.destroy()
  }
  if (workerUrls.length > 0)
    for (const url of [serverUrl, ...workerUrls]) await closeDatabase(url, name)
  return name
}

async function distributeTemplate(
  db: Kysely<unknown>,
  name: string,
  serverUrl: string,
  workerUrls: string[],
): Promise<void> {
  await sql`create extension citus`.execute(db)
  const { hostname, port } = new URL(serverUrl)
  await sql`select citus_set_coordinator_host(${hostname}, ${port}::integer)`.execute(db)
  for (const workerUrl of workerUrls) {
    await execute(workerUrl, `create database ${name} template template0`)
    await execute(databaseAt(workerUrl, name), 'create extension citus')
    const worker = new URL(workerUrl)
    await sql`select citus_add_node(${worker.hostname}, ${worker.port}::integer)`.execute(db)
  }
  await requireExtension(db)
  await distribute(db, () => undefined)
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
