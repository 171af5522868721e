import type { Failure } from '../api.ts'
import { texts } from '../language.ts'
import { kit } from '../messages/kit.ts'

/** What to say of a failure. What the service itself says is best, where it says anything useful. */
export function failureText({ code, message, retryAfter }: Failure): string {
  const t = texts(kit)
  if (code === 'offline') return t('offlineHint')
  if (code === 'rate_limited') return t('rateLimited', { seconds: retryAfter ?? 60 })
  if (code === 'role_insufficient') return t('forbidden')
  if (code === 'internal' || code === 'unavailable') return t('internal')
  return message
}
