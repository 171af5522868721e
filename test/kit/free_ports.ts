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

/** Settings of a service that uses the addresses it listens on as its public ones. */
export async function ownAddresses(): Promise<Record<string, string>> {
  const [api, dashboard, admin, site] = await freePorts()
  const at = (port: string) => `http://127.0.0.1:${port}`
  return {
    API_PORT: api,
    DASHBOARD_PORT: dashboard,
    ADMIN_PORT: admin,
    SITE_PORT: site,
    BASE_URL: at(api),
    DASHBOARD_URL: at(dashboard),
    ADMIN_URL: at(admin),
  }
}
