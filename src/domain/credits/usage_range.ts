import { invalidInput } from '../../core/errors.ts'
import { dateIn, day, midnightIn, utcDateOf } from '../../core/time.ts'
import type { DayRange, Shift } from '../../queries/credits/usage_days.ts'

const defaultDays = 30
const maxDays = 400

interface RequestedRange {
  from?: string | undefined
  to?: string | undefined
}

/**
 * The requested range of days in a time zone, by default the last 30; refuses a reversed range or more
 * than 400 days.
 */
export function usageRange(request: RequestedRange, zone: string, now: Date): DayRange {
  const to = request.to ?? dateIn(zone, now)
  const from = request.from ?? datePlus(to, 1 - defaultDays)
  const days = daysBetween(from, to) + 1
  if (days < 1) throw invalidInput({ from: ['fromAfterTo', { to }] })
  if (days > maxDays) throw invalidInput({ from: ['rangeTooLong', { days: maxDays, to }] })
  return rangeOf(from, to, zone)
}

/** The range of as many days just before it. */
export function rangeBefore({ from, to }: DayRange, zone: string): DayRange {
  return rangeOf(datePlus(from, -daysBetween(from, to) - 1), datePlus(from, -1), zone)
}

function rangeOf(from: string, to: string, zone: string): DayRange {
  const dates = Array.from({ length: daysBetween(from, to) + 2 }, (_, at) => datePlus(from, at))
  return {
    from,
    to,
    firstMoment: midnightIn(zone, from),
    endMoment: midnightIn(zone, datePlus(to, 1)),
    shifts: zone === 'UTC' ? [] : dates.flatMap((date) => shiftsAt(date, zone)),
  }
}

/** Between midnight in UTC and midnight in the zone, the two calendars show different days. */
function shiftsAt(date: string, zone: string): Shift[] {
  const [inUtc, inZone] = [new Date(date), midnightIn(zone, date)]
  const before = datePlus(date, -1)
  if (inZone < inUtc) return [{ first: inZone, end: inUtc, counted: before, meant: date }]
  if (inZone > inUtc) return [{ first: inUtc, end: inZone, counted: date, meant: before }]
  return []
}

const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / day

const datePlus = (date: string, days: number) => utcDateOf(new Date(Date.parse(date) + days * day))
