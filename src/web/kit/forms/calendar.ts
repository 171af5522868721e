import { day } from '../../time.ts'

/* Whole days, such as 2026-01-05, without a time zone. */

function dateOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

export function daysAfter(date: string, days: number): string {
  return dateOf(Date.parse(date) + days * day)
}

/** The same day of another month, or its last one where it is shorter. */
export function monthsAfter(date: string, months: number): string {
  const [year, month, dayOfMonth] = partsOf(date)
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return dateOf(Date.UTC(year, month - 1 + months, Math.min(dayOfMonth, last)))
}

/** The weeks that the days of a month are in; the first weekday is 1 on Monday and 7 on Sunday. */
export function weeksOf(date: string, firstWeekday: number): string[][] {
  const [year, month] = partsOf(date)
  const first = dateOf(Date.UTC(year, month - 1, 1))
  const length = new Date(Date.UTC(year, month, 0)).getUTCDate()
  const before = (new Date(first).getUTCDay() - firstWeekday + 7) % 7
  return Array.from({ length: Math.ceil((before + length) / 7) }, (_, week) =>
    Array.from({ length: 7 }, (__, weekday) => daysAfter(first, 7 * week + weekday - before)),
  )
}

function partsOf(date: string): [year: number, month: number, day: number] {
  return [Number(date.slice(0, 4)), Number(date.slice(5, 7)), Number(date.slice(8, 10))]
}
