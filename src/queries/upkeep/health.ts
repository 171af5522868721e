import { type Kysely, sql } from 'kysely'
import type { Database } from '../../db/schema.ts'

/* Raw SQL: it asks PostgreSQL about itself, and tables outside the schema. */

/**
 * Rejects if the database does not respond or would refuse a write. Locking no rows costs no more than
 * reading none, and a read-only database refuses it.
 */
export async function pingDatabase(db: Kysely<Database>): Promise<void> {
  await sql`select 1 from service_stamps where false for update`.execute(db)
}

/** How many connections the database grants to services, and how many services use it. */
export async function getConnectionLimits(
  db: Kysely<Database>,
): Promise<{ taken: number; services: number }> {
  const { rows } = await sql<{ taken: number; services: number }>`
    select current_setting('max_connections')::integer
        - current_setting('superuser_reserved_connections')::integer
        - coalesce(current_setting('reserved_connections', true), '0')::integer as taken,
      (select count(*) from service_processes where seen_at > now() - interval '10 minutes')
        as services`.execute(db)
  return rows[0]!
}

/** Services with a recent heartbeat, this one included. */
export async function countServices(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ services: number }>`
    select count(*) as services from service_processes
    where seen_at > now() - interval '2 minutes'`.execute(db)
  return rows[0]!.services
}
