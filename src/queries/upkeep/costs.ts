import { type Kysely, sql } from 'kysely'
import { hour } from '../../core/time.ts'
import type { Database } from '../../db/schema.ts'

export interface WorkspaceCost {
  workspaceId: string
  calls: number
  milliseconds: number
  databaseMilliseconds: number
  waitMilliseconds: number
  bytes: number
}

const startOfMinute = (now: Date): Date => new Date(Math.floor(now.getTime() / 60_000) * 60_000)

/** Adds what workspaces have cost to the minute. Sorted, so that two processes never wait in a circle. */
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

/** The workspaces that have cost the database most since a time. */
export async function listCosts(
  db: Kysely<Database>,
  since: Date,
  limit: number,
): Promise<NamedCost[]> {
  const { rows } = await sql<NamedCost>`
    select c.workspace_id as "workspaceId", min(w.name) as name, sum(c.calls)::bigint as calls,
      sum(c.milliseconds) as milliseconds, sum(c.database_milliseconds) as "databaseMilliseconds",
      sum(c.wait_milliseconds) as "waitMilliseconds", sum(c.bytes)::bigint as bytes
    from workspace_costs c left join workspaces w on w.id = c.workspace_id
    where c.minute >= ${since}
    group by c.workspace_id order by 5 desc limit ${limit}`.execute(db)
  return rows
}
