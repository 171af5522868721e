import { sql, type Kysely } from 'kysely'
import { migrations as allMigrations } from '../generated/migrations.ts'
import type { Migrations } from './migration.ts'

/*
 * Which builds use a database. A build is identified by its last migration: if that comes before a
 * contraction, the build cannot run on the contracted database. Each service keeps a row here, which it
 * writes every half minute and removes when it stops; after a kill the row expires in ten minutes.
 *
 * The first releases write no such row and are known by their sessions alone: they look for mails every
 * five seconds, so one is always open. Sessions of later builds have a name; any other session of the same
 * role counts as one of an older build.
 *
 * Raw SQL: it asks PostgreSQL about its sessions, and uses a table outside the schema.
 */

export const buildOf = (migrations: Migrations): string => Object.keys(migrations).at(-1) ?? ''

const prefix = 'vitrine '
/** The name of this build's sessions, unless the database's URL gives them another. */
export const sessionName = `${prefix}${buildOf(allMigrations)}`

export const millisecondsBetweenBeats = 30_000
const forgottenAfter = '10 minutes'

/** A service that uses a database. */
export interface ServiceProcess {
  id: string
  build: string
}

/** Records that a service is alive, for the first time or again. */
export async function recordBeat(
  db: Kysely<unknown>,
  { id, build }: ServiceProcess,
): Promise<void> {
  await sql`
    insert into service_processes (id, build) values (${id}, ${build})
    on conflict (id) do update set seen_at = now()`.execute(db)
}

/** Removes a service that stops, and those that were killed a day ago or more. */
export async function removeProcess(db: Kysely<unknown>, id: string): Promise<void> {
  await sql`
    delete from service_processes
    where id = ${id} or seen_at < now() - interval '1 day'`.execute(db)
}

/** What may belong to a build older than the contraction, described for an operator. */
export async function listOlderBuilds(db: Kysely<unknown>, contraction: string): Promise<string[]> {
  const { rows } = await sql<{ description: string }>`
    select format('the build %s, running since %s', build,
      to_char(started_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS UTC')) as description
    from service_processes
    where build collate "C" < ${contraction} and seen_at > now() - ${forgottenAfter}::interval
    union all
    select format('%s from %s', case when count(*) = 1 then 'a session' else count(*) || ' sessions' end
        || case application_name when '' then ' without a name' else format(' named "%s"', application_name) end,
      coalesce(host(client_addr), 'this machine'))
    from pg_stat_activity
    where datname = current_database() and usename = current_user
      and backend_type = 'client backend' and pid <> pg_backend_pid()
      and application_name not like 'citus%'
      and not (starts_with(application_name, ${prefix})
        and substr(application_name, ${prefix.length + 1}) collate "C" >= ${contraction})
    group by application_name, client_addr`.execute(db)
  return rows.map(({ description }) => description).sort()
}
