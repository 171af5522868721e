import type { Connection } from '../../db/connect.ts'
import { addressesOf } from '../../db/sessions/hosts.ts'
import { getConnectionLimits } from '../../queries/upkeep/health.ts'
import type { Config } from '../../settings/config.ts'

type Settings = Pick<Config, 'databaseUrl' | 'databasePoolSize' | 'webConcurrency'>

/** Beside its pool, a process has a connection for probes, and a service one for its heartbeat. */
const besidePool = 1
const ofService = 1

/**
 * A sentence if the services that are alive, each with the settings of this one, may open more
 * connections than the database takes. Behind a pooler that is the pooler's business.
 */
export async function connectionShortage(
  connection: Connection,
  settings: Settings,
): Promise<string | undefined> {
  if ((await connection.session()).isPooled) return undefined
  return shortageOf(await getConnectionLimits(connection.db), settings)
}

export function shortageOf(
  { taken, services }: { taken: number; services: number },
  { databaseUrl, databasePoolSize, webConcurrency }: Settings,
): string | undefined {
  // Where there are several hosts, each process and the heartbeat watch which of them is the primary.
  const watch = databaseUrl !== undefined && addressesOf(databaseUrl).length > 1 ? 1 : 0
  const each = webConcurrency * (databasePoolSize + besidePool + watch) + ofService + watch
  const all = each * Math.max(1, services)
  if (all <= taken) return undefined
  const [many, such] = services > 1 ? [`${services} services`, ` of ${each} each`] : ['It', '']
  return (
    `${many} may open ${all} connections${such}, and the database takes ${taken}: lower ` +
    'DATABASE_POOL_SIZE or WEB_CONCURRENCY, raise max_connections, or put a pooler in between.'
  )
}
