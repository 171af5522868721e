import type { ThinkingLevel } from '../../adapters/language_model.ts'

/** What an answer costs, in credits. This table is the one place that says so. */
const costs = {
  product: { LOW: 1, MEDIUM: 2, HIGH: 4 },
  routine: { LOW: 2, MEDIUM: 4, HIGH: 8 },
  /** Each picture that comes with a routine chat. */
  picture: 1,
  face: 5,
} as const

export function productChatCost(level: ThinkingLevel): number {
  return costs.product[level]
}

export function routineChatCost(level: ThinkingLevel, pictures: number): number {
  return costs.routine[level] + pictures * costs.picture
}

export function faceAnalysisCost(): number {
  return costs.face
}
