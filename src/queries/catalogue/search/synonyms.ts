import type { Kysely, Transaction } from 'kysely'
import { notFound } from '../../../core/errors.ts'
import type { Database } from '../../../db/schema.ts'
import type { components } from '../../../generated/types.ts'
import { recordChange } from '../counters.ts'

type Synonyms = components['schemas']['Synonyms']

export async function getSynonyms(db: Kysely<Database>, workspaceId: string): Promise<Synonyms> {
  const row = await db
    .selectFrom('workspaces')
    .select('synonyms as groups')
    .where('id', '=', workspaceId)
    .executeTakeFirst()
  if (!row) throw notFound('workspace')
  return row
}

/** Searches may find other products afterwards, so this counts as a change of the catalogue. */
export async function updateSynonyms(
  trx: Transaction<Database>,
  workspaceId: string,
  { groups }: Synonyms,
  now: Date,
): Promise<void> {
  await trx
    .updateTable('workspaces')
    .set({ synonyms: JSON.stringify(groups) })
    .where('id', '=', workspaceId)
    .execute()
  await recordChange(trx, workspaceId, { counters: { changes: 1 }, entries: [] }, now)
}
