import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { ensureAccount } from '../../src/queries/people/accounts.ts'
import { type Attack, outcomeOf, type Scene, statusOf } from './attack.ts'
import { newKey } from './new_key.ts'

const connections = 900
const seconds = 8
/** Every address of the loopback network is this machine, where the system says so. */
const attackersAddress = process.platform === 'linux' ? '127.0.0.2' : undefined

/** One connection that asks again as soon as it is answered. */
function ask(origin: string, bytes: string, statuses: number[]): Socket {
  const { hostname, port } = new URL(origin)
  const from = attackersAddress === undefined ? {} : { localAddress: attackersAddress }
  const socket = connect({ port: Number(port), host: hostname, ...from })
  socket.setNoDelay(true)
  // The answers are short, and come in one piece.
  socket.on('data', (answer) => {
    statuses.push(Number(answer.toString('latin1', 9, 12)))
    socket.write(bytes)
  })
  socket.on('error', () => undefined)
  socket.write(bytes)
  return socket
}

async function flood(scene: Scene, origin: string, bytes: string) {
  const statuses: number[] = []
  const count = scene.times(connections)
  const sockets = Array.from({ length: count }, () => ask(origin, bytes, statuses))
  await delay(scene.times(seconds) * 1000)
  for (const socket of sockets) socket.destroy()
  return outcomeOf(statuses)
}

/** 2 × what others had before: an address is worth no more than any other. */
const allowed = { timesQuietP90: 2 }

export const probeFlood: Attack = {
  name: 'healthz flood',
  tried: `${connections} connections of one address that ask /healthz again and again`,
  allowed,
  run: (scene) => flood(scene, scene.origin, 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'),
}

export const exhaustedKeyFlood: Attack = {
  name: 'exhausted key flood',
  tried: `${connections} connections of one address with one key that is used up`,
  allowed,
  isUsual: true,
  async run(scene) {
    const { db, usual } = scene
    const path = '/v1/workspaces'
    // Of an account of its own: other attacks need what the attacker's key has.
    const token = await db.transaction().execute(async (trx) => {
      const account = await ensureAccount(trx, `flood-${process.pid}@example.com`, 'Flood')
      return newKey(trx, account.id)
    })
    while ((await statusOf({ origin: usual.api }, path, { token })) !== 429);
    const head = `Host: localhost\r\nAuthorization: Bearer ${token}`
    const outcome = await flood(scene, usual.api, `GET ${path} HTTP/1.1\r\n${head}\r\n\r\n`)
    // A minute's calls are all that the key has, and a new minute may begin.
    const answered = outcome.sent - outcome.refused
    return answered > 120 ? { ...outcome, broken: `${answered} answered` } : outcome
  },
}
