import { CompiledQuery, type DatabaseConnection, type Kysely, type QueryResult } from 'kysely'
import pg from 'pg'
import type { Log } from '../../core/log.ts'
import { countReplicaRead } from '../../core/telemetry/replica_metrics.ts'
import type { Connection } from '../connect.ts'
import type { Database } from '../schema.ts'
import { onConnections } from './metered.ts'
import { type ReplicaWatch, watchReplica } from './replica_watch.ts'

/*
 * A replica follows the primary with a short delay. All reads sent to it belong to a workspace with a
 * version, which each write moves in its own transaction. A replica replays transactions in the order of
 * their commits, so once it has the primary's version of a workspace, it has all of it.
 *
 * If anything is wrong with the replica, the primary is asked: a fault costs time, never an answer.
 */

export interface Replica {
  /**
   * Runs a read of a workspace on the replica if that has everything the primary has acknowledged, and on
   * the primary otherwise. The read may not write.
   */
  read<T>(
    primary: Kysely<Database>,
    workspaceId: string,
    run: (db: Kysely<Database>) => Promise<T>,
  ): Promise<T>
  close(): Promise<void>
}

interface ReplicaParts {
  /** The connection to the replica. */
  connection: Connection
  /** The version of a workspace; undefined before the first. */
  versionOf: (db: Kysely<Database>, workspaceId: string) => Promise<string | undefined>
  /** Why the replica cannot be used; undefined if it can be. */
  examine: () => Promise<string | undefined>
  log: Log
}

/** How long a call waits for the replica's version before the replica counts as gone. */
const patienceMilliseconds = 500

/** How long the client waits for a statement on the replica before it asks the primary. */
export const replicaMilliseconds = 2000

type Send = (query: CompiledQuery) => Promise<QueryResult<unknown>>

/** A connection to the replica, for one read. */
interface Lease {
  version: string | undefined
  isOpen(): boolean
  send: Send
  /** Ends the lease; the connection goes back after its last statement. */
  end(): void
}

/** What the reads on a replica share. */
interface ReplicaLink {
  db: Kysely<Database>
  watch: ReplicaWatch
  versionOf: ReplicaParts['versionOf']
  isPooled: boolean
  /** Connections that are lent, of how many at most. */
  lent: number
  most: number
}

export function createReplica({ connection, versionOf, examine, log }: ReplicaParts): Replica {
  const { db, pool } = connection
  const watch = watchReplica(async () => {
    const reason = await examine()
    if (reason === undefined) link.isPooled = (await connection.session()).isPooled
    return reason
  }, log)
  const link: ReplicaLink = {
    db,
    watch,
    versionOf,
    isPooled: false,
    lent: 0,
    most: pool.options.max,
  }
  return {
    async read(primary, workspaceId, run) {
      const lease = await openCurrent(link, primary, workspaceId)
      if (!lease) return run(primary)
      countReplicaRead('replica')
      try {
        return await run(over(link, primary, lease))
      } finally {
        lease.end()
      }
    },
    close() {
      watch.stop()
      return connection.close()
    },
  }
}

/** A lease of a replica that is up to date for the workspace. */
async function openCurrent(
  link: ReplicaLink,
  primary: Kysely<Database>,
  workspaceId: string,
): Promise<Lease | undefined> {
  if (!link.watch.isUp()) return skip('away')
  const [wanted, found] = await Promise.allSettled([
    link.versionOf(primary, workspaceId),
    tryToOpen(link, workspaceId),
  ])
  const lease = found.status === 'fulfilled' ? found.value : undefined
  if (wanted.status === 'rejected') {
    lease?.end()
    throw wanted.reason
  }
  if (!lease) return undefined
  if (wanted.value !== undefined && lease.version === wanted.value) return lease
  lease.end()
  return skip('late')
}

