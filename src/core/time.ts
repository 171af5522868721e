/** Spans of time in milliseconds. */
export const minute = 60_000
export const hour = 60 * minute
export const day = 24 * hour

/** A time zone is given by its IANA name; the runtime knows its offsets, daylight saving included. */

const clocks = new Map<string, Intl.DateTimeFormat>()
/** There are some 600 zones, but each name is accepted in any case. */
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

/**
 * Whether this is the name of a zone. An offset such as +03:00 is not, because it has no daylight saving.
 */
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

/** The moment of a time such as 2026-01-05T09:30:00.000Z, in any offset; undefined for what is no time. */
export function momentOf(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/i.test(text)) return undefined
  const moment = Date.parse(text)
  return Number.isNaN(moment) ? undefined : moment
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
 * The first moment of a date in a zone. If the clocks change at midnight, that moment may not exist or
 * exist twice: the first moment with this date is meant.
 */
export function midnightIn(zone: string, date: string): Date {
  const shown = Date.parse(date)
  // The service has no older data, so the historic offsets before 1970 do not matter.
  if (zone === 'UTC' || date < '1970') return new Date(shown)
  // The offsets before and after a change of the clocks, if there is one that day.
  const moments = [shown - day, shown + day].map((near) => {
    const whole = new Date(near)
    return new Date(shown - (shownIn(zone, whole) - whole.getTime()))
  })
  const inDate = moments.filter((moment) => dateIn(zone, moment) >= date)
  return inDate.reduce((one, other) => (other < one ? other : one))
}
