import type { ThinkingLevel } from '../../../adapters/language_model.ts'

/** How much of everything a request to a provider may hold. Sizes are characters as sent. */
export interface PromptSizes {
  /** A whole request: rules, data, conversation and what searches found. */
  request: number
  owner: number
  message: number
  profile: number
  history: number
  questions: number
  /** What the shop answers of itself. */
  knowledge: number
  /** Products shown beside the one in question, and beside those of a routine. */
  related: number
  suggestions: number
  /** How often the model may search the catalogue in one call. */
  searches: number
  /** Share of the space for products that is kept for what searches find. */
  found: number
}

/** The size fits the price: a LOW answer sells for one credit. */
export const promptSizes: Record<ThinkingLevel, PromptSizes> = {
  LOW: {
    request: 16_000,
    owner: 1_600,
    message: 4_800,
    profile: 2_200,
    history: 2_400,
    questions: 500,
    knowledge: 1_200,
    related: 6,
    suggestions: 10,
    searches: 2,
    found: 0.35,
  },
  MEDIUM: {
    request: 48_000,
    owner: 8_000,
    message: 8_000,
    profile: 11_000,
    history: 8_000,
    questions: 1_500,
    knowledge: 6_000,
    related: 10,
    suggestions: 20,
    searches: 3,
    found: 0.35,
  },
  HIGH: {
    request: 96_000,
    owner: 24_000,
    message: 8_000,
    profile: 11_000,
    history: 16_000,
    questions: 3_000,
    knowledge: 12_000,
    related: 12,
    suggestions: 30,
    searches: 4,
    found: 0.35,
  },
}

/** A text's size in a request, which is JSON. */
export function sentSize(text: string): number {
  return JSON.stringify(text).length
}

/** JSON that no text inside can end early: every < is escaped. */
export function dataText(data: unknown): string {
  return JSON.stringify(data).replaceAll('<', '\\u003c')
}

/** The size of data in a request: JSON inside of JSON. */
export function dataSize(data: unknown): number {
  return sentSize(dataText(data))
}

/** The beginning of a text that stays within a size as data; whole characters only. */
export function cutToSend(text: string, size: number): string {
  if (dataSize(text) <= size) return text
  let [low, high] = [0, Math.min(text.length, size)]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (dataSize(text.slice(0, middle)) <= size) low = middle
    else high = middle - 1
  }
  return text
    .slice(0, low)
    .toWellFormed()
    .replace(/\ufffd$/, '')
}