/** A lease, or undefined if the replica did not give one in time. */
async function tryToOpen(link: ReplicaLink, workspaceId: string): Promise<Lease | undefined> {
  // Calls never wait for a connection here: the primary has its own, and shares them fairly.
  if (link.lent >= link.most) return skip('busy')
  const opening = openLease(link, workspaceId)
  try {
    return await within(patienceMilliseconds, opening)
  } catch (error) {
    // It may still arrive.
    opening.then(
      (lease) => lease.end(),
      () => undefined,
    )
    if (isOfServer(error)) link.watch.fail(error)
    return skip('failed')
  }
}

async function openLease(link: ReplicaLink, workspaceId: string): Promise<Lease> {
  const { db, watch, versionOf } = link
  const { borrowed, giveBack } = await borrow(link)
  // A pooler may give each transaction a session of a different server.
  const isInTransaction = link.isPooled
  let isOpen = true
  let last: Promise<unknown> = Promise.resolve()
  const send: Send = (query) => {
    const work = borrowed.executeQuery<unknown>(query)
    last = work
    return watch.whileUp(work)
  }
  const lease: Lease = {
    version: undefined,
    isOpen: () => isOpen,
    send,
    end() {
      if (!isOpen) return
      isOpen = false
      const finish = () => (isInTransaction ? borrowed.executeQuery(commit) : undefined)
      last
        .catch(() => undefined)
        .then(finish)
        .catch(() => undefined)
        .finally(giveBack)
    },
  }
  try {
    if (isInTransaction) await send(begin)
    const own = connectionOf(send)
    const bound = onConnections(db, { provideConnection: (consumer) => consumer(own) })
    lease.version = await versionOf(bound, workspaceId)
    return lease
  } catch (error) {
    lease.end()
    throw error
  }
}

/** Takes a connection until it is given back. */
function borrow(
  link: ReplicaLink,
): Promise<{ borrowed: DatabaseConnection; giveBack: () => void }> {
  link.lent++
  return new Promise((resolve, reject) => {
    link.db
      .getExecutor()
      .provideConnection(
        (borrowed) => new Promise<void>((giveBack) => resolve({ borrowed, giveBack })),
      )
      .catch(reject)
      .finally(() => link.lent--)
  })
}

/** The primary's database, which sends reads to the replica while the lease lasts. */
function over({ watch }: ReplicaLink, primary: Kysely<Database>, lease: Lease): Kysely<Database> {
  const executor = primary.getExecutor()
  const either = connectionOf(async (query) => {
    if (lease.isOpen())
      try {
        return await lease.send(query)
      } catch (error) {
        // Once the primary has answered, the replica may be older than what was read.
        lease.end()
        countReplicaRead('failed')
        if (isOfServer(error)) watch.fail(error)
      }
    return executor.provideConnection((own) => own.executeQuery(query))
  })
  return onConnections(primary, {
    provideConnection: (consumer) =>
      lease.isOpen() ? consumer(either) : executor.provideConnection(consumer),
  })
}

const connectionOf = (send: Send): DatabaseConnection => ({
  executeQuery: <Row>(query: CompiledQuery) => send(query) as Promise<QueryResult<Row>>,
  streamQuery() {
    throw new Error('Nothing is streamed from a replica.')
  },
})

const begin = CompiledQuery.raw('begin isolation level repeatable read read only')
const commit = CompiledQuery.raw('commit')

function skip(outcome: Parameters<typeof countReplicaRead>[0]): undefined {
  countReplicaRead(outcome)
}

/** The result of work that finishes in time. */
function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const refuse = () => reject(new Error(`It did not answer within ${milliseconds} ms.`))
    // After a blocked event loop the answer may have arrived without being read: look first.
    const timer = setTimeout(() => setImmediate(refuse), milliseconds)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/**
 * Whether a fault concerns the server or the network, not a single statement: a conflict with replay, a
 * table that does not exist yet, or a statement that takes too long.
 */
function isOfServer(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return /^(08|53|57P)/.test(error.code ?? '')
  return !(error instanceof Error && error.message === 'Query read timeout')
}
