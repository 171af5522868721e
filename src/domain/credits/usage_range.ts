import { invalidInput } from '../../core/errors.ts'
import { day } from '../../core/time.ts'

const defaultDays = 30
const maxDays = 400

/** The UTC dates of a report, both included, and the moments they begin and end with. */
export interface UsageRange {
  from: string
  to: string
  firstMoment: Date
  /** The first moment after the last date. */
  endMoment: Date
}

/** What was asked for, or the last 30 days; refuses what is reversed or longer than 400 days. */
export function usageRange(
  asked: { from?: string | undefined; to?: string | undefined },
  now: Date,
): UsageRange {
  const to = asked.to ?? dateOf(now)
  const endMoment = new Date(Date.parse(to) + day)
  const from = asked.from ?? dateOf(new Date(endMoment.getTime() - defaultDays * day))
  const firstMoment = new Date(from)
  const days = (endMoment.getTime() - firstMoment.getTime()) / day
  if (days < 1) throw invalidInput({ from: `Must not be after the last date, ${to}.` })
  if (days > maxDays)
    throw invalidInput({ from: `Must be within the ${maxDays} days that end with ${to}.` })
  return { from, to, firstMoment, endMoment }
}

function dateOf(moment: Date): string {
  return moment.toISOString().slice(0, 10)
}
