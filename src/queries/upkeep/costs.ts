import { type Kysely, sql } from 'kysely'
import { hour } from '../../core/time.ts'
import type { Database } from '../../db/schema.ts'

/* Raw SQL: costs are added from one list, of any number of workspaces. */

export interface WorkspaceCost {
  workspaceId: string
  calls: number
  milliseconds: number
  databaseMilliseconds: number
  waitMilliseconds: number
  bytes: number
}

const startOfMinute = (now: Date): Date => new Date(Math.floor(now.getTime() / 60_000) * 60_000)

/** Adds the costs of workspaces to the current minute. Sorted, so that two processes cannot deadlock. */
export async function addCosts(
  db: Kysely<Database>,
  now: Date,
  costs: WorkspaceCost[],
): Promise<void> {
  const sorted = [...costs].sort((left, right) => (left.workspaceId < right.workspaceId ? -1 : 1))
  await sql`
    insert into workspace_costs as c (minute, workspace_id, calls, milliseconds,
      database_milliseconds, wait_milliseconds, bytes)
    select ${startOfMinute(now)}, "workspaceId", calls, milliseconds,
      "databaseMilliseconds", "waitMilliseconds", bytes
    from json_to_recordset(${JSON.stringify(sorted)}::json) as r ("workspaceId" text, calls bigint,
      milliseconds double precision, "databaseMilliseconds" double precision,
      "waitMilliseconds" double precision, bytes bigint)
    on conflict on constraint workspace_costs_pkey do update
      set calls = c.calls + excluded.calls,
        milliseconds = c.milliseconds + excluded.milliseconds,
        database_milliseconds = c.database_milliseconds + excluded.database_milliseconds,
        wait_milliseconds = c.wait_milliseconds + excluded.wait_milliseconds,
        bytes = c.bytes + excluded.bytes`.execute(db)
}

const keptHours = 48

export async function deleteOldCosts(db: Kysely<Database>, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptHours * hour)
  await db
    .deleteFrom('workspace_costs')
    .where('minute', '<', sql<string>`${before}`)
    .execute()
}

export interface NamedCost extends WorkspaceCost {
  name: string | null
}

/** The workspaces with the highest database costs since a time. */
export function listCosts(db: Kysely<Database>, since: Date, limit: number): Promise<NamedCost[]> {
  return db
    .selectFrom('workspace_costs as c')
    .leftJoin('workspaces as w', 'w.id', 'c.workspace_id')
    .select(({ fn }) => [
      'c.workspace_id as workspaceId',
      fn.min('w.name').as('name'),
      sql<number>`sum(c.calls)::bigint`.as('calls'),
      fn.sum<number>('c.milliseconds').as('milliseconds'),
      fn.sum<number>('c.database_milliseconds').as('databaseMilliseconds'),
      fn.sum<number>('c.wait_milliseconds').as('waitMilliseconds'),
      sql<number>`sum(c.bytes)::bigint`.as('bytes'),
    ])
    .where('c.minute', '>=', sql<string>`${since}`)
    .groupBy('c.workspace_id')
    .orderBy('databaseMilliseconds', 'desc')
    .limit(limit)
    .execute()
}
