import pg from 'pg'
import type { Log } from '../../core/log.ts'
import { createShares } from '../../fairness/shares.ts'
import { sessionName } from '../builds.ts'
import { shareOfPool, shareSeconds, types } from '../connect.ts'
import { addressesOf } from '../sessions/hosts.ts'
import { sessionOf, setUpSession } from '../sessions/session.ts'

/** A node of a distributed database, which is queried without the coordinator. */
export interface ShardNode {
  /**
   * Whether it can be queried. While it cannot, calls trigger a check now and then, but none waits for it.
   * The workspace must lie on this node.
   */
  isUp(workspaceId: string): boolean
  /** A connection, once the account holds less than its share; undefined if others hold all of them. */
  borrow(account: string): Promise<Lent | undefined>
  /** Notes a fault of the server: no call queries it until a check succeeds. */
  fail(error: unknown): void
  close(): Promise<void>
}

export interface Lent {
  client: pg.PoolClient
  /** Gives the connection back, or closes it after a fault that it may not survive. */
  giveBack(fault?: Error): void
}

interface NodeParts {
  /** Host and port. */
  name: string
  /** The coordinator's pool: the node has the same user and database. */
  coordinator: pg.Pool
  /** When the server with a workspace's rows was started, as seen through the coordinator. */
  startOf: (workspaceId: string) => Promise<string>
  log: Log
}

const connectMilliseconds = 1000
/** How long a statement may take before the coordinator is asked instead. */
const readMilliseconds = 2000
/** The shortest time between two checks of a node that is away. Only calls trigger checks. */
const lookMilliseconds = 1000

export function openNode({ name, coordinator, startOf, log }: NodeParts): ShardNode {
  const { max, connectionString = '' } = coordinator.options
  const shares = createShares({ places: Math.ceil(max * shareOfPool), seconds: shareSeconds })
  let lent = 0
  let expectedStart: string | undefined
  let state: 'new' | 'up' | 'away' = 'new'
  let isLooking = false
  let lookedAt = -Infinity

  const pool = new pg.Pool({
    ...onConnect(async (client) => {
      await setUpSession(client, {
        statementMilliseconds: readMilliseconds,
        requiresPrimary: false,
      })
      if ((await readStart(client)) !== expectedStart)
        throw new Error('Another server answers at the address that the coordinator has of it.')
    }),
    connectionString: addressAt(connectionString, name),
    max,
    connectionTimeoutMillis: connectMilliseconds,
    query_timeout: readMilliseconds,
    fallback_application_name: sessionName,
    types,
  })
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))

  function note(next: 'up' | 'away', reason?: unknown): void {
    if (state === next || pool.ending) return
    state = next
    const parts = { node: name, reason: reason instanceof Error ? reason.message : undefined }
    if (next === 'up') log.info(parts, 'Catalogues are read from the node that has them.')
    else log.warn(parts, 'A node cannot be asked by itself: all its reads go to the coordinator.')
  }

  async function look(workspaceId: string): Promise<void> {
    if (isLooking || performance.now() - lookedAt < lookMilliseconds) return
    isLooking = true
    try {
      expectedStart = await startOf(workspaceId)
      const client = await pool.connect()
      client.release()
      note('up')
    } catch (error) {
      note('away', error)
    } finally {
      isLooking = false
      lookedAt = performance.now()
    }
  }

  return {
    isUp(workspaceId) {
      if (state !== 'up') void look(workspaceId)
      return state === 'up'
    },
    async borrow(account) {
      const leave = await shares.take(account)
      if (lent >= max) {
        leave()
        return undefined
      }
      lent++
      const end = () => {
        lent--
        leave()
      }
      try {
        const client = await pool.connect()
        return {
          client,
          giveBack(fault) {
            client.release(fault)
            end()
          },
        }
      } catch (error) {
        end()
        throw error
      }
    },
    fail: (error) => note('away', error),
    close: () => pool.end(),
  }
}

/** The pool awaits the result, although its type does not say so. */
const onConnect = (
  setUp: (client: pg.ClientBase) => Promise<void>,
): { onConnect(client: pg.ClientBase): void } => ({
  onConnect: (client) => setUp(client) as unknown,
})

/**
 * The same database at another host. The coordinator's names of nodes, such as localhost, may mean another
 * server here: see `startOf`.
 */
function addressAt(coordinator: string, node: string): string {
  const url = new URL(addressesOf(coordinator)[0]!)
  for (const name of ['host', 'port']) url.searchParams.delete(name)
  const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(node) ?? []
  url.host = host.includes(':') ? `[${host}]` : host
  url.port = port
  return url.href
}

export const serverStart = 'extract(epoch from pg_postmaster_start_time())::text'

async function readStart(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query<{ start: string }>(`select ${serverStart} as start`)
  return rows[0]!.start
}

/** The server keeps about 0.3 MB for each statement of a shard. */
const maxNames = 128
const names = new WeakMap<pg.ClientBase, Set<string>>()

/** What the driver has, but its types do not declare. */
interface Connected {
  connection: { parsedStatements: Record<string, string> }
}

/**
 * The name under which a connection may keep a statement; undefined if it keeps none. Above the limit, the
 * statement unused for longest is dropped.
 */
export async function nameIn(client: pg.PoolClient, name: string): Promise<string | undefined> {
  if (name === '' || sessionOf(client).isPooled) return undefined
  const kept = names.get(client) ?? new Set()
  names.set(client, kept)
  kept.delete(name)
  kept.add(name)
  if (kept.size > maxNames) {
    const oldest = kept.values().next().value!
    kept.delete(oldest)
    const { parsedStatements } = (client as unknown as Connected).connection
    // If preparing it failed, there is nothing to drop.
    if (oldest in parsedStatements) {
      delete parsedStatements[oldest]
      await client.query(`deallocate "${oldest}"`)
    }
  }
  return name
}
