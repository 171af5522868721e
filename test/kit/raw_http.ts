import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface RawAnswer {
  status: number
  /** By lower-case name; repeated headers are joined with a comma. */
  headers: Record<string, string>
  body: string
}

/** A connection that sends raw bytes, valid HTTP or not. */
export interface RawConnection {
  socket: Socket
  send(bytes: string | Buffer): void
  /** The next complete answer. Rejects if the connection ends before it. */
  answer(options?: { toHead?: boolean }): Promise<RawAnswer>
  /** Resolves when the peer has ended the connection. */
  ended: Promise<void>
  close(): void
}

export async function openConnection(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let buffer = Buffer.alloc(0)
  let over = false
  let wake = () => undefined as void
  const ended = new Promise<void>((resolve) => {
    const end = () => {
      over = true
      wake()
      resolve()
    }
    // A server that stops reading may reset the connection instead of ending it.
    socket.once('end', end).once('error', end).once('close', end)
  })
  socket.on('data', (chunk) => {
    buffer = Buffer.concat([buffer, chunk])
    wake()
  })
  await once(socket, 'connect')

  async function answer({ toHead = false } = {}): Promise<RawAnswer> {
    for (;;) {
      const parsed = parseAnswer(buffer, toHead)
      if (parsed) {
        buffer = buffer.subarray(parsed.length)
        return parsed.answer
      }
      if (over) throw new Error(`The connection ended after: ${buffer.toString('latin1')}`)
      await new Promise<void>((resolve) => (wake = resolve))
    }
  }

  return {
    socket,
    answer,
    ended,
    send: (bytes) => void socket.write(bytes),
    close: () => void socket.destroy(),
  }
}

/** One request on its own keep-alive connection. */
export async function exchange(
  url: string,
  bytes: string | Buffer,
  options: { toHead?: boolean } = {},
): Promise<RawAnswer> {
  const connection = await openConnection(url)
  connection.send(bytes)
  try {
    return await connection.answer(options)
  } finally {
    connection.close()
  }
}

/** The text of a request with the mandatory headers. */
export function requestText(
  method: string,
  target: string,
  { headers = {}, body = '' }: { headers?: Record<string, string>; body?: string } = {},
): string {
  const allHeaders: Record<string, string> = {
    Host: 'localhost',
    ...(body ? { 'Content-Length': `${Buffer.byteLength(body)}` } : {}),
    ...headers,
  }
  const lines = Object.entries(allHeaders).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}

function parseAnswer(
  buffer: Buffer,
  toHead: boolean,
): { answer: RawAnswer; length: number } | undefined {
  const headEnd = buffer.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const [statusLine = '', ...lines] = buffer.toString('latin1', 0, headEnd).split('\r\n')
  const status = Number(statusLine.split(' ')[1])
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const at = line.indexOf(':')
    const name = line.slice(0, at).toLowerCase()
    const value = line.slice(at + 1).trim()
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`
  }
  const bodyStart = headEnd + 4
  const bodiless = toHead || status === 204 || status === 304
  const size = bodiless ? 0 : Number(headers['content-length'] ?? 0)
  if (buffer.length < bodyStart + size) return undefined
  const body = buffer.toString('utf8', bodyStart, bodyStart + size)
  return { answer: { status, headers, body }, length: bodyStart + size }
}
