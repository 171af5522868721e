import { type AddressInfo, createServer, type Socket } from 'node:net'

/** A Redis on loopback, as far as limits need it. */
export interface RedisServer {
  url: string
  /** How many points each key has. */
  points: Map<string, number>
  /** Takes commands and answers none from now on, or answers again. */
  freeze(isFrozen: boolean): void
  /** Ends it with all connections; `listen` brings it back at the same address, empty. */
  kill(): Promise<void>
  listen(): Promise<void>
}

/** A command, and what is left of the bytes; undefined until it has arrived. */
function parse(text: string): { words: string[]; rest: string } | undefined {
  const head = /^\*(\d+)\r\n/.exec(text)
  if (!head) return undefined
  let at = head[0].length
  const words: string[] = []
  for (let count = Number(head[1]); count > 0; count--) {
    const length = /^\$(\d+)\r\n/.exec(text.slice(at))
    if (!length) return undefined
    const from = at + length[0].length
    const to = from + Number(length[1])
    if (text.length < to + 2) return undefined
    words.push(text.slice(from, to))
    at = to + 2
  }
  return { words, rest: text.slice(at) }
}

const bulk = (text: string): string => `$${text.length}\r\n${text}\r\n`

/** Speaks the protocol of Redis. The one script that it is sent adds points to a key that expires. */
export async function startRedisServer(): Promise<RedisServer> {
  const points = new Map<string, number>()
  const sockets = new Set<Socket>()
  let isFrozen = false
  let port = 0

  function answer([name = '', ...args]: string[]): string {
    switch (name.toUpperCase()) {
      case 'INFO':
        return bulk('redis_version:7.0.15\r\nloading:0\r\n')
      case 'EVALSHA':
        return '-NOSCRIPT No matching script.\r\n'
      case 'EVAL': {
        const [, , key = '', added, seconds] = args
        const sum = (points.get(key) ?? 0) + Number(added)
        points.set(key, sum)
        return `*2\r\n:${sum}\r\n:${Number(seconds) * 1000}\r\n`
      }
      default:
        return '+OK\r\n'
    }
  }

  const server = createServer((socket) => {
    sockets.add(socket)
    let text = ''
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1')
      for (let command = parse(text); command; command = parse(text)) {
        text = command.rest
        if (!isFrozen) socket.write(answer(command.words))
      }
    })
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
  })
  const listen = () => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  await listen()
  ;({ port } = server.address() as AddressInfo)
  return {
    url: `redis://127.0.0.1:${port}`,
    points,
    freeze: (frozen) => (isFrozen = frozen),
    listen,
    kill: () =>
      new Promise((resolve) => {
        points.clear()
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
