import { type RawBuilder, sql } from 'kysely'

/*
 * The daily roll-up of usage, by dates in UTC. For a shop in another time zone, the events around its
 * midnights are moved to their local date: they are read one by one, subtracted from one day and added to
 * the other. If a month's events were dropped, its days stay in UTC.
 *
 * Raw SQL: parts of the statements of reports.
 */

/** A stretch of time whose date in UTC differs from that in the shop's time zone. */
export interface Shift {
  first: Date
  /** Exclusive. */
  end: Date
  /** The date in UTC, by which counters count. */
  counted: string
  /** The date in the shop's time zone. */
  meant: string
}

/** Dates, the last one included, with the times at which they begin and end. */
export interface DayRange {
  from: string
  to: string
  firstMoment: Date
  /** Exclusive. */
  endMoment: Date
  /** Around the midnights of the range, in order; none in UTC. */
  shifts: readonly Shift[]
}

/** The range for sums over all of it: only the shifts at its ends matter, those inside it cancel out. */
export function asWhole(range: DayRange): DayRange {
  const { shifts } = range
  return { ...range, shifts: [...new Set([shifts.at(0), shifts.at(-1)])].filter((one) => !!one) }
}

/** Whether a date is in the range. */
export function isWithin(date: RawBuilder<unknown>, { from, to }: DayRange): RawBuilder<boolean> {
  return sql`${date} >= ${from}::date and ${date} <= ${to}::date`
}

/** Rows of the roll-up, as a source for a select. */
export function usageDaysOf(workspaceId: string, range: DayRange): RawBuilder<unknown> {
  const counted = sql`
    select d.day, d.actor_type, d.event_name, d.status, d.comprehensive, d.events, d.credit_delta,
      d.last_at
    from usage_days d where d.workspace_id = ${workspaceId} and ${isWithin(sql`d.day`, range)}`
  if (range.shifts.length === 0) return sql`(${counted})`
  return sql`(${counted} union all
    select m.day, m.actor_type, m.event_name, m.status, m.comprehensive, m.events, m.credit_delta,
      m.last_at
    from ${movedEventsOf(workspaceId, range)} m)`
}

/**
 * The events of the shifts, each as two rows like those of the roll-up: one that subtracts it from its day
 * in UTC, and one that adds it to its local day.
 */
export function movedEventsOf(workspaceId: string, range: DayRange): RawBuilder<unknown> {
  return sql`(
    select moved.day, e.actor_type, coalesce(e.user_id, '') as user_id, e.event_name, e.status,
      e.comprehensive, moved.events, e.credit_delta * moved.events as credit_delta,
      case when moved.events > 0 then e.created_at end as last_at
    from json_to_recordset(${JSON.stringify(range.shifts)}::json)
      as s ("first" timestamptz, "end" timestamptz, counted date, meant date)
    join usage_events e on e.workspace_id = ${workspaceId}
      and e.created_at >= s."first" and e.created_at < s."end"
    cross join lateral (values (s.counted, -1), (s.meant, 1)) moved (day, events)
    where ${isWithin(sql`moved.day`, range)})`
}
