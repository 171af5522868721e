import { type Kysely, sql } from 'kysely'
import type { Database } from '../../db/schema.ts'

/* Raw SQL: it asks PostgreSQL about itself. */

export interface ServerState {
  isReadOnly: boolean
  /** Settings that are off although a crash would then lose acknowledged data. */
  unsafe: string[]
  now: string
}

export async function getServerState(db: Kysely<Database>): Promise<ServerState> {
  const { rows } = await sql<ServerState>`
    select current_setting('transaction_read_only') = 'on' as "isReadOnly",
      array(select name from pg_settings
        where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off'
        order by name) as unsafe,
      clock_timestamp() as now`.execute(db)
  return rows[0]!
}

export interface Slot {
  name: string
  isActive: boolean
  /** How much of the write-ahead log is kept for the slot. */
  keptBytes: number
}

/** The replication slots of the server; none for a standby, which keeps no log of its own. */
export async function listSlots(db: Kysely<Database>): Promise<Slot[]> {
  const { rows } = await sql<Slot>`
    select slot_name::text as name, active as "isActive",
      coalesce(pg_wal_lsn_diff(case when pg_is_in_recovery() then restart_lsn
        else pg_current_wal_lsn() end, restart_lsn), 0)::bigint as "keptBytes"
    from pg_replication_slots where not temporary order by 1`.execute(db)
  return rows
}

export interface Replay {
  isStandby: boolean
  isPaused: boolean
  /** The position up to which the write-ahead log is written, or replayed. */
  position: string
}

export async function getReplay(db: Kysely<Database>): Promise<Replay> {
  const { rows } = await sql<Replay>`
    select recovery.on as "isStandby",
      case when recovery.on then pg_is_wal_replay_paused() else false end as "isPaused",
      case when recovery.on then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end::text
        as position
    from (select pg_is_in_recovery() as on) recovery`.execute(db)
  return rows[0]!
}

/** Bytes of the write-ahead log from one position to another. */
export async function getLogDistance(
  db: Kysely<Database>,
  { from, to }: { from: string; to: string },
): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select pg_wal_lsn_diff(${to}::pg_lsn, ${from}::pg_lsn)::bigint as bytes`.execute(db)
  return rows[0]!.bytes
}

/** The names of all migrations of a database, finished or not. */
export async function getMigrationNames(db: Kysely<Database>): Promise<string> {
  const { rows } = await sql<{ names: string }>`
    select string_agg(name, ' ' order by name) as names
    from (select name from service_migrations union select name from service_expansions) applied`.execute(
    db,
  )
  return rows[0]!.names
}

export interface MailQueue {
  waiting: number
  /** For how many seconds the oldest one has been due. */
  oldestSeconds: number
  failed: number
}

/** The state of the mail queue. */
export async function getMailQueue(db: Kysely<Database>, now: Date): Promise<MailQueue> {
  const { rows } = await sql<MailQueue>`
    select count(*) filter (where failed_at is null) as waiting,
      coalesce(extract(epoch from ${now}::timestamptz
        - min(next_attempt_at) filter (where failed_at is null)), 0)::integer as "oldestSeconds",
      count(*) filter (where failed_at is not null) as failed
    from mails`.execute(db)
  return rows[0]!
}

export interface Queue {
  queue: string
  waiting: number
  oldestSeconds: number
}

/** The due background work of the service. */
export async function listQueues(db: Kysely<Database>, now: Date): Promise<Queue[]> {
  const age = (column: string) => sql`
    coalesce(extract(epoch from ${now}::timestamptz - min(${sql.ref(column)})), 0)::integer`
  const { rows } = await sql<Queue>`
    select 'mails' as queue, count(*) as waiting, ${age('next_attempt_at')} as "oldestSeconds"
      from mails where failed_at is null and next_attempt_at <= ${now}
    union all
    select 'webhooks', count(*), ${age('next_attempt_at')}
      from webhook_deliveries where status = 'PENDING' and next_attempt_at <= ${now}
    union all
    select 'change sets', count(*), ${age('leased_until')}
      from change_set_queue where leased_until <= ${now}`.execute(db)
  return rows
}
