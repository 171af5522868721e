import { type AddressInfo, createServer, type Socket } from 'node:net'

/** What a server does instead of answering. */
export type Stall = 'hangs' | 'drips' | 'refuses'

export interface StallingServer {
  port: number
  /** Connections that were accepted. */
  accepted(): number
  stall(how: Stall): void
  /** Refuses from now on, and ends what is open. */
  release(): void
  close(): Promise<void>
}

interface Wire {
  /** What a server of this protocol says first. */
  greeting?: string
  /** The beginning of an answer that never ends, to be followed by any number of letters. */
  opening: string
}

export const http: Wire = {
  opening: 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n',
}
export const smtp: Wire = { greeting: '220 slow\r\n', opening: '250-' }

const dripMilliseconds = 20

/** A server on loopback that takes requests and never answers them. */
export async function startStallingServer({
  greeting = '',
  opening,
}: Wire): Promise<StallingServer> {
  const sockets = new Set<Socket>()
  let how: Stall = 'hangs'
  let accepted = 0

  function drip(socket: Socket): void {
    socket.write(greeting)
    socket.once('data', () => {
      socket.write(opening)
      const timer = setInterval(() => socket.write(' '), dripMilliseconds)
      socket.once('close', () => clearInterval(timer))
    })
  }

  const server = createServer((socket) => {
    accepted++
    sockets.add(socket)
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket))
    if (how === 'refuses') socket.destroy()
    else if (how === 'drips') drip(socket)
    else socket.resume()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const release = () => {
    how = 'refuses'
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    accepted: () => accepted,
    stall: (next) => {
      how = next
    },
    release,
    async close() {
      release()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
