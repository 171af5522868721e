import type { Picture, ThinkingLevel, TokenUsage } from '../../adapters/language_model.ts'
import type { PublishedProduct } from '../../queries/catalogue/catalogue_search.ts'

/** What a shop is about; AUTO has been resolved. */
export type Sector = 'GENERAL' | 'BEAUTY' | 'TEXTILE'

/** What every answer must know of the shop it speaks for. */
export interface AiShop {
  workspaceId: string
  name: string
  sector: Sector
  /** The owner's own instructions. */
  ownerPrompt: string
}

/** What was said before, the oldest first. */
export interface Turn {
  role: 'visitor' | 'assistant'
  text: string
}

export interface ProductChat {
  shop: AiShop
  product: PublishedProduct
  /** What the shop suggests to ask. */
  questions: readonly string[]
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
  /** What the visitor has chosen, in their order. */
  selected: readonly PublishedProduct[]
  allowAiSuggestions: boolean
  images: readonly Picture[]
  thinkingLevel: ThinkingLevel
}

export interface FaceAnalysisRequest {
  shop: AiShop
  image: Picture
  /** BCP 47, of the text that is answered. */
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

export interface ProductAnswer {
  response: string
  /** The products that the answer names, the most important first. */
  productIds: string[]
}

export interface RoutineAnswer extends ProductAnswer {
  steps: RoutineStep[]
}

export interface FaceAnswer {
  response: string
  analysis: { faceDetected: boolean; observations: Observation[] }
}

export type Spoken<Answer> = Answer & { modelKey: string; usage: TokenUsage }

/**
 * Whoever answers. A call either answers or throws a ModelFailed, within its time limit, and is
 * never repeated by itself. Ids in an answer are claims until they have been checked.
 */
export interface AiModel {
  chatAboutProduct(chat: ProductChat, signal?: AbortSignal): Promise<Spoken<ProductAnswer>>
  chatAboutRoutine(chat: RoutineChat, signal?: AbortSignal): Promise<Spoken<RoutineAnswer>>
  analyzeFace(request: FaceAnalysisRequest, signal?: AbortSignal): Promise<Spoken<FaceAnswer>>
  /** Ends what runs for it in the background. */
  close(): Promise<void>
}
