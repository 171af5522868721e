import { CompiledQuery, type DatabaseConnection, type Kysely, type QueryResult } from 'kysely'
import pg from 'pg'
import type { Log } from '../../core/log.ts'
import { countReplicaRead } from '../../core/telemetry/replica_metrics.ts'
import type { Connection } from '../connect.ts'
import type { Database } from '../schema.ts'
import { onConnections } from './metered.ts'
import { watchReplica } from './replica_watch.ts'

/*
 * A replica follows the primary, a moment behind. Everything that it is asked for belongs to a workspace
 * with a version, which each write moves in its own transaction. A replica replays transactions in the
 * order of their commits, so one that has the primary's version of a workspace has all of it.
 *
 * Whatever is wrong with the replica, the primary is asked: a fault costs time, never an answer.
 */

export interface Replica {
  /**
   * Runs a read of a workspace with a database that asks the replica, if that has seen all that the
   * primary has acknowledged, and else the primary. The read may not write.
   */
  read<T>(
    primary: Kysely<Database>,
    workspaceId: string,
    run: (db: Kysely<Database>) => Promise<T>,
  ): Promise<T>
  close(): Promise<void>
}

interface ReplicaParts {
  /** To the replica. */
  connection: Connection
  /** The version of a workspace; undefined before the first. */
  versionOf: (db: Kysely<Database>, workspaceId: string) => Promise<string | undefined>
  /** Why the replica cannot be used; undefined if it can. */
  examine: () => Promise<string | undefined>
  log: Log
}

/** A call waits so long for the replica's version; then the replica counts as gone. */
const patienceMilliseconds = 500

/** How long the client waits for a statement on the replica before it asks the primary. */
export const replicaMilliseconds = 2000

type Send = (query: CompiledQuery) => Promise<QueryResult<unknown>>

/** A connection to the replica, for one read. */
interface Lease {
  version: string | undefined
  isOpen(): boolean
  send: Send
  /** Ends the lease; the connection goes back when its last statement is over. */
  end(): void
}

export function createReplica({ connection, versionOf, examine, log }: ReplicaParts): Replica {
  const { db, pool } = connection
  let isPooled = false
  /** Connections that are lent. */
  let lent = 0
  const watch = watchReplica(async () => {
    const reason = await examine()
    if (reason === undefined) isPooled = (await connection.session()).isPooled
    return reason
  }, log)

  /** Takes a connection until it is given back. */
  function borrow(): Promise<{ borrowed: DatabaseConnection; giveBack: () => void }> {
    lent++
    return new Promise((resolve, reject) => {
      db.getExecutor()
        .provideConnection(
          (borrowed) => new Promise<void>((giveBack) => resolve({ borrowed, giveBack })),
        )
        .catch(reject)
        .finally(() => lent--)
    })
  }

  async function open(workspaceId: string): Promise<Lease> {
    const { borrowed, giveBack } = await borrow()
    // A pooler may give each transaction the session of another server.
    const isInTransaction = isPooled
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

  /** A lease, or undefined if the replica has not given one in time. */
  async function tryToOpen(workspaceId: string): Promise<Lease | undefined> {
    // No call waits for a connection: the primary has others, and shares them fairly.
    if (lent >= pool.options.max) return skip('busy')
    const opening = open(workspaceId)
    try {
      return await within(patienceMilliseconds, opening)
    } catch (error) {
      // It may still come.
      opening.then(
        (lease) => lease.end(),
        () => undefined,
      )
      if (isOfServer(error)) watch.fail(error)
      return skip('failed')
    }
  }

  /** A lease of a replica that has all that the primary has of the workspace. */
  async function openCurrent(
    primary: Kysely<Database>,
    workspaceId: string,
  ): Promise<Lease | undefined> {
    if (!watch.isUp()) return skip('away')
    const [wanted, found] = await Promise.allSettled([
      versionOf(primary, workspaceId),
      tryToOpen(workspaceId),
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

  /** The primary's database, which asks the replica while the lease lasts. */
  function over(primary: Kysely<Database>, lease: Lease): Kysely<Database> {
    const executor = primary.getExecutor()
    const either = connectionOf(async (query) => {
      if (lease.isOpen())
        try {
          return await lease.send(query)
        } catch (error) {
          // Once the primary has answered, the replica may be behind what was read.
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

  return {
    async read(primary, workspaceId, run) {
      const lease = await openCurrent(primary, workspaceId)
      if (!lease) return run(primary)
      countReplicaRead('replica')
      try {
        return await run(over(primary, lease))
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

/** The result of work that is over in time. */
function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const refuse = () => reject(new Error(`It did not answer within ${milliseconds} ms.`))
    // After a block of the event loop, its answer may be there but not read.
    const timer = setTimeout(() => setImmediate(refuse), milliseconds)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/**
 * Whether a fault is the server's or the network's, and not of one statement: a conflict with what is
 * replayed, a table that is not there yet, or a statement that takes too long.
 */
function isOfServer(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return /^(08|53|57P)/.test(error.code ?? '')
  return !(error instanceof Error && error.message === 'Query read timeout')
}
