import type { Kysely } from 'kysely'
import type { Picture, ThinkingLevel, TokenUsage } from '../../adapters/language_model.ts'
import type { ModelFailed } from '../../adapters/models/failures.ts'
import type { SynonymGroups } from '../../language/synonyms.ts'
import type { Language } from '../../texts/languages.ts'
import type { Database } from '../../db/schema.ts'
import type { PublishedProduct } from '../../queries/catalogue/search/catalogue_search.ts'

/** A shop's sector, with AUTO resolved. */
export type Sector = 'GENERAL' | 'BEAUTY' | 'TEXTILE'

/** The shop's data that every prompt needs. */
export interface AiShop {
  workspaceId: string
  name: string
  sector: Sector
  /** Of the website; a message that does not show its own is answered in it. */
  language: Language
  /** The owner's custom instructions. */
  ownerPrompt: string
  /** Contact data of the website. */
  contact: { email: string | null; links: readonly string[] }
  /** What means the same in this shop. */
  synonyms: SynonymGroups
  /** What the shop answers of itself, in its own order. */
  knowledge: readonly OwnerReply[]
}

/** An earlier turn of the conversation; lists are oldest first. */
export interface Turn {
  role: 'visitor' | 'assistant'
  text: string
}

/** A question of visitors, about a product or the shop, and the owner's reply to it. */
export interface OwnerReply {
  question: string
  answer: string
}

export interface ProductChat {
  shop: AiShop
  product: PublishedProduct
  /** The shop's suggested questions. */
  questions: readonly string[]
  /** What the shop replied to earlier questions about this product, the latest first. */
  replies: readonly OwnerReply[]
  message: string
  history: readonly Turn[]
  thinkingLevel: ThinkingLevel
}

export interface UserProfile {
  age?: number
  skinType?: string
  concerns?: readonly string[]
  goals?: readonly string[]
  notes?: string
}

export interface RoutineChat {
  shop: AiShop
  message: string
  history: readonly Turn[]
  userProfile: UserProfile
  /** The visitor's selection, in their order. */
  selected: readonly PublishedProduct[]
  allowAiSuggestions: boolean
  images: readonly Picture[]
  thinkingLevel: ThinkingLevel
}

export interface FaceAnalysisRequest {
  shop: AiShop
  image: Picture
  /** BCP 47 tag of the answer's language. */
  language: string
}

export interface RoutineStep {
  order: number
  title: string
  productId: string | null
  instructions: string
}

export interface Observation {
  area: string
  finding: string
  severity: 'LOW' | 'MEDIUM' | 'HIGH'
}

/** A verbatim sentence that an answer rests on: of a published product, or, with null, of the shop. */
export interface Citation {
  productId: string | null
  sentence: string
}

export interface ProductAnswer {
  response: string
  /** Products the answer mentions, most important first. */
  productIds: string[]
  citations: Citation[]
  /** The catalogue does not say what was asked. */
  isUnanswered?: boolean
  /** It says nothing that is worth a credit: not found, a greeting, a routine without a step. */
  isFree?: boolean
}

export interface RoutineAnswer extends ProductAnswer {
  steps: RoutineStep[]
}

/** What shows in a face that products may speak of: a closed list, so that nothing else is looked for. */
export const faceConcerns = ['redness', 'unevenness', 'dryness', 'shine', 'dullness'] as const
export type FaceConcern = (typeof faceConcerns)[number]

export interface FaceAnswer {
  response: string
  analysis: { faceDetected: boolean; observations: Observation[] }
  concerns: FaceConcern[]
}

export type ModelReply<Answer> = Answer & {
  modelKey: string
  usage: TokenUsage
  /** The model that was asked failed like this, and another one answered. */
  standsInAfter?: ModelFailed
}

/** Takes an answer's words as they are checked. */
export interface SpokenWords {
  say: (text: string) => void
  /** Takes back everything said so far. */
  again: () => void
}

/**
 * The model that answers chats. A call answers or throws ModelFailed within its time limit and is
 * never retried. Ids in an answer are unverified. A model that can says the words of its response
 * before the answer is complete, each of them checked. It reads the catalogue through the caller's
 * database, so that one shop's chats leave connections to the others.
 */
export interface AiModel {
  /** The model that a call asks, as recorded in usage events, whether it answers or not. */
  keyFor(call: { eventName: string; comprehensive: boolean }): string
  chatAboutProduct(
    db: Kysely<Database>,
    chat: ProductChat,
    signal?: AbortSignal,
    words?: SpokenWords,
  ): Promise<ModelReply<ProductAnswer>>
  chatAboutRoutine(
    db: Kysely<Database>,
    chat: RoutineChat,
    signal?: AbortSignal,
    words?: SpokenWords,
  ): Promise<ModelReply<RoutineAnswer>>
  /** Refuses a picture without exactly one face, or one that shows too little of it. */
  analyzeFace(request: FaceAnalysisRequest, signal?: AbortSignal): Promise<ModelReply<FaceAnswer>>
  /** Stops background work. */
  close(): Promise<void>
}
