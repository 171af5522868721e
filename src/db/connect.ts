import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { withBaseUrl } from './base_url.ts'
import { statementName } from './prepared.ts'
import type { Database } from './schema.ts'

export interface Connection {
  db: Kysely<Database>
  pool: pg.Pool
  close(): Promise<void>
}

/** Times leave the database as the contract writes them, whole numbers as numbers. */
const parsers: Record<number, (value: string) => unknown> = {
  [pg.types.builtins.TIMESTAMPTZ]: (value) => new Date(value).toISOString(),
  [pg.types.builtins.INT8]: Number,
}

/** How values of the database become ours, for every pool that reads them. */
export const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary'): unknown =>
    (format === 'binary' ? undefined : parsers[oid]) ?? pg.types.getTypeParser(oid, format),
}

/**
 * A pool of connections. A statement is given up after seven seconds, by the server and, should
 * that not answer any more, by us: a fault must end in an answer. Migrations are `patient`.
 */
export function connect(
  url: string,
  {
    baseUrl,
    max = 12,
    patient = false,
    waitMilliseconds = 3000,
  }: {
    /** Where the service is reached; statements that answer URLs need it. */
    baseUrl?: string
    max?: number
    patient?: boolean
    /** For how long a call waits for a connection; one that waits longer is turned away. */
    waitMilliseconds?: number
  } = {},
): Connection {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: waitMilliseconds,
    ...(patient ? {} : { statement_timeout: 7_000, query_timeout: 8_000 }),
    idle_in_transaction_session_timeout: 60_000,
    types,
  })
  // A connection that breaks, idle or in use, is replaced by the pool; its query has failed by
  // itself. Without a listener the error would end the process.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))

  const db = new Kysely<Database>({
    dialect: new PostgresDialect({
      pool: {
        connect: async () => asKyselyClient(await pool.connect(), baseUrl),
        end: () => pool.end(),
      },
    }),
  })
  return { db, pool, close: () => (pool.ended ? Promise.resolve() : pool.end()) }
}

type Query = (text: string, values: readonly unknown[]) => Promise<pg.QueryResult>
const wrapped = new WeakMap<pg.PoolClient, { query: Query; release(): void }>()

/**
 * Lets prepared queries run as named statements, which the server parses and plans once, and puts
 * the base URL in where a statement asks for it.
 */
function asKyselyClient(client: pg.PoolClient, baseUrl: string | undefined): PostgresPoolClient {
  let facade = wrapped.get(client)
  if (!facade) {
    let lost: Error | undefined
    const query: Query = async (text, parameters) => {
      // Behind a statement that was given up everything else would wait, the rollback first.
      if (lost) throw lost
      const name = statementName(text)
      const values = withBaseUrl(parameters, baseUrl)
      const config = name ? { name, text, values } : { text, values }
      try {
        return await client.query(config)
      } catch (error) {
        if (isTimeout(error)) lost = error
        throw error
      }
    }
    facade = { query, release: () => client.release(lost) }
    wrapped.set(client, facade)
  }
  // Kysely's type also covers cursors, which no query here uses.
  return facade as unknown as PostgresPoolClient
}

function isTimeout(error: unknown): error is Error {
  return error instanceof Error && error.message === 'Query read timeout'
}
