import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { withBaseUrl } from './base_url.ts'
import { rememberPool } from './own_connection.ts'
import { statementName } from './prepared.ts'
import type { Database } from './schema.ts'

export interface Connection {
  db: Kysely<Database>
  pool: pg.Pool
  close(): Promise<void>
}

/** Timestamps are read in the contract's format, bigints as numbers. */
const parsers: Record<number, (value: string) => unknown> = {
  [pg.types.builtins.TIMESTAMPTZ]: (value) => new Date(value).toISOString(),
  [pg.types.builtins.INT8]: Number,
}

/**
 * Until 0022 is applied, triggers count for the build before. Each new connection tells them that
 * this build's statements keep the counts themselves. The pool waits for it, whatever its type says.
 */
const countingClients: { onConnect(client: pg.ClientBase): void } = {
  onConnect: (client) => client.query(`set vitrine.counts = 'kept'`) as unknown,
}

/** Type parsers shared by every pool. */
export const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary'): unknown =>
    (format === 'binary' ? undefined : parsers[oid]) ?? pg.types.getTypeParser(oid, format),
}

/**
 * A connection pool. Statements time out after seven seconds, on the server and, in case the
 * server hangs, in the client: every fault must end in an answer. Migrations are `patient`.
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
    /** How long a call waits for a connection before it is refused. */
    waitMilliseconds?: number
  } = {},
): Connection {
  const pool = new pg.Pool({
    ...countingClients,
    connectionString: url,
    max,
    connectionTimeoutMillis: waitMilliseconds,
    ...(patient ? {} : { statement_timeout: 7_000, query_timeout: 8_000 }),
    idle_in_transaction_session_timeout: 60_000,
    types,
  })
  // The pool replaces broken connections and their queries fail on their own, but without a
  // listener the error event would end the process.
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
  rememberPool(db, pool)
  return { db, pool, close: () => (pool.ended ? Promise.resolve() : pool.end()) }
}

type Query = (text: string, values: readonly unknown[]) => Promise<pg.QueryResult>
const wrapped = new WeakMap<pg.PoolClient, { query: Query; release(): void }>()

/**
 * Runs prepared queries as named statements, which the server parses and plans once, and fills in
 * the base URL where a statement asks for it.
 */
function asKyselyClient(client: pg.PoolClient, baseUrl: string | undefined): PostgresPoolClient {
  let facade = wrapped.get(client)
  if (!facade) {
    let timeoutError: Error | undefined
    /** Makes the pool close the connection and open another. */
    let fault: Error | undefined
    const query: Query = async (text, parameters) => {
      // Everything else, the rollback first, would queue behind the statement that timed out.
      if (timeoutError) throw timeoutError
      const name = statementName(text)
      const values = withBaseUrl(parameters, baseUrl)
      const config = name ? { name, text, values } : { text, values }
      try {
        return await client.query(config)
      } catch (error) {
        if (isTimeout(error)) fault = timeoutError = error
        if (isReadOnly(error)) fault = error
        throw error
      }
    }
    facade = { query, release: () => client.release(fault) }
    wrapped.set(client, facade)
  }
  // Kysely's type also covers cursors; no query here uses them.
  return facade as unknown as PostgresPoolClient
}

function isTimeout(error: unknown): error is Error {
  return error instanceof Error && error.message === 'Query read timeout'
}

/** After a failover, a session can stay read-only although new ones may write. */
function isReadOnly(error: unknown): error is Error {
  return error instanceof pg.DatabaseError && error.code === '25006'
}
