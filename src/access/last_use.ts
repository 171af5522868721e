import { minute } from '../core/time.ts'

const touchMilliseconds = minute

/** A connection's last use has minute precision: at most one write per minute, not one per call. */
export function isTouchDue(lastUsedAt: string | null, now: Date): boolean {
  const lastUsed = lastUsedAt === null ? 0 : new Date(lastUsedAt).getTime()
  return now.getTime() - lastUsed >= touchMilliseconds
}
