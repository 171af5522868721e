import { type Kysely, sql } from 'kysely'
import type { Step } from '../migration.ts'
import { briefly } from '../online.ts'

export const endsBuildBefore = true

/** Takes away the events of the build before, and what rolled up and found those it wrote. */
export const steps: readonly Step[] = [
  { name: 'trigger and index', run: ({ db }) => briefly(db, dropHelp) },
  { name: 'foreign key', run: ({ db }) => briefly(db, dropForeignKey) },
  { name: 'old events', run: ({ db }) => briefly(db, dropOldEvents) },
]

async function dropHelp(trx: Kysely<unknown>): Promise<void> {
  await sql`drop trigger if exists usage_event_rolled_up on usage_events`.execute(trx)
  await sql`drop function if exists usage_event_rolled_up()`.execute(trx)
  await sql`drop index if exists usage_events_id_index`.execute(trx)
}

/** Before the table, so that workspaces are not locked while its files are removed. */
async function dropForeignKey(trx: Kysely<unknown>): Promise<void> {
  await sql`alter table if exists usage_events_before
    drop constraint if exists usage_events_workspace_id_fkey`.execute(trx)
}

async function dropOldEvents(trx: Kysely<unknown>): Promise<void> {
  await sql`drop table if exists usage_events_before`.execute(trx)
}
