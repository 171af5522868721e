import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Attack, Scene } from './attack.ts'
import { giveLongTexts } from './long_texts.ts'

/** Opens connections that send these bytes and never read; counts those that are cut off. */
async function hold(
  { origin }: Scene,
  { count, bytes, seconds }: { count: number; bytes: string; seconds: number },
): Promise<{ sent: number; refused: number }> {
  const { hostname, port } = new URL(origin)
  let refused = 0
  const sockets: Socket[] = []
  for (let opened = 0; opened < count; opened++) {
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
    socket.on('error', () => undefined).once('close', () => refused++)
    socket.pause()
    socket.write(bytes)
    sockets.push(socket)
  }
  await delay(seconds * 1000)
  const cut = refused
  for (const socket of sockets) socket.destroy()
  return { sent: count, refused: cut }
}

const headOf = ({ attacker }: Scene, path: string) =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${attacker.apiKey}\r\n\r\n`

export const idleConnections: Attack = {
  name: 'idle connections',
  tried: '3,000 connections from one address that send half a request',
  run: (scene) =>
    hold(scene, {
      count: scene.times(3000),
      bytes: 'GET /healthz HTTP/1.1\r\nHost: local',
      seconds: scene.times(8),
    }),
}

export const unreadAnswers: Attack = {
  name: 'unread answers',
  tried: '40 requests for heavy lists whose answers are not read',
  async run(scene) {
    await giveLongTexts(scene)
    const path = `/v1/workspaces/${scene.attacker.workspaceId}/products?pageSize=20`
    const bytes = headOf(scene, path)
    return hold(scene, { count: scene.times(40), bytes, seconds: scene.times(8) })
  },
}

export const pipelining: Attack = {
  name: 'pipelining',
  tried: '900 requests for the public document on one connection',
  run: (scene) =>
    hold(scene, {
      count: 1,
      bytes: headOf(scene, '/v1/openapi.json').repeat(scene.times(900)),
      seconds: scene.times(5),
    }),
}
