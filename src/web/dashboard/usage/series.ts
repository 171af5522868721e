import type { Schemas } from '../../api.ts'
import { texts } from '../../language.ts'
import { day } from '../../time.ts'

export type Metric = 'events' | 'credits'

/** Daily numbers, one column per kind that occurs. */
export interface Series {
  dates: string[]
  keys: string[]
  /** The number for a kind on a day. */
  at: (date: string, key: string) => number
  /** What people call a kind. */
  nameOf: (key: string) => string
}

/** Every day of the range, including empty ones. */
export function datesBetween(from: string, to: string): string[] {
  const count = Math.round((Date.parse(to) - Date.parse(from)) / day) + 1
  return Array.from({ length: count }, (_, at) =>
    new Date(Date.parse(from) + at * day).toISOString().slice(0, 10),
  )
}

export function seriesOf({ days, from, to }: Schemas['UsageByDay'], metric: Metric): Series {
  const values = new Map(days.map((one) => [`${one.date} ${one.key}`, one[metric]]))
  const totals = new Map<string, number>()
  for (const one of days) totals.set(one.key, (totals.get(one.key) ?? 0) + one[metric])
  const keys = [...totals]
    .filter(([, total]) => total !== 0)
    .sort(([, one], [, other]) => other - one)
  return {
    dates: datesBetween(from, to),
    keys: keys.map(([key]) => key),
    at: (date, key) => values.get(`${date} ${key}`) ?? 0,
    nameOf: kindName,
  }
}

/** Name of a kind; falls back to the key for kinds newer than this page. */
export function kindName(key: string): string {
  return texts('kinds')(key as Schemas['ActorType'] | Schemas['UsageEventName'])
}
