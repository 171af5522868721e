import pg from 'pg'
import type { Hosts } from './hosts.ts'

/*
 * A server that dies with its machine closes no connections: calls would wait for their statements to time
 * out, one after the other, until the last connection is gone. So with several hosts, the primary is
 * checked at intervals. If it is gone and another server takes writes, all connections to the old one are
 * cut, and the calls on them fail at once.
 */

const pauseMilliseconds = 1000
const answerMilliseconds = 1500

/** Watches the primary until it is stopped. */
export function watchPrimary(hosts: Hosts, pools: pg.Pool[]): { stop(): Promise<void> } {
  let client: pg.Client | undefined
  let isAsking = false

  async function ask(): Promise<void> {
    const { current } = hosts
    try {
      client ??= await open(hosts.addresses[current]!)
      if (await isPrimary(client)) return
    } catch {
      // Handled below.
    }
    void client?.end().catch(() => undefined)
    client = undefined
    // The same server may answer this time, if only this process had paused.
    const found = await findPrimary(hosts.addresses)
    if (found === undefined || found === current) return
    hosts.moveTo(found)
    for (const pool of pools) cutOff(pool, hosts.addresses[found]!)
  }

  const timer = setInterval(() => {
    if (isAsking) return
    isAsking = true
    void ask().finally(() => (isAsking = false))
  }, pauseMilliseconds).unref()
  return {
    async stop() {
      clearInterval(timer)
      await client?.end().catch(() => undefined)
    },
  }
}

async function open(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: answerMilliseconds,
    query_timeout: answerMilliseconds,
  })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

async function isPrimary(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ it: boolean }>('select not pg_is_in_recovery() as it')
  return rows[0]!.it
}

/** The first address that answers as a primary. */
function findPrimary(addresses: readonly string[]): Promise<number | undefined> {
  const asked = addresses.map(async (address, index) => {
    const client = await open(address)
    try {
      if (await isPrimary(client)) return index
      throw new Error('A standby.')
    } finally {
      void client.end().catch(() => undefined)
    }
  })
  return Promise.any(asked).catch(() => undefined)
}

/** Ends the connections to all servers but one. */
function cutOff(pool: pg.Pool, address: string): void {
  const { host, port } = new pg.Client({ connectionString: address })
  const { _clients: clients } = pool as unknown as { _clients: Connected[] }
  for (const client of clients)
    if (client.host !== host || client.port !== port) client.connection.stream.destroy()
}

/** What the driver has, but its types do not declare. */
interface Connected {
  host: string
  port: number
  connection: { stream: { destroy(): void } }
}
