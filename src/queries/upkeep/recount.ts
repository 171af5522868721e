import { type Kysely, type RawBuilder, sql } from 'kysely'
import { openLock } from '../../db/sessions/held_lock.ts'
import type { Database } from '../../db/schema.ts'
import { mendSlugs, mendTagIds, recountCatalogue, recountUses } from './recount_catalogue.ts'
import { listMonths, recountEvents } from './recount_events.ts'

/*
 * Corrects counters, sums and directories that differ from their rows, beside a working service. A writer
 * changes a row and its counter in one transaction, so the difference that a single statement finds stays
 * the same whatever is written meanwhile: it is added, and no write is lost.
 *
 * Raw SQL: the statements serve several tables, by their names.
 */

/** Arbitrary; two concurrent recounts would add every difference twice. */
const lockKey = 7_318_112_048

export type Report = (line: string) => void

export interface RecountOptions {
  /** If missing, all workspaces and the lists of the whole service are recounted. */
  onlyWorkspaceId?: string | undefined
  /** Only reports differences, without correcting them. */
  isTrial?: boolean
}

/**
 * Corrects one workspace, or all of them and the lists of the whole service; returns how many were wrong.
 */
export async function recount(
  db: Kysely<Database>,
  report: Report,
  { onlyWorkspaceId, isTrial = false }: RecountOptions = {},
): Promise<number> {
  let mended = 0
  const tell = (subject: string, lines: string[]) => {
    for (const line of lines) report(`${subject}: ${line}`)
    mended += lines.length
  }
  await db.connection().execute(async (connection) => {
    const lock = await openLock(db, connection, lockKey)
    try {
      if (!(await lock.tryTake())) throw new Error('Another recount is running.')
      const months = await listMonths(connection)
      for (const id of onlyWorkspaceId === undefined
        ? await listIds(connection)
        : [onlyWorkspaceId]) {
        await kept(connection, isTrial, async () => {
          tell(id, await recountUses(connection, id))
          tell(id, await recountCatalogue(connection, id))
        })
        tell(id, await mendTagIds(connection, id, { isTrial }))
        tell(id, await mendSlugs(connection, id, { isTrial }))
        await kept(connection, isTrial, async () => {
          tell(id, await mendCheckouts(connection, id))
          tell(id, await recountLists(connection, feedbackOf(id)))
          for (const month of months) tell(id, await recountEvents(connection, id, month))
        })
      }
      if (onlyWorkspaceId === undefined)
        await kept(connection, isTrial, async () =>
          tell('service', await recountLists(connection, wholeLists)),
        )
    } finally {
      await lock.release()
    }
  })
  return mended
}

/** The writes of a trial are rolled back. */
async function kept(
  connection: Kysely<Database>,
  isTrial: boolean,
  work: () => Promise<void>,
): Promise<void> {
  if (!isTrial) return work()
  await sql`begin`.execute(connection)
  try {
    await work()
  } finally {
    await sql`rollback`.execute(connection)
  }
}

async function listIds(db: Kysely<Database>): Promise<string[]> {
  const rows = await db.selectFrom('workspaces').select('id').orderBy('id').execute()
  return rows.map(({ id }) => id)
}

/** Payments name a checkout without its workspace, which the directory tells. */
async function mendCheckouts(db: Kysely<Database>, workspaceId: string): Promise<string[]> {
  const rows = await db
    .insertInto('checkout_workspaces')
    .columns(['checkout_id', 'workspace_id'])
    .expression((eb) =>
      eb
        .selectFrom('checkouts')
        .select(['id', 'workspace_id'])
        .where('workspace_id', '=', workspaceId),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('checkout_id as id')
    .execute()
  return rows.map(({ id }) => `checkout ${id} is found again`)
}

/** Counts, as rows of `counted` and `total`, and which stored counters belong to them. */
interface Lists {
  counted: RawBuilder<unknown>
  isStored: RawBuilder<boolean>
}

const feedbackOf = (workspaceId: string): Lists => ({
  counted: sql`
    select ${workspaceId}::text as counted, count(*) as total from feedback
    where workspace_id = ${workspaceId}`,
  isStored: sql`counted = ${workspaceId}`,
})

const tables = [
  'accounts',
  'workspaces',
  'integration_sources',
  'contact_requests',
  'audit_entries',
]

/** Lists of the whole service by their names, connections of a source by its id. */
const wholeLists: Lists = {
  counted: sql`
    ${sql.join(
      tables.map(
        (table) =>
          sql`select ${sql.lit(table)} as counted, count(*) as total from ${sql.table(table)}`,
      ),
      sql` union all `,
    )}
    union all
    select source_id, count(*) from (
      select source_id from api_keys union all select source_id from grants) connections
    where source_id is not null group by 1`,
  isStored: sql`(counted = any(${tables}) or exists (
    select from integration_sources where id = counted))`,
}

async function recountLists(db: Kysely<Database>, { counted, isStored }: Lists): Promise<string[]> {
  const { rows } = await sql<{ counted: string; before: number; total: number }>`
    with rows as materialized (${counted}),
    stored as materialized (
      select counted, sum(total) as total from row_counters where ${isStored} group by 1)
    select * from (
      select counted, coalesce(stored.total, 0)::bigint as before,
        coalesce(rows.total, 0)::bigint as total
      from rows full join stored using (counted)) lists
    where before <> total order by counted`.execute(db)
  for (const { counted: key, before, total } of rows)
    await sql`
      insert into row_counters as c (counted, slot, total, changes)
      values (${key}, 0, ${total - before}, 1)
      on conflict on constraint row_counters_key do update
        set total = c.total + excluded.total, changes = c.changes + 1`.execute(db)
  return rows.map(
    ({ counted: key, before, total }) => `rows of ${key} were ${before}, are ${total}`,
  )
}
