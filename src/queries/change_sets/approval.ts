import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'

/** Whether a person must approve what agents apply to many products. */
export async function needsApproval(db: Kysely<Database>, workspaceId: string): Promise<boolean> {
  const { needed } = await db
    .selectFrom('workspaces')
    .select('agent_changes_need_approval as needed')
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return needed
}

export async function updateApproval(
  db: Kysely<Database>,
  workspaceId: string,
  needed: boolean,
): Promise<void> {
  await db
    .updateTable('workspaces')
    .set({ agent_changes_need_approval: needed })
    .where('id', '=', workspaceId)
    .execute()
}
