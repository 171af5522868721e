import { Kysely, PostgresAdapter, PostgresDialect, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { withBaseUrl } from './base_url.ts'
import { rememberPool } from './own_connection.ts'
import { statementName } from './prepared.ts'
import type { Database } from './schema.ts'
import { createShares } from './shares.ts'

export interface Connection {
  db: Kysely<Database>
  pool: pg.Pool
  /** The same database, with no more connections than one account may hold. */
  dbOf: (account: string, use: Use) => Kysely<Database>
  close(): Promise<void>
}

/** Timestamps are read in the contract's format, bigints as numbers. */
const parsers: Record<number, (value: string) => unknown> = {
  [pg.types.builtins.TIMESTAMPTZ]: (value) => new Date(value).toISOString(),
  [pg.types.builtins.INT8]: Number,
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
    types,
  })
  // The pool replaces broken connections and their queries fail on their own, but without a
  // listener the error event would end the process.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))

  const dialect = (connectClient: () => Promise<PostgresPoolClient>) =>
    new PostgresDialect({ pool: { connect: connectClient, end: () => pool.end() } })
  const adapter = new PostgresAdapter()
  const open = (connectClient: () => Promise<PostgresPoolClient>) => {
    const own = dialect(connectClient)
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
  const db = open(async () => asKyselyClient(await pool.connect(), { baseUrl }))
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

  const openFor = (account: string, use: Use) =>
    open(async () => {
      const giveBack = await shares.take(account)
      try {
        const client = await pool.connect()
        const limit = use === 'read' ? { queryMilliseconds: readMilliseconds } : {}
        return asKyselyClient(client, { baseUrl, giveBack, ...limit })
      } catch (error) {
        giveBack()
        throw error
      }
    })

  return (account, use) => {
    const key = `${use} ${account}`
    const database = databases.get(key) ?? openFor(account, use)
    databases.delete(key)
    databases.set(key, database)
    if (databases.size > maxDatabases) databases.delete(databases.keys().next().value!)
    return database
  }
}

type Query = (text: string, values: readonly unknown[]) => Promise<pg.QueryResult>

/** What has gone wrong on a connection. */
interface Faults {
  /** Everything else, the rollback first, would queue behind the statement that timed out. */
  timeout?: Error
  /** Makes the pool close the connection and open another. */
  fatal?: Error
}
const faultsOf = new WeakMap<pg.PoolClient, Faults>()

/**
 * Runs prepared queries as named statements, which the server parses and plans once, and fills in
 * the base URL where a statement asks for it.
 */
function asKyselyClient(
  client: pg.PoolClient,
  use: { baseUrl: string | undefined; queryMilliseconds?: number; giveBack?: () => void },
): PostgresPoolClient {
  const faults = faultsOf.get(client) ?? {}
  faultsOf.set(client, faults)
  const limit = use.queryMilliseconds ? { query_timeout: use.queryMilliseconds } : {}
  const query: Query = async (text, parameters) => {
    if (faults.timeout) throw faults.timeout
    const name = statementName(text)
    const values = withBaseUrl(parameters, use.baseUrl)
    const config = name ? { name, text, values, ...limit } : { text, values, ...limit }
    try {
      return await client.query(config)
    } catch (error) {
      if (isTimeout(error)) faults.fatal = faults.timeout = error
      if (isReadOnly(error)) faults.fatal = error
      throw error
    }
  }
  const release = () => {
    client.release(faults.fatal)
    use.giveBack?.()
  }
  // Kysely's type also covers cursors; no query here uses them.
  return { query, release } as unknown as PostgresPoolClient
}

function isTimeout(error: unknown): error is Error {
  return error instanceof Error && error.message === 'Query read timeout'
}

/** After a failover, a session can stay read-only although new ones may write. */
function isReadOnly(error: unknown): error is Error {
  return error instanceof pg.DatabaseError && error.code === '25006'
}
