import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { getAiSettings } from '../../queries/assistant/ai_settings.ts'
import { getReply } from '../../queries/assistant/question_replies.ts'
import { findUnansweredText } from '../../queries/assistant/unanswered_questions.ts'
import { getCollectionProfile } from '../../queries/catalogue/collection_reads.ts'
import { getProduct } from '../../queries/catalogue/products.ts'
import { getProductQuestions, getQuestionLibrary } from '../../queries/catalogue/questions.ts'
import { getSynonyms } from '../../queries/catalogue/search/synonyms.ts'
import { getTag } from '../../queries/catalogue/tags.ts'
import { getMedia } from '../../queries/media/media.ts'
import { getMember } from '../../queries/people/members.ts'
import { getWorkspace } from '../../queries/people/workspaces.ts'
import { getWebhook } from '../../queries/webhooks/webhooks.ts'
import { getDomain } from '../../queries/site/domains.ts'
import { getShopKnowledge } from '../../queries/site/shop_knowledge.ts'
import { getWebsite } from '../../queries/site/websites.ts'

/** A visitor's question, with the reply to it if there is one. */
async function getReplied(db: Kysely<Database>, workspaceId: string, id: string) {
  const name = await findUnansweredText(db, workspaceId, id)
  if (name !== undefined) return { name, answer: '' }
  const { question, answer } = await getReply(db, workspaceId, id)
  return { name: question, answer }
}

type ResourceReader = (db: Kysely<Database>, workspaceId: string, id: string) => Promise<unknown>

/**
 * For each tag, how the resource that its operations write is read, to record what a write has changed.
 * Without an id in the path, the resource is the workspace's only one.
 */
export const recordedResources: Readonly<Record<string, ResourceReader>> = {
  products: async (db, workspaceId, id) =>
    JSON.parse(await getProduct(db, workspaceId, id)) as unknown,
  collections: getCollectionProfile,
  tags: getTag,
  media: getMedia,
  questions: async (db, workspaceId, id) => {
    if (id === '') return { questions: await getQuestionLibrary(db, workspaceId) }
    return id.startsWith('qst_')
      ? getReplied(db, workspaceId, id)
      : getProductQuestions(db, workspaceId, id)
  },
  knowledge: async (db, workspaceId) => ({
    entries: (await getShopKnowledge(db, workspaceId)).map(
      ({ question, answer }) => `${question} ${answer}`,
    ),
  }),
  workspace: (db, workspaceId) => getWorkspace(db, workspaceId),
  website: (db, workspaceId) => getWebsite(db, workspaceId),
  ai_settings: async (db, workspaceId) => ({
    ...(await getAiSettings(db, workspaceId)),
    synonyms: (await getSynonyms(db, workspaceId)).groups,
  }),
  members: getMember,
  webhooks: getWebhook,
  domains: getDomain,
}
