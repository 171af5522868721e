import type { Kysely, Transaction } from 'kysely'
import { notFound } from '../../core/errors.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'

type ShopAnswer = components['schemas']['ShopAnswer']

/** What the shop answers about itself, in its own order. */
export async function getShopKnowledge(
  db: Kysely<Database>,
  workspaceId: string,
): Promise<ShopAnswer[]> {
  const row = await db
    .selectFrom('websites')
    .select('knowledge')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  if (!row) throw notFound('website')
  // The database orders fields in its own way, which would make the ETag differ from that of a write.
  return row.knowledge.map(({ question, answer }) => ({ question, answer }))
}

/** Replaces all of it. The caller holds the website's lock and moves the pages. */
export async function updateShopKnowledge(
  trx: Transaction<Database>,
  workspaceId: string,
  entries: readonly ShopAnswer[],
): Promise<void> {
  await trx
    .updateTable('websites')
    .set({ knowledge: JSON.stringify(entries) })
    .where('workspace_id', '=', workspaceId)
    .execute()
}
