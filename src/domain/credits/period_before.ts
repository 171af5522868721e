import { day } from '../../core/time.ts'
import type { UsageRange } from './usage_range.ts'

/** As many days as the range has, up to the day before it. */
export function periodBefore({ firstMoment, endMoment }: UsageRange): { from: string; to: string } {
  const length = endMoment.getTime() - firstMoment.getTime()
  const dateAt = (moment: number) => new Date(moment).toISOString().slice(0, 10)
  return {
    from: dateAt(firstMoment.getTime() - length),
    to: dateAt(firstMoment.getTime() - day),
  }
}
