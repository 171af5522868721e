import { createServer } from 'node:net'

/**
 * Ports below those that the system gives to outgoing connections: one of these would be in use again
 * by the time a service listens on it. Workers choose from ranges of their own.
 */
const portsOfWorker = 4000
const firstPort = 11_000 + portsOfWorker * (Number(process.env['VITEST_POOL_ID'] ?? 0) % 5)
let chosen = Math.floor(Math.random() * portsOfWorker)

/** A port that is currently free, and is not chosen again soon. */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < portsOfWorker; tried++) {
    const port = firstPort + (chosen++ % portsOfWorker)
    if (await isFree(port)) return port
  }
  throw new Error(`No port from ${firstPort} on is free.`)
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false))
    probe.listen(port, () => probe.close(() => resolve(true)))
  })
}

/** Four ports that are currently free. */
export async function freePorts(): Promise<[string, string, string, string]> {
  const next = async () => String(await freePort())
  return [await next(), await next(), await next(), await next()]
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
