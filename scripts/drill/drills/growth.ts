import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { connect } from '../../../src/db/connect.ts'
import type { Database } from '../../../src/db/schema.ts'
import { dropUsageMonths, requireUsageMonth } from '../../../src/queries/credits/usage_months.ts'
import { startLoad } from '../../upgrade/load.ts'
import { openWorld } from '../parts/world.ts'
import { type Drill, outcomeOf } from './drill.ts'

const calmMilliseconds = 2000
const events = 2_000_000
const eventsOfBatch = 250_000

/** A month before any that is kept. */
const month = new Date('2020-01-01T00:00:00Z')
const monthAfter = new Date('2020-02-01T00:00:00Z')

async function fillMonth(db: Kysely<Database>, workspaceId: string): Promise<void> {
  await requireUsageMonth(db, month)
  for (let first = 0; first < events; first += eventsOfBatch)
    await sql`
      insert into usage_events (id, workspace_id, actor_type, user_id, event_name, endpoint,
        resource_type, resource_id, created_at)
      select 'evt_drill_' || n, ${workspaceId}, 'GUEST', 'gst_' || n % 5000, 'product.viewed',
        'GET /experience/products', 'product', 'prd_' || n % 1000,
        ${month}::timestamptz + n * interval '1 second'
      from generate_series(${first}::integer, ${first + eventsOfBatch - 1}::integer) n`.execute(db)
  // Of a month that old, this was done long ago; autovacuum would be in the way of the drop.
  await sql`vacuum analyze usage_events_2020_01`.execute(db)
}

async function isThere(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql<{ it: boolean }>`
    select to_regclass('usage_events_2020_01') is not null as it`.execute(db)
  return rows[0]!.it
}

/** Housekeeping drops a month of events while shops are called. */
export const monthDropped: Drill = {
  name: 'month-dropped',
  about: `a month of ${events.toLocaleString('en')} usage events is dropped`,
  mayRefuse: false,
  recoversWithin: 1,
  async run() {
    const world = await openWorld({ services: 1 })
    const connection = connect(world.databaseUrl, { max: 1, patient: true })
    try {
      const { db } = connection
      await fillMonth(db, world.workspaces[0]!.id)
      const load = startLoad(
        `http://127.0.0.1:${world.services[0]!.port}`,
        world.workspaces,
        'drill',
      )
      await pause(calmMilliseconds)
      const startedAt = performance.now()
      // As the sweep does: it leaves the month to the next turn if a call is in the way.
      while (await isThere(db)) await dropUsageMonths(db, monthAfter)
      const seconds = Math.round((performance.now() - startedAt) / 10) / 100
      await pause(calmMilliseconds)
      return await outcomeOf(world, await load.stop(), seconds)
    } finally {
      await connection.close()
      await world.stop()
    }
  },
}
