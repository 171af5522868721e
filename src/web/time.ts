import { dateFormat } from './formats.ts'

/** In milliseconds. */
export const day = 24 * 3600_000

/** A date of a time zone; of UTC, as quotas count days, where none is named. */
export function daysAgo(days: number, timeZone: string | null = null): string {
  const today = dateIn(timeZone ?? 'UTC')
  return new Date(Date.parse(today) - days * day).toISOString().slice(0, 10)
}

/** Today's date in a time zone. */
function dateIn(timeZone: string): string {
  const clock = dateFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  const parts = clock.formatToParts(new Date())
  const valueOf = (type: string) => parts.find((part) => part.type === type)?.value ?? ''
  return `${valueOf('year')}-${valueOf('month')}-${valueOf('day')}`
}

/** The last days of a shop, today included, as reports are asked for them. */
export function shopDays(count: number, timeZone: string | null) {
  return {
    from: daysAgo(count - 1, timeZone),
    to: daysAgo(0, timeZone),
    days: 'SHOP' as const,
  }
}

/** Browsers list some zones by names that their places no longer have. */
const renamed: Record<string, string> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Godthab': 'America/Nuuk',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
}

const presentName = (zone: string) => renamed[zone] ?? zone

/** The time zone of this device. */
export const ownTimeZone = (): string =>
  presentName(new Intl.DateTimeFormat().resolvedOptions().timeZone)

/** All time zones, by name. */
export const timeZones = (): string[] => [
  'UTC',
  ...Intl.supportedValuesOf('timeZone')
    .map(presentName)
    .filter((zone) => zone !== 'UTC')
    .sort(),
]
