import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** A port at which another program listens until it is closed. */
export async function takePort(): Promise<{ port: string; close: () => Promise<unknown> }> {
  const holder = createServer().listen(0)
  await once(holder, 'listening')
  const { port } = holder.address() as AddressInfo
  return { port: String(port), close: () => once(holder.close(), 'close') }
}
