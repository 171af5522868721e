import { Kysely, PostgresAdapter, PostgresDialect, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { sessionName } from './builds.ts'
import { createHosts, type Hosts } from './sessions/hosts.ts'
import { lend } from './sessions/lending.ts'
import { watchPrimary } from './sessions/primary_watch.ts'
import { rememberPool } from './own_connection.ts'
import type { Database } from './schema.ts'
import { type Session, sessionOf, setUpSession } from './sessions/session.ts'
import { observePoolWait } from '../core/telemetry/runtime_metrics.ts'
import { createShares } from '../fairness/shares.ts'

export interface Connection {
  db: Kysely<Database>
  pool: pg.Pool
  /** The same database, with no more connections than one account may hold. */
  dbOf: (account: string, use: Use) => Kysely<Database>
  /**
   * The same database, for background transactions: no call waits for them, so their statements may take
   * longer.
   */
  background: Kysely<Database>
  /** The same database on a connection that callers cannot occupy: for probes. */
  probe: Kysely<Database>
  /** What lies between the service and its database. */
  session(): Promise<Session>
  close(): Promise<void>
}

/** Timestamps are read in the contract's format, bigints as numbers. */
const parsers: Record<number, (value: string) => unknown> = {
  [pg.types.builtins.TIMESTAMPTZ]: (value) => new Date(value).toISOString(),
  [pg.types.builtins.INT8]: Number,
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
export const shareOfPool = 1 / 3
export const shareSeconds = 10

const defaultPoolSize = 12

/** The time after which a statement of a call is ended. */
const callMilliseconds = 7000
/** How much longer than the server a client waits before it assumes that the server hangs. */
const graceMilliseconds = 1000

/**
 * A connection pool. Statements time out after seven seconds, on the server and, in case the
 * server hangs, in the client: every fault must end in an answer. Migrations are `patient`.
 */
export function connect(
  url: string,
  {
    baseUrl,
    max = defaultPoolSize,
    patient = false,
    isReplica = false,
    waitMilliseconds = 3000,
    queryMilliseconds,
    backgroundMilliseconds = 60_000,
  }: {
    /** Where the service is reached; statements that answer URLs need it. */
    baseUrl?: string
    max?: number
    patient?: boolean
    /** Whether any of several hosts will do, standbys included. */
    isReplica?: boolean
    /** How long a call waits for a connection before it is refused. */
    waitMilliseconds?: number
    /** How long the client waits for an answer, if less than usual. */
    queryMilliseconds?: number
    /** The time after which a statement of a background transaction is ended. */
    backgroundMilliseconds?: number
  } = {},
): Connection {
  const hosts = createHosts(url)
  const requiresPrimary = hosts.addresses.length > 1 && !isReplica
  const setUp = {
    statementMilliseconds: patient ? undefined : callMilliseconds,
    requiresPrimary,
  }
  const openPool = (size: number) => {
    const pool = new pg.Pool({
      ...afterConnecting(setUp),
      connectionString: hosts.addresses[0]!,
      max: size,
      connectionTimeoutMillis: waitMilliseconds,
      ...(patient ? {} : { query_timeout: callMilliseconds + graceMilliseconds }),
      fallback_application_name: sessionName,
      types,
    })
    // The pool replaces broken connections and their queries fail on their own, but without a
    // listener the error event would end the process.
    pool.on('error', () => undefined)
    pool.on('connect', (client) => client.on('error', () => undefined))
    return pool
  }
  const pool = openPool(max)
  const probePool = openPool(1)
  const watch = requiresPrimary ? watchPrimary(hosts, [pool, probePool]) : undefined

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
  const db = open(async () => lend(await waited(hosts, pool), { baseUrl, queryMilliseconds }))
  rememberPool(db, pool)
  return {
    db,
    pool,
    background: open(async () =>
      lend(await waited(hosts, pool), {
        baseUrl,
        statementMilliseconds: backgroundMilliseconds,
        queryMilliseconds: backgroundMilliseconds + graceMilliseconds,
      }),
    ),
    dbOf: sharedDatabases(() => waited(hosts, pool), open, { baseUrl, max }),
    probe: open(async () => lend(await hosts.connect(probePool), { baseUrl })),
    async session() {
      const client = await hosts.connect(probePool)
      try {
        return sessionOf(client)
      } finally {
        client.release()
      }
    },
    async close() {
      if (pool.ended) return
      await Promise.all([pool.end(), probePool.end(), watch?.stop()])
    },
  }
}

/** The pool awaits the result, although its type does not say so. */
const afterConnecting = (
  parts: Parameters<typeof setUpSession>[1],
): { onConnect(client: pg.ClientBase): void } => ({
  onConnect: (client) => setUpSession(client, parts) as unknown,
})

/** A connection of the pool; records how long it took to get one. */
async function waited(hosts: Hosts, pool: pg.Pool): Promise<pg.PoolClient> {
  const askedAt = performance.now()
  try {
    return await hosts.connect(pool)
  } finally {
    observePoolWait(performance.now() - askedAt)
  }
}

type Open = (connectClient: () => Promise<PostgresPoolClient>) => Kysely<Database>

/** Databases of accounts, made on first use; the least recently used is forgotten. */
const maxDatabases = 2000

function sharedDatabases(
  connectToPool: () => Promise<pg.PoolClient>,
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
        return lend(await connectToPool(), { baseUrl, queryMilliseconds, giveBack })
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
