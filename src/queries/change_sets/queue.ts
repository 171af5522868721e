import { type Kysely, sql } from 'kysely'
import type { QueueLine } from '../../db/schema/change_sets.ts'
import type { Database } from '../../db/schema.ts'
import type { SetKey } from './change_set_rows.ts'

/* Raw SQL: a claim locks the row that it finds by its two keys, past those that others have locked. */

/** Leaves the step of a set to the background. */
export async function queueSet(
  trx: Kysely<Database>,
  { workspaceId, id }: SetKey,
  line: QueueLine,
  now: Date,
): Promise<void> {
  const waiting = { line, leased_until: now, attempts: 0 }
  await trx
    .insertInto('change_set_queue')
    .values({ workspace_id: workspaceId, change_set_id: id, ...waiting })
    .onConflict((on) => on.columns(['workspace_id', 'change_set_id']).doUpdateSet(waiting))
    .execute()
}

/** Keeps other processes off a set for a time. */
export async function renewLease(
  trx: Kysely<Database>,
  { workspaceId, id }: SetKey,
  until: Date,
): Promise<void> {
  await trx
    .updateTable('change_set_queue')
    .set({ leased_until: until })
    .where('workspace_id', '=', workspaceId)
    .where('change_set_id', '=', id)
    .execute()
}

/** Notes that a step made progress, so that its attempts are counted from zero again. */
export async function clearAttempts(
  trx: Kysely<Database>,
  { workspaceId, id }: SetKey,
): Promise<void> {
  await trx
    .updateTable('change_set_queue')
    .set({ attempts: 0 })
    .where('workspace_id', '=', workspaceId)
    .where('change_set_id', '=', id)
    .execute()
}

/** Uncounts an attempt that failed for a reason outside the step. */
export async function takeBackAttempt(
  db: Kysely<Database>,
  { workspaceId, id }: SetKey,
): Promise<void> {
  await db
    .updateTable('change_set_queue')
    .set({ attempts: sql`greatest(attempts - 1, 0)` })
    .where('workspace_id', '=', workspaceId)
    .where('change_set_id', '=', id)
    .execute()
}

export async function unqueueSet(
  trx: Kysely<Database>,
  { workspaceId, id }: SetKey,
): Promise<void> {
  await trx
    .deleteFrom('change_set_queue')
    .where('workspace_id', '=', workspaceId)
    .where('change_set_id', '=', id)
    .execute()
}

export interface ClaimedSet extends SetKey {
  /** How often the step was started since it last made progress, this time included. */
  attempts: number
  /** When others may claim it, unless the lease is renewed. */
  until: Date
}

/** Takes a claimed set out of the queue, unless another step has been left there since. */
export async function unqueueClaimed(
  db: Kysely<Database>,
  { workspaceId, id, attempts, until }: ClaimedSet,
): Promise<void> {
  await db
    .deleteFrom('change_set_queue')
    .where('workspace_id', '=', workspaceId)
    .where('change_set_id', '=', id)
    .where('attempts', '=', attempts)
    .where('leased_until', '=', until.toISOString())
    .execute()
}

/**
 * Claims a set whose step is waiting, or whose process is gone, for a time. The attempt is counted at once,
 * because a killed process cannot count it. Workspaces take turns: those served recently, given from first
 * to last, come after the others.
 */
export async function claimSet(
  db: Kysely<Database>,
  line: QueueLine,
  { now, until, lately }: { now: Date; until: Date; lately: readonly string[] },
): Promise<ClaimedSet | undefined> {
  const { rows } = await sql<Omit<ClaimedSet, 'until'>>`
    update change_set_queue q set leased_until = ${until}, attempts = q.attempts + 1
    where (q.workspace_id, q.change_set_id) = (
      select w.workspace_id, w.change_set_id from change_set_queue w
      where w.line = ${line} and w.leased_until <= ${now}
      order by coalesce(array_position(${lately}::text[], w.workspace_id), 0), w.leased_until
      limit 1 for update skip locked)
    returning q.workspace_id as "workspaceId", q.change_set_id as id, q.attempts`.execute(db)
  return rows[0] && { ...rows[0], until }
}
