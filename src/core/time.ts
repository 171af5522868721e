/** Spans of time in milliseconds. */
export const minute = 60_000
export const hour = 60 * minute
export const day = 24 * hour

/** A time zone is named as IANA names it. What it does, daylight saving included, the runtime knows. */

const clocks = new Map<string, Intl.DateTimeFormat>()
/** There are some 600 zones, but their names may be written in capitals or not. */
const maxClocks = 1000

/** Reads the clock of a zone; making one costs far more than using it. */
function clockOf(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone)
  if (known) return known
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  if (clocks.size === maxClocks) clocks.clear()
  clocks.set(zone, clock)
  return clock
}

/** Whether it is the name of a zone; an offset such as +03:00 is none, because it knows no seasons. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Z]/i.test(name)) return false
  try {
    return clockOf(name) !== undefined
  } catch {
    return false
  }
}

/** What the clock of a zone shows, as if it were UTC. */
function shownIn(zone: string, moment: Date): number {
  const parts = clockOf(zone).formatToParts(moment)
  const valueOf = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((part) => part.type === type)?.value)
  return Date.UTC(
    valueOf('year'),
    valueOf('month') - 1,
    valueOf('day'),
    valueOf('hour'),
    valueOf('minute'),
    valueOf('second'),
  )
}

export function utcDateOf(moment: Date): string {
  return moment.toISOString().slice(0, 10)
}

/** The date in a zone, such as 2026-01-05. */
export function dateIn(zone: string, moment: Date): string {
  if (zone === 'UTC') return utcDateOf(moment)
  return utcDateOf(new Date(shownIn(zone, moment)))
}

/**
 * The first moment of a date in a zone. Where clocks change at midnight there is none or there are two:
 * the first moment that has the date is meant.
 */
export function midnightIn(zone: string, date: string): Date {
  const shown = Date.parse(date)
  // Nothing has happened before, when zones had other clocks.
  if (zone === 'UTC' || date < '1970') return new Date(shown)
  // The offsets before and after a change of the clocks, if there is one that day.
  const moments = [shown - day, shown + day].map((near) => {
    const whole = new Date(near)
    return new Date(shown - (shownIn(zone, whole) - whole.getTime()))
  })
  const inDate = moments.filter((moment) => dateIn(zone, moment) >= date)
  return inDate.reduce((one, other) => (other < one ? other : one))
}
