import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { UserProfile } from '../../src/domain/assistant/ai_model.ts'

export interface CaseProduct {
  key: string
  name: string
  brand: string
  sku: string
  barcode: string
  stock: number
  description: string
  information: string
  tags: string[]
  sales?: { name: string; link: string }[]
}

export interface CaseShop {
  key: string
  name: string
  templateKey: string
  language: string
  library: string[]
  products: CaseProduct[]
}

export interface Question {
  id: string
  shop: string
  product: string
  lang: 'en' | 'tr'
  message: string
  kind: 'answerable' | 'unanswerable' | 'other' | 'injection' | 'followup'
  style?: string
  /** A right answer has one spelling of each fact. */
  facts?: string[][]
  /** A right answer has none of these. */
  never?: string[]
  /** The word that a right answer may open with; it never opens with the other one. */
  polarity?: 'yes' | 'no'
  /** Products that must not be spoken of, unless they are labelled as others. */
  near?: string[]
  /** The visitor's turns before. */
  turns?: string[]
  /** Of a question about other products: those that answer it, if any, and those that may stand beside. */
  right?: string[]
  ok?: string[]
  /** Texts, or expressions between slashes, that no answer may have. */
  forbidden?: string[]
}

export interface Constraint {
  kind: string
  /** None of these products may be a step. */
  never?: string[]
  /** No other product may be a step. */
  only?: string[]
  /** All of these must be steps. */
  must?: string[]
  /** One of these must be a step. */
  any?: string[]
  /** Bounds of the number of steps. */
  most?: number
  least?: number
}

export interface Routine {
  id: string
  shop: string
  message: string
  turns?: string[]
  profile?: UserProfile
  selected?: string[]
  constraints: Constraint[]
}

export interface Search {
  shop: string
  kind: string
  query: string
  finds: string[]
  /** The product that must come first. */
  first?: string
}

/** An owner's reply to a question, asked again in other words, and questions that it does not answer. */
export interface Replied {
  shop: string
  product: string
  question: string
  answer: string
  like: string[]
  unlike: string[]
}

export interface Cases {
  shops: CaseShop[]
  questions: Question[]
  replies: Replied[]
  routines: Routine[]
  searches: Search[]
}

const filesOf = (...names: string[]) =>
  names.map((file) => join(import.meta.dirname, '../../test/assistant/evaluation', file))

/** The shops that the model was first made with. */
export const firstShops = filesOf(
  'questions.json',
  'more_shops.json',
  'further_shops.json',
  'new_shops.json',
  'instruments.json',
  'garden.json',
  'attacks.json',
  'routines.json',
  'searches.json',
  'replies.json',
  'more_replies.json',
  'further_replies.json',
  'others.json',
)

/** Shops that came later, and are harder. */
export const laterShops = filesOf(
  'camping.json',
  'care.json',
  'later_replies.json',
  'further_later_replies.json',
)

/** Shops whose products are for contrary things: dry and oily skin, summer and winter. */
export const contraryShops = filesOf('advice.json')

const developmentSet = [...firstShops, ...laterShops, ...contraryShops]

/** The cases of several files, each of which may have some of the lists. */
export function readCases(files: readonly string[] = developmentSet): Cases {
  const cases: Cases = { shops: [], questions: [], replies: [], routines: [], searches: [] }
  for (const file of files) {
    const part = JSON.parse(readFileSync(file, 'utf8')) as Partial<Cases>
    cases.shops.push(...(part.shops ?? []))
    cases.questions.push(...(part.questions ?? []))
    cases.replies.push(...(part.replies ?? []))
    cases.routines.push(...(part.routines ?? []))
    cases.searches.push(...(part.searches ?? []))
  }
  return cases
}
