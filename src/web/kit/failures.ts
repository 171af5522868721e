import type { Failure } from '../api.ts'
import { language, texts } from '../language.ts'
import { turkishRefusals, turkishSentence } from '../messages/refusals.ts'

/** What to say of a failure. What the service itself says is best, where it says anything useful. */
export function failureText(failure: Failure): string {
  const { code, message, retryAfter } = failure
  const t = texts('kit')
  if (code === 'offline') return t('offlineHint')
  if (code === 'rate_limited') return t('rateLimited', { seconds: retryAfter ?? 60 })
  if (code === 'role_insufficient') return t('forbidden')
  if (code === 'internal' || code === 'unavailable') return t('internal')
  return language() === 'tr' ? (turkishRefusals[code] ?? message) : message
}

/** The same, with what is wrong with each field, where there is no field to say it at. */
export function wholeFailureText(failure: Failure): string {
  const sentences = Object.values(failure.fieldErrors).map(fieldText)
  return sentences.length > 0 ? sentences.join(' ') : failureText(failure)
}

/** What is wrong with a field. */
export function fieldText(sentence: string): string {
  return language() === 'tr' ? turkishSentence(sentence) : sentence
}
