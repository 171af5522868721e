import type { Kysely, Transaction } from 'kysely'
import { notFound } from '../../core/errors.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'

type AiSettings = components['schemas']['AiSettings']

export async function getAiSettings(
  db: Kysely<Database>,
  workspaceId: string,
): Promise<AiSettings> {
  const settings = await db
    .selectFrom('workspaces')
    .select([
      'ai_fast_enabled as fastEnabled',
      'ai_comprehensive_enabled as comprehensiveEnabled',
      'ai_sector as sector',
    ])
    .where('id', '=', workspaceId)
    .executeTakeFirst()
  if (!settings) throw notFound('workspace')
  return settings
}

export async function updateAiSettings(
  trx: Transaction<Database>,
  workspaceId: string,
  { fastEnabled, comprehensiveEnabled, sector }: AiSettings,
): Promise<void> {
  await trx
    .updateTable('workspaces')
    .set({
      ai_fast_enabled: fastEnabled,
      ai_comprehensive_enabled: comprehensiveEnabled,
      ai_sector: sector,
    })
    .where('id', '=', workspaceId)
    .execute()
}
