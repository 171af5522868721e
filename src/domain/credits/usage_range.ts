import { invalidInput } from '../../core/errors.ts'
import { day } from '../../core/time.ts'

const defaultDays = 30
const maxDays = 400

/** The UTC dates of a report, both inclusive, and its start and end times. */
export interface UsageRange {
  from: string
  to: string
  firstMoment: Date
  /** Exclusive end: the first moment after the last date. */
  endMoment: Date
}

/**
 * The requested range, by default the last 30 days; refuses a reversed range or more than 400 days.
 */
export function usageRange(
  request: { from?: string | undefined; to?: string | undefined },
  now: Date,
): UsageRange {
  const to = request.to ?? dateOf(now)
  const endMoment = new Date(Date.parse(to) + day)
  const from = request.from ?? dateOf(new Date(endMoment.getTime() - defaultDays * day))
  const firstMoment = new Date(from)
  const days = (endMoment.getTime() - firstMoment.getTime()) / day
  if (days < 1) throw invalidInput({ from: ['fromAfterTo', { to }] })
  if (days > maxDays) throw invalidInput({ from: ['rangeTooLong', { days: maxDays, to }] })
  return { from, to, firstMoment, endMoment }
}

function dateOf(moment: Date): string {
  return moment.toISOString().slice(0, 10)
}
