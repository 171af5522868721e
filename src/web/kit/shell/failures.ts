import type { Failure } from '../../api.ts'
import { texts } from '../../language.ts'

/** Text for a failure: the service's message, unless a generic text is more helpful. */
export function failureText(failure: Failure): string {
  const { code, message } = failure
  const t = texts('kit')
  if (code === 'offline') return t('offlineHint')
  if (code === 'role_insufficient') return t('forbidden')
  if (code === 'internal' || code === 'unavailable') return t('internal')
  return message
}

/** Like failureText, but with the field errors, for places that have no fields to show them at. */
export function wholeFailureText(failure: Failure): string {
  const sentences = Object.values(failure.fieldErrors)
  return sentences.length > 0 ? sentences.join(' ') : failureText(failure)
}
