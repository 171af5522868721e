import { createServer, type Server, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import pg from 'pg'

/** A pooler between the service and its database. */
export interface Pooler {
  url: string
  /** How many transactions got another session than the one before on the same connection. */
  switches(): number
  close(): Promise<void>
}

/** Parameters that PgBouncer takes from a client; it refuses all others. */
const known = new Set(['user', 'database', 'application_name', 'client_encoding', 'DateStyle'])

/** A session of the server, with the bytes of its answers. */
interface Session {
  stream: Socket
  onBytes: (bytes: Buffer) => void
}

/**
 * Lends a session of the server for one transaction, as PgBouncer does in transaction mode, and never
 * the same one twice in a row where it has another: what a session would keep is missed at once.
 * Speaks the protocol of PostgreSQL; it knows nothing of prepared statements.
 */
export async function startPooler(databaseUrl: string, { sessions = 3 } = {}): Promise<Pooler> {
  const free: Session[] = []
  const waiting: ((session: Session) => void)[] = []
  const opened: pg.Client[] = []
  const clients = new Set<Socket>()
  const leaving: Promise<void>[] = []
  let switches = 0
  let isClosed = false
  for (let count = 0; count < sessions; count++) free.push(await openSession(databaseUrl, opened))

  function take(): Promise<Session> {
    const session = free.shift()
    if (session) return Promise.resolve(session)
    return new Promise((resolve) => waiting.push(resolve))
  }

  function giveBack(session: Session): void {
    const next = waiting.shift()
    if (next) next(session)
    else free.push(session)
  }

  function serve(client: Socket): void {
    clients.add(client)
    let current: Promise<Session> | undefined
    let last: Session | undefined
    let buffer: Buffer = Buffer.alloc(0)
    let isStarted = false
    let isOver = false

    async function forward(message: Buffer): Promise<void> {
      current ??= take().then((session) => {
        if (last && last !== session) switches++
        last = session
        session.onBytes = answersOf(client, () => {
          current = undefined
          giveBack(session)
        })
        return session
      })
      const session = await current
      session.stream.write(message)
    }

    /** A transaction that its client leaves open ends with its session. */
    async function leave(): Promise<void> {
      clients.delete(client)
      const session = await current
      if (!session) return
      session.stream.destroy()
      if (!isClosed) giveBack(await openSession(databaseUrl, opened))
    }

    let queue = Promise.resolve()
    client.on('data', (bytes) => {
      buffer = Buffer.concat([buffer, bytes])
      if (!isStarted) {
        if (buffer.length < 4 || buffer.length < buffer.readInt32BE(0)) return
        const length = buffer.readInt32BE(0)
        isStarted = begin(client, buffer.subarray(8, length))
        buffer = buffer.subarray(length)
      }
      while (buffer.length >= 5 && buffer.length >= 1 + buffer.readInt32BE(1)) {
        const length = 1 + buffer.readInt32BE(1)
        const message = Buffer.from(buffer.subarray(0, length))
        buffer = buffer.subarray(length)
        if (message[0] === 'X'.charCodeAt(0)) isOver = true
        else queue = queue.then(() => forward(message))
      }
      if (isOver) client.end()
    })
    client.on('error', () => undefined)
    client.on('close', () => leaving.push(leave()))
  }

  const server = createServer(serve)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(databaseUrl)
  // The server's own socket, where it has one.
  url.searchParams.delete('host')
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: url.href,
    switches: () => switches,
    async close() {
      isClosed = true
      for (const client of clients) client.destroy()
      await closeServer(server)
      // One of them may be opening a session, in a database that is dropped next.
      await Promise.all(leaving)
      for (const client of opened) streamOf(client).destroy()
    },
  }
}

const streamOf = (client: pg.Client): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream

/** The driver signs in; from there on the bytes are ours. */
async function openSession(databaseUrl: string, opened: pg.Client[]): Promise<Session> {
  const client = new pg.Client(databaseUrl)
  client.on('error', () => undefined)
  await client.connect()
  opened.push(client)
  const stream = streamOf(client)
  stream.removeAllListeners('data')
  const session: Session = { stream, onBytes: () => undefined }
  stream.on('data', (bytes: Buffer) => session.onBytes(bytes))
  return session
}

/** Answers the start of a client; false if it was refused. */
function begin(client: Socket, parameters: Buffer): boolean {
  const words = parameters.toString().split('\0')
  const names = words.filter((word, index) => index % 2 === 0 && word !== '')
  const unknown = names.find((name) => !known.has(name))
  if (unknown !== undefined) {
    const text = `SFATAL\0C08P01\0Munsupported startup parameter: ${unknown}\0\0`
    client.end(messageOf('E', Buffer.from(text)))
    return false
  }
  const number = Buffer.alloc(8)
  number.writeInt32BE(999_999_999)
  client.write(
    Buffer.concat([
      messageOf('R', Buffer.alloc(4)),
      messageOf('S', Buffer.from('server_version\x0018.4\0')),
      messageOf('K', number),
      messageOf('Z', Buffer.from('I')),
    ]),
  )
  return true
}

function messageOf(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

/** Passes answers on, and tells when the session is idle outside a transaction. */
function answersOf(client: Socket, onIdle: () => void): (bytes: Buffer) => void {
  let buffer: Buffer = Buffer.alloc(0)
  return (bytes) => {
    client.write(bytes)
    buffer = Buffer.concat([buffer, bytes])
    let isIdle = false
    while (buffer.length >= 5 && buffer.length >= 1 + buffer.readInt32BE(1)) {
      const length = 1 + buffer.readInt32BE(1)
      isIdle = buffer[0] === 'Z'.charCodeAt(0) && buffer[5] === 'I'.charCodeAt(0)
      buffer = buffer.subarray(length)
    }
    if (isIdle && buffer.length === 0) onIdle()
  }
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}
