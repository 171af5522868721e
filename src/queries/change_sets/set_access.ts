import { type Kysely, sql } from 'kysely'
import type { SetActor } from '../../db/schema/change_sets.ts'
import type { Database } from '../../db/schema.ts'

/**
 * Whether who asked for a step may still take it: a step in the background begins after its call. A
 * person may have signed out meanwhile; a key or grant must not have ended.
 */
export async function mayStillWrite(
  db: Kysely<Database>,
  workspaceId: string,
  { accountId, connectionId, scopes }: SetActor,
  now: Date,
): Promise<boolean> {
  const roles = scopes === null ? ['owner', 'staff'] : ['owner']
  const lives = (table: string) => sql`select from ${sql.table(table)} c
    join integration_sources s on s.id = c.source_id and s.status = 'APPROVED'
    where c.id = ${connectionId} and c.revoked_at is null
      and (c.expires_at is null or c.expires_at > ${now})`
  const connection =
    scopes === null
      ? sql`true`
      : sql`(exists (${lives('api_keys')}) or exists (${lives('grants')}))`
  const { rows } = await sql`
    select from members m join accounts a on a.id = m.account_id
      join workspaces w on w.id = m.workspace_id
    where m.workspace_id = ${workspaceId} and m.account_id = ${accountId} and m.status = 'ACTIVE'
      and m.role = any(${roles}) and a.status = 'ACTIVE' and w.status = 'ACTIVE'
      and ${connection}`.execute(db)
  return rows.length > 0
}
