import { fill, type TextValues } from './fill.ts'
import { type Language, type ServiceTexts, serviceTexts } from './languages.ts'

export type RefusalKey = keyof ServiceTexts['refusals']

/**
 * The reason for a refusal, before wording: a key of the refusal texts, with values for its
 * placeholders. `words` repeats an answer that is already worded.
 */
export type Reason =
  | RefusalKey
  | readonly [key: RefusalKey, values: TextValues]
  | { readonly words: string }

/** A reason per invalid field. */
export type FieldErrors = Record<string, Reason>

export function inWords(language: Language, reason: Reason): string {
  if (typeof reason === 'object' && 'words' in reason) return reason.words
  const [key, values] = typeof reason === 'string' ? [reason, undefined] : reason
  return fill(language, serviceTexts[language].refusals[key], values)
}
