import type { Kysely, Transaction } from 'kysely'
import { notFound } from '../../core/errors.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'

type Design = components['schemas']['WorkspaceDesign']

/** The design that staff have chosen for a workspace; null if they have chosen none. */
export async function getDesign(db: Kysely<Database>, workspaceId: string): Promise<Design | null> {
  const website = await db
    .selectFrom('websites')
    .select('design')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  if (!website) throw notFound('workspace')
  return website.design
}

/** The caller holds the workspace's lock. */
export async function updateDesign(
  trx: Transaction<Database>,
  workspaceId: string,
  design: Design,
): Promise<void> {
  await trx
    .updateTable('websites')
    .set({ design: JSON.stringify(design) })
    .where('workspace_id', '=', workspaceId)
    .execute()
}
