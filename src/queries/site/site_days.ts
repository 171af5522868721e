import { type RawBuilder, sql } from 'kysely'
import { type DayRange, isWithin } from '../credits/usage_days.ts'

/* Raw SQL: part of the statements of reports. */

/**
 * The counts of a shop's pages in a range of days, as a source for a select. They are counted by dates in
 * UTC; counts with another local date are subtracted from one day and added to the other.
 */
export function siteDaysOf(workspaceId: string, range: DayRange): RawBuilder<unknown> {
  const counted = sql`
    select c.day, c.kind, c.name, c.count from site_counts c
    where c.workspace_id = ${workspaceId} and ${isWithin(sql`c.day`, range)}`
  if (range.shifts.length === 0) return sql`(${counted})`
  return sql`(${counted} union all
    select moved.day, s.kind, s.name, s.count * moved.sign from site_shifts s
    cross join lateral (values (s.counted, -1), (s.meant, 1)) moved (day, sign)
    where s.workspace_id = ${workspaceId} and ${isWithin(sql`moved.day`, range)}
      and s.counted >= ${range.from}::date - 1 and s.counted <= ${range.to}::date + 1)`
}
