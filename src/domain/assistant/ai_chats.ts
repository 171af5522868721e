import type { Kysely } from 'kysely'
import { type ApiError, invalidInput } from '../../core/errors.ts'
import { synonymGroupsOf } from '../../language/synonyms.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import { getAiShop } from '../../queries/assistant/ai_shops.ts'
import { bestLanguage, serviceTexts } from '../../texts/languages.ts'
import {
  findChatProduct,
  listProductSummaries,
  listPublishedProducts,
  type PublishedProduct,
} from '../../queries/catalogue/search/catalogue_search.ts'
import type {
  AiModel,
  AiShop,
  Citation,
  FaceAnalysisRequest,
  FaceAnswer,
  ModelReply,
  ProductAnswer,
  ProductChat,
  RoutineAnswer,
  RoutineChat,
  Sector,
  SpokenWords,
} from './ai_model.ts'
import { noFace } from './face_analysis.ts'
import { productsForFace } from './face_products.ts'
import { saidWords } from './said_words.ts'

/** The model that answers chats, and the database with the catalogue. */
export interface ModelAccess {
  db: Kysely<Database>
  aiModel: AiModel
}

/** The shop that a chat is about, and its enabled modes. */
export interface OpenShop extends AiShop {
  fastEnabled: boolean
  comprehensiveEnabled: boolean
  /** The questions of products that have none of their own. */
  questionLibrary: components['schemas']['ProductQuestion'][]
}

/** How long an answer may take, and who listens to it meanwhile. */
interface Listening {
  signal?: AbortSignal
  words?: SpokenWords | undefined
}

/** The published products that an answer mentions. */
interface Mentions {
  products: components['schemas']['CollectionProduct'][]
}

/** Maximum text read for the product in question, and for each product of a routine. */
const characters = { subject: 30_000, selected: 8_000 }

const sectorsOfTemplates: Record<string, Sector> = { beauty: 'BEAUTY', textile: 'TEXTILE' }

/** What the assistant knows about: AUTO follows the template. */
export function sectorOf(sector: Sector | 'AUTO', templateKey: string): Sector {
  return sector === 'AUTO' ? (sectorsOfTemplates[templateKey] ?? 'GENERAL') : sector
}

export async function readShop(db: Kysely<Database>, workspaceId: string): Promise<OpenShop> {
  const { sector, templateKey, contactEmail, socialLinks, synonyms, ...shop } = await getAiShop(
    db,
    workspaceId,
  )
  return {
    ...shop,
    sector: sectorOf(sector, templateKey),
    contact: { email: contactEmail, links: socialLinks },
    synonyms: synonymGroupsOf(synonyms),
  }
}

/** The published product that a chat is about, with its questions; refuses any other. */
export async function readChatProduct(
  db: Kysely<Database>,
  { workspaceId, questionLibrary }: OpenShop,
  productId: string,
): Promise<Pick<ProductChat, 'product' | 'questions' | 'replies'>> {
  const query = { workspaceId, id: productId, characters: characters.subject }
  const subject = await findChatProduct(db, query)
  if (!subject) throw notPublished('productId', productId)
  const { product, replies } = subject
  const questions = subject.questions ?? questionLibrary
  return { product, questions: questions.map(({ text }) => text), replies }
}

/** The published products that a visitor selected; refuses any other. */
export async function readSelected(
  db: Kysely<Database>,
  { workspaceId }: AiShop,
  ids: readonly string[],
): Promise<PublishedProduct[]> {
  const products = await listPublishedProducts(db, workspaceId, ids, characters.selected)
  const published = new Set(products.map(({ id }) => id))
  const unknown = ids.find((id) => !published.has(id))
  if (unknown !== undefined) throw notPublished('userSelectedRoutineProducts', unknown)
  return products
}

function notPublished(field: string, id: string): ApiError {
  return invalidInput({ [field]: ['notPublished', { id }] })
}

export async function answerProductChat(
  { db, aiModel }: ModelAccess,
  chat: ProductChat,
  { signal, words }: Listening = {},
): Promise<ModelReply<ProductAnswer & Mentions>> {
  const { workspaceId } = chat.shop
  const said = words && saidWords(words)
  const answer = await aiModel.chatAboutProduct(db, chat, signal, said)
  said?.complete(answer.response)
  // An id that is not published was made up, or was hidden while the model ran.
  const mentioned = [...answer.productIds, ...citedIn(answer)]
  const products = await listProductSummaries(db, workspaceId, mentioned)
  const published = new Set(products.map(({ id }) => id))
  const citations = answer.citations.filter(isCitable(published))
  return { ...answer, citations, productIds: [...published], products }
}

export async function answerRoutineChat(
  { db, aiModel }: ModelAccess,
  chat: RoutineChat,
  { signal, words }: Listening = {},
): Promise<ModelReply<RoutineAnswer & Mentions>> {
  const { workspaceId } = chat.shop
  const said = words && saidWords(words)
  const answer = await aiModel.chatAboutRoutine(db, chat, signal, said)
  said?.complete(answer.response)
  const mentioned = [
    ...answer.productIds,
    ...answer.steps.flatMap(({ productId }) => productId ?? []),
    ...citedIn(answer),
  ]
  const products = await listProductSummaries(db, workspaceId, mentioned)
  const published = new Set(products.map(({ id }) => id))
  const steps = answer.steps.map((step) => ({
    ...step,
    productId: step.productId !== null && published.has(step.productId) ? step.productId : null,
  }))
  const citations = answer.citations.filter(isCitable(published))
  return { ...answer, steps, citations, productIds: [...published], products }
}

function citedIn({ citations }: ProductAnswer): string[] {
  return citations.flatMap(({ productId }) => productId ?? [])
}

/** The shop's own words need no product that is published. */
const isCitable =
  (published: ReadonlySet<string>) =>
  ({ productId }: Citation): boolean =>
    productId === null || published.has(productId)

/** Describes the face in a picture, and names products that speak of what shows. */
export async function answerFaceAnalysis(
  { db, aiModel }: ModelAccess,
  request: FaceAnalysisRequest,
  signal?: AbortSignal,
): Promise<ModelReply<FaceAnswer & Mentions & Pick<ProductAnswer, 'citations'>>> {
  const { shop, language } = request
  const answer = await aiModel.analyzeFace(request, signal)
  // The detector saw one face. A model that sees none cannot say anything about it.
  if (!answer.analysis.faceDetected) throw noFace()
  const fits = await productsForFace(db, shop, answer.concerns)
  const ids = fits.map(({ productId }) => productId)
  const products = await listProductSummaries(db, shop.workspaceId, ids)
  if (products.length === 0) return { ...answer, products, citations: [] }
  const { faceProducts } = serviceTexts[bestLanguage([language])].assistant
  const published = new Set(products.map(({ id }) => id))
  const lines = products.map(({ name }) => `- ${name}`)
  return {
    ...answer,
    response: [answer.response, faceProducts, ...lines].join('\n'),
    products,
    citations: fits.flatMap(({ productId, citation }) =>
      citation && published.has(productId) ? citation : [],
    ),
  }
}
