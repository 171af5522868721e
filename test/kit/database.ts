import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { execute, introduceNodes } from '../../scripts/distributed/nodes.ts'

export interface TestDatabase {
  url: string
  drop(): Promise<void>
}

/** Without an address the driver would try whatever listens at the usual port. */
function serverUrl(): string {
  const url = inject('serverUrl') as string | undefined
  if (url === undefined) throw new Error('A unit test has no database.')
  return url
}

/** Whether the databases of this run are distributed, as by `npm run test:distributed`. */
export const isDistributed = () => inject('workerUrls').length > 0

/** A distributed database is one on each node, under the same name. The coordinator comes first. */
const serverUrls = () => [serverUrl(), ...inject('workerUrls')]

/**
 * Copying fails while any session uses the template, such as another copy that is finishing, and
 * dropping while another node is just connecting.
 */
async function executeRetrying(url: string, statement: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await execute(url, statement)
      return
    } catch (error) {
      const objectInUse = error instanceof pg.DatabaseError && error.code === '55006'
      if (!objectInUse || attempt === 5) throw error
    }
  }
}

async function createFrom(template: string, options = ''): Promise<TestDatabase> {
  const name = `vitrine_test_${randomBytes(8).toString('hex')}`
  const statement = `create database ${name} template ${template} ${options}`
  await Promise.all(serverUrls().map((server) => executeRetrying(server, statement)))
  const url = new URL(serverUrl())
  url.pathname = `/${name}`
  // With `npm run test:pooler`, databases are used through a pooler, and made on the server itself.
  const pooler = process.env['TEST_POOLER']
  if (pooler !== undefined) {
    url.searchParams.delete('host')
    url.host = pooler
  }
  return { url: url.href, drop: () => dropDatabase(name) }
}

async function dropDatabase(name: string): Promise<void> {
  // The daemon of a distributed database would connect again as soon as it is ended.
  const close = `update pg_database set datallowconn = false where datname = '${name}'`
  for (const server of serverUrls()) {
    if (isDistributed()) await execute(server, close)
    await executeRetrying(server, `drop database if exists ${name} with (force)`)
  }
}

/**
 * A new, empty database with every migration applied. Copied as files, which takes half as long as
 * copying through the WAL.
 */
export const createDatabase = (): Promise<TestDatabase> =>
  createFrom(inject('templateName'), 'strategy file_copy')

/** A copy of a database that nobody is connected to. */
export const createCopy = ({ url }: TestDatabase): Promise<TestDatabase> =>
  createFrom(new URL(url).pathname.slice(1), 'strategy file_copy')

/** A database without tables; options are those of CREATE DATABASE. */
export const createEmptyDatabase = (options = ''): Promise<TestDatabase> =>
  createFrom('template0', options)

/** A database without tables on the nodes of a cluster, whose coordinator knows its workers. */
export async function createClusterDatabase(): Promise<TestDatabase> {
  const database = await createEmptyDatabase()
  const name = new URL(database.url).pathname.slice(1)
  await introduceNodes(name, serverUrl(), inject('workerUrls'))
  return database
}
