import { fill, type Values } from './fill.ts'
import { type Language, type ServiceTexts, serviceTexts } from './languages.ts'

export type RefusalKey = keyof ServiceTexts['refusals']

/**
 * Why something is refused, before it is put into words: a key of the catalogue, with values where
 * its sentence has places for them. `words` repeat an answer that was worded before.
 */
export type Reason =
  RefusalKey | readonly [key: RefusalKey, values: Values] | { readonly words: string }

/** A reason for each field at fault. */
export type FieldErrors = Record<string, Reason>

export function inWords(language: Language, reason: Reason): string {
  if (typeof reason === 'object' && 'words' in reason) return reason.words
  const [key, values] = typeof reason === 'string' ? [reason, undefined] : reason
  return fill(language, serviceTexts[language].refusals[key], values)
}
