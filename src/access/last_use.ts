import { minute } from '../core/time.ts'

const touchMilliseconds = minute

/** The last use of a connection is known to the minute: one write a minute, not one a call. */
export function isTouchDue(lastUsedAt: string | null, now: Date): boolean {
  const lastUsed = lastUsedAt === null ? 0 : new Date(lastUsedAt).getTime()
  return now.getTime() - lastUsed >= touchMilliseconds
}
