import { type Kysely, sql } from 'kysely'
import type { SetActor } from '../../db/schema/change_sets.ts'
import type { Database } from '../../db/schema.ts'

/**
 * Whether the actor that requested a step may still take it: a background step begins after its call. A
 * person may have signed out meanwhile, but a key or grant must still be live.
 */
export async function mayStillWrite(
  db: Kysely<Database>,
  workspaceId: string,
  { accountId, connectionId, scopes }: SetActor,
  now: Date,
): Promise<boolean> {
  const roles = scopes === null ? (['owner', 'staff'] as const) : (['owner'] as const)
  const lives = (table: 'api_keys' | 'grants') => sql<boolean>`exists (
    select from ${sql.table(table)} c
    join integration_sources s on s.id = c.source_id and s.status = 'APPROVED'
    where c.id = ${connectionId} and c.revoked_at is null
      and (c.expires_at is null or c.expires_at > ${now}))`
  const member = await db
    .selectFrom('members as m')
    .innerJoin('accounts as a', 'a.id', 'm.account_id')
    .innerJoin('workspaces as w', 'w.id', 'm.workspace_id')
    .select('m.id')
    .where('m.workspace_id', '=', workspaceId)
    .where('m.account_id', '=', accountId)
    .where('m.status', '=', 'ACTIVE')
    .where('m.role', 'in', roles)
    .where('a.status', '=', 'ACTIVE')
    .where('w.status', '=', 'ACTIVE')
    .$if(scopes !== null, (query) =>
      query.where((eb) => eb.or([lives('api_keys'), lives('grants')])),
    )
    .executeTakeFirst()
  return member !== undefined
}
