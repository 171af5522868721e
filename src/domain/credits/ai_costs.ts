import type { ThinkingLevel } from '../../adapters/language_model.ts'

/** Cost of each answer in credits. The only such table. */
const costs = {
  product: { LOW: 1, MEDIUM: 2, HIGH: 4 },
  routine: { LOW: 2, MEDIUM: 4, HIGH: 8 },
  /** Per picture of a routine chat. */
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
