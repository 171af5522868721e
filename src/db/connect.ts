import { Kysely, PostgresAdapter, PostgresDialect, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { withBaseUrl } from './base_url.ts'
import { sessionName } from './builds.ts'
import { rememberPool } from './own_connection.ts'
import { statementName } from './prepared.ts'
import { isReadOnly } from './read_only.ts'
import type { Database } from './schema.ts'
import { createShares } from '../fairness/shares.ts'

export interface Connection {
  db: Kysely<Database>
  pool: pg.Pool
  /** The same database, with no more connections than one account may hold. */
  dbOf: (account: string, use: Use) => Kysely<Database>
  close(): Promise<void>
}

const textArray = 1009
const parseTexts = pg.types.getTypeParser(textArray as never) as (value: string) => unknown
/** An array of words without quotes and nulls, as every key's scopes are. */
const plainTexts = /^\{[a-z][\w:]*(,[a-z][\w:]*)*\}$/

/** Timestamps are read in the contract's format, bigints as numbers. */
const parsers: Record<number, (value: string) => unknown> = {
  [pg.types.builtins.TIMESTAMPTZ]: (value) => new Date(value).toISOString(),
  [pg.types.builtins.INT8]: Number,
  [textArray]: (value) =>
    plainTexts.test(value) ? value.slice(1, -1).split(',') : parseTexts(value),
}

/**
 * Until 0024 is applied, triggers count for the build before. Each new connection tells them that
 * this build's statements keep the counts themselves.
 */
const keepCounts = `set vitrine.counts = 'kept'`
/** Ends the statement of a client that gave up waiting for it, where the server's system can tell. */
const noticeDepartures = `do $$ begin
    perform set_config('client_connection_check_interval', '500', false);
  exception when others then null; end $$`

/** The pool waits for it, whatever its type says. */
const preparedClients: { onConnect(client: pg.ClientBase): void } = {
  onConnect: (client) => client.query(`${keepCounts}; ${noticeDepartures}`) as unknown,
}

/** Type parsers shared by every pool. */
export const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary'): unknown =>
    (format === 'binary' ? undefined : parsers[oid]) ?? pg.types.getTypeParser(oid, format),
}

/** Reads are given less time than writes: a caller can ask for a smaller page. */
export type Use = 'read' | 'write'
const readMilliseconds = 4000

/** The part of the pool that one account may hold, and how long its calls wait for each other. */
const shareOfPool = 1 / 3
const shareSeconds = 10

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
    ...preparedClients,
    connectionString: url,
    max,
    connectionTimeoutMillis: waitMilliseconds,
    ...(patient ? {} : { statement_timeout: 7_000, query_timeout: 8_000 }),
    idle_in_transaction_session_timeout: 60_000,
    fallback_application_name: sessionName,
    types,
  })
  // The pool replaces broken connections and their queries fail on their own, but without a
  // listener the error event would end the process.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))

  const adapter = new PostgresAdapter()
  const open = (connectClient: () => Promise<PostgresPoolClient>) => {
    const own = new PostgresDialect({ pool: { connect: connectClient, end: () => pool.end() } })
    return new Kysely<Database>({
      dialect: {
        // Shared, because it identifies the database.
        createAdapter: () => adapter,
        createDriver: () => own.createDriver(),
        createQueryCompiler: () => own.createQueryCompiler(),
        createIntrospector: (any) => own.createIntrospector(any),
      },
    })
  }
  const db = open(async () => lend(await pool.connect(), { baseUrl }))
  rememberPool(db, pool)
  return {
    db,
    pool,
    dbOf: sharedDatabases(pool, open, { baseUrl, max }),
    close: () => (pool.ended ? Promise.resolve() : pool.end()),
  }
}

type Open = (connectClient: () => Promise<PostgresPoolClient>) => Kysely<Database>

/** Databases of accounts, made on first use; the least recently used is forgotten. */
const maxDatabases = 2000

function sharedDatabases(
  pool: pg.Pool,
  open: Open,
  { baseUrl, max }: { baseUrl: string | undefined; max: number },
): Connection['dbOf'] {
  const shares = createShares({ places: Math.ceil(max * shareOfPool), seconds: shareSeconds })
  const databases = new Map<string, Kysely<Database>>()

  const openFor = (account: string, use: Use) => {
    const queryMilliseconds = use === 'read' ? readMilliseconds : undefined
    return open(async () => {
      const giveBack = await shares.take(account)
      try {
        return lend(await pool.connect(), { baseUrl, queryMilliseconds, giveBack })
      } catch (error) {
        giveBack()
        throw error
      }
    })
  }

  return (account, use) => {
    const key = `${use} ${account}`
    const database = databases.get(key) ?? openFor(account, use)
    databases.delete(key)
    databases.set(key, database)
    if (databases.size > maxDatabases) databases.delete(databases.keys().next().value!)
    return database
  }
}

/** What a connection is lent for. */
interface Lease {
  baseUrl: string | undefined
  queryMilliseconds?: number | undefined
  giveBack?: () => void
}

interface Borrowed {
  query(text: string, parameters: readonly unknown[]): Promise<pg.QueryResult>
  release(): void
  lease: Lease
}

/** Kysely recognises a connection by this object, and sets up one that it has not seen before. */
const borrowed = new WeakMap<pg.PoolClient, Borrowed>()

/** Lends a connection to Kysely until it is released. */
function lend(client: pg.PoolClient, lease: Lease): PostgresPoolClient {
  let connection = borrowed.get(client)
  if (connection) connection.lease = lease
  else borrowed.set(client, (connection = borrowedOf(client, lease)))
  // Kysely's type also covers cursors; no query here uses them.
  return connection as unknown as PostgresPoolClient
}

/**
 * Runs prepared queries as named statements, which the server parses and plans once, and fills in
 * the base URL where a statement asks for it.
 */
function borrowedOf(client: pg.PoolClient, firstLease: Lease): Borrowed {
  /** Everything else, the rollback first, would queue behind the statement that timed out. */
  let timeout: Error | undefined
  /** Makes the pool close the connection and open another. */
  let fatal: Error | undefined
  return {
    lease: firstLease,
    async query(text, parameters) {
      if (timeout) throw timeout
      const { baseUrl, queryMilliseconds } = this.lease
      try {
        // The driver knows a timeout of one query, its types do not.
        const query: pg.QueryConfig & { query_timeout?: number | undefined } = {
          name: statementName(text) || undefined,
          text,
          values: withBaseUrl(parameters, baseUrl),
          query_timeout: queryMilliseconds,
        }
        return await client.query(query)
      } catch (error) {
        if (isTimeout(error)) fatal = timeout = error
        // After a failover, a session can stay read-only although new ones may write.
        if (isReadOnly(error)) fatal = error
        throw error
      }
    },
    release() {
      const { giveBack } = this.lease
      client.release(fatal)
      giveBack?.()
    },
  }
}

function isTimeout(error: unknown): error is Error {
  return error instanceof Error && error.message === 'Query read timeout'
}
