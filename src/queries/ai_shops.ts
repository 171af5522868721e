import type { Kysely } from 'kysely'
import { notFound } from '../core/errors.ts'
import type { Database } from '../db/schema.ts'

/** What prompts say about a workspace. */
export async function getAiShop(db: Kysely<Database>, workspaceId: string) {
  const row = await db
    .selectFrom('workspaces')
    .innerJoin('websites', 'websites.workspace_id', 'workspaces.id')
    .select([
      ...(['workspaces.id as workspaceId', 'workspaces.name'] as const),
      ...(['workspaces.ai_sector as sector', 'websites.template_key as templateKey'] as const),
      'workspaces.main_agent_prompt as ownerPrompt',
    ])
    .where('workspaces.id', '=', workspaceId)
    .executeTakeFirst()
  if (!row) throw notFound('workspace')
  return row
}
