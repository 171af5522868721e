import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { getAiSettings } from '../../queries/assistant/ai_settings.ts'
import { getCollectionProfile } from '../../queries/catalogue/collections.ts'
import { getProduct } from '../../queries/catalogue/products.ts'
import { getProductQuestions, getQuestionLibrary } from '../../queries/catalogue/questions.ts'
import { getSynonyms } from '../../queries/catalogue/synonyms.ts'
import { getTag } from '../../queries/catalogue/tags.ts'
import { getMedia } from '../../queries/media/media.ts'
import { getMember } from '../../queries/people/members.ts'
import { getWorkspace } from '../../queries/people/workspaces.ts'
import { getWebsite } from '../../queries/site/websites.ts'

type Reader = (db: Kysely<Database>, workspaceId: string, id: string) => Promise<unknown>

/**
 * How the resource that operations of a tag write is read, to record what a write has changed.
 * Without an id in the path, the resource is the workspace's only one.
 */
export const recordedResources: Readonly<Record<string, Reader>> = {
  products: async (db, workspaceId, id) =>
    JSON.parse(await getProduct(db, workspaceId, id)) as unknown,
  collections: getCollectionProfile,
  tags: getTag,
  media: getMedia,
  questions: async (db, workspaceId, id) =>
    id === ''
      ? { questions: await getQuestionLibrary(db, workspaceId) }
      : getProductQuestions(db, workspaceId, id),
  workspace: (db, workspaceId) => getWorkspace(db, workspaceId),
  website: (db, workspaceId) => getWebsite(db, workspaceId),
  ai_settings: async (db, workspaceId) => ({
    ...(await getAiSettings(db, workspaceId)),
    synonyms: (await getSynonyms(db, workspaceId)).groups,
  }),
  members: getMember,
}
