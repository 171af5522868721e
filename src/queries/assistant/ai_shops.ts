import type { Kysely } from 'kysely'
import { notFound } from '../../core/errors.ts'
import { prepared } from '../../db/prepared.ts'
import type { Database } from '../../db/schema.ts'

const findAiShop = prepared<{ workspaceId: string }>()('find_ai_shop', (db, parameter) =>
  db
    .selectFrom('workspaces')
    .innerJoin('websites', 'websites.workspace_id', 'workspaces.id')
    .select([
      'workspaces.id as workspaceId',
      'workspaces.name',
      'workspaces.ai_sector as sector',
      'websites.template_key as templateKey',
      'websites.language',
      'workspaces.main_agent_prompt as ownerPrompt',
      'workspaces.ai_fast_enabled as fastEnabled',
      'workspaces.ai_comprehensive_enabled as comprehensiveEnabled',
      'workspaces.question_library as questionLibrary',
      'workspaces.synonyms',
      'websites.contact_email as contactEmail',
      'websites.social_links as socialLinks',
      'websites.knowledge',
    ])
    .where('workspaces.id', '=', parameter('workspaceId')),
)

/** A workspace's data for prompts, and its enabled AI modes. */
export async function getAiShop(db: Kysely<Database>, workspaceId: string) {
  const [row] = await findAiShop(db, { workspaceId })
  if (!row) throw notFound('workspace')
  return row
}
