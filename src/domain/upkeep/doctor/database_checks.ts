import type { Connection } from '../../../db/connect.ts'
import { describeMigrations } from '../../../db/migration_state.ts'
import {
  getLogDistance,
  getReplay,
  getServerState,
  listSlots,
} from '../../../queries/upkeep/server_state.ts'
import type { Config } from '../../../settings/config.ts'
import { connectionShortage } from '../connection_shortage.ts'
import { connectToReplica, reasonAgainst } from '../replica.ts'
import { advice, type Check, fault, type DoctorFinding, plural } from './finding.ts'

/** How far apart the clocks of the service and its database may be. */
const maxClockSeconds = 2

/** The database, what lies between, and its copies. */
export function databaseChecks(connection: Connection, config: Config, clock: () => Date): Check[] {
  const { db } = connection
  return [
    { name: 'database', run: () => checkServer(connection, config) },
    { name: 'pooler', run: () => checkPooler(connection) },
    { name: 'replicas', run: () => checkReplicas(connection) },
    { name: 'replica', run: () => checkReplica(connection, config) },
    { name: 'clock', run: () => checkClock(connection, clock) },
    { name: 'migrations', run: async () => migrationFindings(await describeMigrations(db)) },
  ]
}

async function checkServer(connection: Connection, config: Config): Promise<DoctorFinding[]> {
  const state = await getServerState(connection.db)
  const findings: DoctorFinding[] = []
  if (state.isReadOnly)
    findings.push(
      fault(
        'The database takes no writes: it is a standby, or set to read-only.',
        'Name the primary in DATABASE_URL, or end default_transaction_read_only.',
      ),
    )
  for (const name of state.unsafe)
    findings.push(
      fault(
        `The server runs with ${name} = off: a crash can lose or damage what was acknowledged.`,
        `Set ${name} = on in its configuration.`,
      ),
    )
  const shortage = await connectionShortage(connection, config)
  if (shortage !== undefined)
    findings.push(fault(shortage, 'Otherwise calls fail when many come at once.'))
  return findings
}

async function checkPooler(connection: Connection): Promise<DoctorFinding[]> {
  const { isPooled, keepsNames } = await connection.session()
  if (!isPooled || keepsNames) return []
  return [
    advice(
      'The pooler does not keep prepared statements: each is planned anew, at twice the cost.',
      'Use PgBouncer 1.21 or later with max_prepared_statements = 200.',
    ),
  ]
}

const gigabyte = 1024 ** 3

/** A slot that nobody reads keeps the write-ahead log until the disk is full. */
async function checkReplicas({ db }: Connection): Promise<DoctorFinding[]> {
  const slots = await listSlots(db)
  return slots
    .filter(({ isActive }) => !isActive)
    .map(({ name, keptBytes }) => {
      const what = `The replication slot ${name} is not read, and keeps ${Math.ceil(keptBytes / gigabyte)} GB of log.`
      const remedy = `Bring its standby back, or: select pg_drop_replication_slot('${name}')`
      return keptBytes > gigabyte ? fault(what, remedy) : advice(what, remedy)
    })
}

const megabyte = 1024 ** 2
/** More than a busy primary writes while a near replica replays. */
const maxBehind = 64 * megabyte

/** The one that reads go to. What is wrong with it costs speed alone. */
async function checkReplica(primary: Connection, config: Config): Promise<DoctorFinding[]> {
  const { databaseReplicaUrl } = config
  if (databaseReplicaUrl === undefined) return []
  const replica = connectToReplica(databaseReplicaUrl, { max: 1 })
  try {
    const reason = await reasonAgainst(primary, replica)
    return reason === undefined
      ? await replayFindings(primary, replica)
      : [unusable(reason, 'Name a streaming standby in DATABASE_REPLICA_URL.')]
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return [unusable(reason, 'Start it, or check DATABASE_REPLICA_URL.')]
  } finally {
    await replica.close()
  }
}

const unusable = (reason: string, remedy: string): DoctorFinding =>
  fault(`The replica cannot be used, and the primary answers all reads: ${reason}`, remedy)

async function replayFindings(primary: Connection, replica: Connection): Promise<DoctorFinding[]> {
  const { position: from, isPaused, isStandby } = await getReplay(replica.db)
  const { position: to } = await getReplay(primary.db)
  if (!isStandby)
    return [
      advice('The replica is the primary itself.', 'Name its standby in DATABASE_REPLICA_URL.'),
    ]
  if (isPaused)
    return [fault('The replica replays nothing.', 'On it: select pg_wal_replay_resume()')]
  const behind = await getLogDistance(primary.db, { from, to })
  if (behind <= maxBehind) return []
  const what = `The replica is ${Math.round(behind / megabyte)} MB of log behind.`
  return [advice(what, 'What has changed meanwhile is read from the primary.')]
}

async function checkClock({ db }: Connection, clock: () => Date): Promise<DoctorFinding[]> {
  const before = clock().getTime()
  const { now } = await getServerState(db)
  const here = (before + clock().getTime()) / 2
  const seconds = Math.round(Math.abs(here - Date.parse(now)) / 1000)
  if (seconds <= maxClockSeconds) return []
  return [
    fault(
      `The clocks of this machine and of the database are ${seconds} s apart: codes, limits and ` +
        'sessions end at the wrong time.',
      'Let both follow the same time servers.',
    ),
  ]
}

function migrationFindings(state: Awaited<ReturnType<typeof describeMigrations>>): DoctorFinding[] {
  const { isNew, expansions, contractions, unknown, waitsFor } = state
  if (isNew) return [fault('The database is empty.', 'Start the service, which migrates it.')]
  const findings: DoctorFinding[] = []
  if (unknown.length > 0)
    findings.push(
      fault(
        `The database is newer than this build: it has ${unknown.join(', ')}.`,
        'Run the newer build.',
      ),
    )
  if (expansions.length > 0)
    findings.push(
      fault(
        `${plural(expansions.length, 'migration', 'migrations')} of this build did not run yet.`,
        'Start this build: it migrates beside the one before.',
      ),
    )
  if (contractions.length > 0)
    findings.push(
      advice(
        `${contractions.join(', ')} waits${waitsFor.length > 0 ? ` for ${waitsFor.join(', ')}` : ''}.`,
        'Stop the older build, then restart this one or run npm run migrate:contract.',
      ),
    )
  return findings
}
