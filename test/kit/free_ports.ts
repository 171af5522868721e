import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** Four ports that are currently free. */
export async function freePorts(): Promise<[string, string, string, string]> {
  const probes = [1, 2, 3, 4].map(() => createServer().listen(0))
  await Promise.all(probes.map((probe) => once(probe, 'listening')))
  const ports = probes.map((probe) => String((probe.address() as AddressInfo).port))
  await Promise.all(probes.map((probe) => once(probe.close(), 'close')))
  return ports as [string, string, string, string]
}
