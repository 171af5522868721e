import type { Kysely } from 'kysely'
import type { Picture, ThinkingLevel } from '../adapters/language_model.ts'
import { invalidInput } from '../core/errors.ts'
import type { Database } from '../db/schema.ts'
import { getAiShop } from '../queries/ai_shops.ts'
import { listPublishedProducts, type PublishedProduct } from '../queries/catalogue_search.ts'
import { getProductQuestions } from '../queries/questions.ts'
import type {
  AiModel,
  AiShop,
  FaceAnswer,
  ProductAnswer,
  RoutineAnswer,
  Sector,
  Spoken,
  Turn,
  UserProfile,
} from './ai_model.ts'

/** Who answers, and where the catalogue is. */
export interface Assistant {
  db: Kysely<Database>
  aiModel: AiModel
}

interface Asked {
  workspaceId: string
  message: string
  history: readonly Turn[]
  thinkingLevel: ThinkingLevel
}

/** How much is read of the text of the product at hand, and of each that a routine is made of. */
const characters = { productId: 30_000, userSelectedRoutineProducts: 8_000 }

/** Answers a question about a published product; refuses one that is not. */
export async function answerProductChat(
  { db, aiModel }: Assistant,
  { workspaceId, productId, message, history, thinkingLevel }: Asked & { productId: string },
  signal?: AbortSignal,
): Promise<Spoken<ProductAnswer>> {
  const [shop, [product]] = await Promise.all([
    shopOf(db, workspaceId),
    requirePublished(db, workspaceId, 'productId', [productId]),
  ])
  const { questions } = await getProductQuestions(db, workspaceId, productId)
  const answer = await aiModel.chatAboutProduct(
    {
      ...{ shop, product: product!, message, history, thinkingLevel },
      questions: questions.map(({ text }) => text),
    },
    signal,
  )
  const published = await publishedAmong(db, workspaceId, answer.productIds)
  return { ...answer, productIds: keepPublished(answer.productIds, published) }
}

export interface RoutineAsked extends Asked {
  userProfile: UserProfile
  selectedProductIds: readonly string[]
  allowAiSuggestions: boolean
  images: readonly Picture[]
}

/** Puts a routine together; refuses selected products that are not published. */
export async function answerRoutineChat(
  { db, aiModel }: Assistant,
  { workspaceId, selectedProductIds, ...asked }: RoutineAsked,
  signal?: AbortSignal,
): Promise<Spoken<RoutineAnswer>> {
  const [shop, selected] = await Promise.all([
    shopOf(db, workspaceId),
    requirePublished(db, workspaceId, 'userSelectedRoutineProducts', selectedProductIds),
  ])
  const answer = await aiModel.chatAboutRoutine({ shop, selected, ...asked }, signal)
  const named = [...answer.productIds, ...answer.steps.flatMap(({ productId }) => productId ?? [])]
  const published = await publishedAmong(db, workspaceId, named)
  const steps = answer.steps.map((step) => ({
    ...step,
    productId: step.productId !== null && published.has(step.productId) ? step.productId : null,
  }))
  return { ...answer, steps, productIds: keepPublished(answer.productIds, published) }
}

/** Describes the one face of a picture; of none or several it says no more than that. */
export async function answerFaceAnalysis(
  { db, aiModel }: Assistant,
  { workspaceId, image, language }: { workspaceId: string; image: Picture; language: string },
  signal?: AbortSignal,
): Promise<Spoken<FaceAnswer>> {
  const shop = await shopOf(db, workspaceId)
  const answer = await aiModel.analyzeFace({ shop, image, language }, signal)
  if (answer.analysis.faceDetected) return answer
  return { ...answer, response: '', analysis: { faceDetected: false, observations: [] } }
}

/** Ids that a model named, each once and in its order: what is not published was made up. */
export function keepPublished(ids: readonly string[], published: ReadonlySet<string>): string[] {
  return [...new Set(ids)].filter((id) => published.has(id))
}

async function publishedAmong(
  db: Kysely<Database>,
  workspaceId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const products = await listPublishedProducts(db, workspaceId, ids, 0)
  return new Set(products.map(({ id }) => id))
}

async function requirePublished(
  db: Kysely<Database>,
  workspaceId: string,
  field: keyof typeof characters,
  ids: readonly string[],
): Promise<PublishedProduct[]> {
  const products = await listPublishedProducts(db, workspaceId, ids, characters[field])
  const known = new Set(products.map(({ id }) => id))
  const unknown = ids.find((id) => !known.has(id))
  if (unknown !== undefined)
    throw invalidInput({ [field]: `There is no published product ${unknown}.` })
  return products
}

const sectorsOfTemplates: Record<string, Sector> = { beauty: 'BEAUTY', textile: 'TEXTILE' }

async function shopOf(db: Kysely<Database>, workspaceId: string): Promise<AiShop> {
  const { sector, templateKey, ...shop } = await getAiShop(db, workspaceId)
  const automatic = sectorsOfTemplates[templateKey] ?? 'GENERAL'
  return { ...shop, sector: sector === 'AUTO' ? automatic : sector }
}
