import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { clientOf } from '../core/client_addresses.ts'
import { createHeld } from './held.ts'

/** The connections of all origins of a process. */
export interface Connections {
  /** Counts a new connection; false if there are too many. */
  admit(socket: Socket): boolean
  /** Begins a request when those before it on the same connection have been answered. */
  inTurn(socket: Socket, response: ServerResponse, begin: () => void): void
}

interface ConnectionLimits {
  max: number
  maxPerAddress: number
  /** Whether the address is that of a proxy, which carries the connections of many clients. */
  isTrusted: (address: string, hop: number) => boolean
}

/** Requests that wait on one connection. No client sends so many without reading an answer. */
const maxPipelined = 1000

/**
 * If the process is full, the connection that has been idle longest makes room for a new one:
 * idle connections must not keep others out.
 */
export function createConnections({
  max,
  maxPerAddress,
  isTrusted,
}: ConnectionLimits): Connections {
  const open = createHeld()
  /** Connections without a request in progress, the longest idle first. */
  const idle = new Set<Socket>()
  const waiting = new WeakMap<Socket, (() => void)[]>()

  function makeRoom(): boolean {
    if (open.all() < max) return true
    const [longest] = idle
    if (!longest) return false
    // The descriptor is released before the next event is handled.
    longest.destroy()
    idle.delete(longest)
    return true
  }

  function next(socket: Socket): void {
    const begin = waiting.get(socket)?.shift()
    // Not at once, so that other connections get their turn in between.
    if (begin) return void setImmediate(begin)
    waiting.delete(socket)
    if (!socket.destroyed) idle.add(socket)
  }

  return {
    admit(socket) {
      const remote = socket.remoteAddress ?? ''
      const address = clientOf(remote)
      const isFull = !isTrusted(remote, 0) && open.of(address) >= maxPerAddress
      if (isFull || !makeRoom()) return false
      open.add(address, 1)
      idle.add(socket)
      socket.once('close', () => {
        open.add(address, -1)
        idle.delete(socket)
      })
      return true
    },
    inTurn(socket, response, begin) {
      response.once('close', () => next(socket))
      const line = waiting.get(socket)
      if (!line) {
        waiting.set(socket, [])
        idle.delete(socket)
        begin()
      } else if (line.length < maxPipelined) line.push(begin)
      else socket.destroy()
    },
  }
}
