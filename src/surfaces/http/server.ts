import type { Server, ServerOptions } from 'node:http'
import type { Socket } from 'node:net'
import type { ServiceConfig } from '../../operation.ts'
import type { OriginState } from './exchange.ts'

const drainMilliseconds = 10_000
const maxHeaderSeconds = 20

export const serverOptions = ({ receiveSeconds }: ServiceConfig): ServerOptions => ({
  requestTimeout: receiveSeconds * 1000,
  headersTimeout: Math.min(receiveSeconds, maxHeaderSeconds) * 1000,
  connectionsCheckingInterval: Math.min(receiveSeconds * 1000, 5000),
  keepAliveTimeout: 65_000,
  // The origin checks it itself, to refuse its absence with the error object.
  requireHostHeader: false,
})

/** Stops listening and closes every connection after its pending answer. */
export async function drain(
  server: Server,
  sockets: Iterable<Socket>,
  state: OriginState,
): Promise<void> {
  state.draining = true
  if (!server.listening) return
  const closed = new Promise((resolve) => server.close(resolve))
  server.closeIdleConnections()
  // Node counts a connection that has never sent anything as busy.
  for (const socket of [...sockets]) if (socket.bytesRead === 0) socket.destroy()
  const timeout = setTimeout(() => server.closeAllConnections(), drainMilliseconds)
  await closed
  clearTimeout(timeout)
}
