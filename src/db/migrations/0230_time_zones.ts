import { sql } from 'kysely'
import type { Step } from '../migration.ts'
import { briefly } from '../online.ts'

/**
 * The time zone of a shop, whose days its owner counts by; null is UTC. Counters stay by days in UTC. What
 * is counted on the shop's pages while the shop has another date is counted here, too, with that date. The
 * build before counts none of it, which leaves what it counts to the days in UTC.
 */
export const steps: readonly Step[] = [
  {
    name: 'column',
    run: ({ db }) =>
      briefly(db, async (trx) => {
        await sql`alter table workspaces add column if not exists time_zone text`.execute(trx)
      }),
  },
  {
    name: 'site_shifts',
    run: ({ db }) =>
      briefly(db, async (trx) => {
        await sql`
          create table if not exists site_shifts (
            workspace_id text not null,
            counted date not null,
            meant date not null,
            kind text not null,
            name text not null,
            count bigint not null,
            constraint site_shifts_key primary key (workspace_id, counted, meant, kind, name)
          )`.execute(trx)
      }),
  },
]
