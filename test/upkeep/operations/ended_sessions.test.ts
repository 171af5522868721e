import { once } from 'node:events'
import { type AddressInfo, connect as dial, createServer, type Socket } from 'node:net'
import { sql } from 'kysely'
import { afterEach, expect, inject, test } from 'vitest'
import { connect, type Connection } from '../../../src/db/connect.ts'

const sockets: Socket[] = []
let connection: Connection | undefined
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  await connection?.close()
})

/** The server at an address that passes on what it says, but never that it has hung up. */
async function throughLateEnd(serverUrl: string): Promise<string> {
  const url = new URL(serverUrl)
  const port = Number(url.port)
  const relay = createServer({ allowHalfOpen: true }, (client) => {
    const server = dial({ port, host: '127.0.0.1', allowHalfOpen: true })
    for (const socket of [client, server]) socket.on('error', () => undefined)
    sockets.push(client, server)
    client.pipe(server)
    server.pipe(client, { end: false })
  })
  await once(relay.listen(0, '127.0.0.1'), 'listening')
  relay.unref()
  url.searchParams.delete('host')
  url.host = `127.0.0.1:${(relay.address() as AddressInfo).port}`
  return url.href
}

test('a session that the server ended is not lent again', async () => {
  connection = connect(await throughLateEnd(inject('serverUrl')))
  const { db } = connection
  const own = sql`select pg_terminate_backend(pg_backend_pid())`
  await expect(own.execute(db)).rejects.toMatchObject({ code: '57P01' })
  const { rows } = await sql`select 1 as one`.execute(db)
  expect(rows).toEqual([{ one: 1 }])
})
