import type { Log } from '../../core/log.ts'
import { connect, type Connection } from '../../db/connect.ts'
import { createReplica, type Replica, replicaMilliseconds } from '../../db/sessions/replica.ts'
import { firstVersion, readCatalogueVersion } from '../../queries/catalogue/feed.ts'
import { getMigrationNames } from '../../queries/upkeep/server_state.ts'
import { getPlace } from '../../queries/upkeep/stamps.ts'

/** A connection to a replica. A replica that does not take it at once is not waited for. */
export const connectToReplica = (
  url: string,
  options: { baseUrl?: string; max?: number } = {},
): Connection =>
  connect(url, {
    ...options,
    isReplica: true,
    waitMilliseconds: 1000,
    queryMilliseconds: replicaMilliseconds,
  })

/** Opens the replica of a primary; it is used as soon as it has been found to be one. */
export function openReplica(
  primary: Connection,
  { url, log, ...options }: { url: string; log: Log; baseUrl?: string; max?: number },
): Replica {
  const connection = connectToReplica(url, options)
  return createReplica({
    connection,
    log,
    examine: () => reasonAgainst(primary, connection),
    versionOf: async (db, workspaceId) => {
      const version = await readCatalogueVersion(db, workspaceId)
      return version === firstVersion ? undefined : version
    },
  })
}

/**
 * Why a database cannot stand in for the primary. One that lacks a migration would be asked for what it
 * has not got, and its rows may not have been brought up to it.
 */
export async function reasonAgainst(
  primary: Connection,
  replica: Connection,
): Promise<string | undefined> {
  if ((await getPlace(primary.probe)) !== (await getPlace(replica.probe)))
    return 'It is no standby of the database in DATABASE_URL.'
  const names = await getMigrationNames(replica.probe)
  if (names !== (await getMigrationNames(primary.probe)))
    return 'It has not seen all migrations of the database yet.'
  return undefined
}
