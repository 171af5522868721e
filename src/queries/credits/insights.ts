import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import { siteDaysOf } from '../site/site_days.ts'
import { asWhole, type DayRange, usageDaysOf } from './usage_days.ts'

/* Raw SQL: counts with filters over the roll-up of the days. */

type Schemas = components['schemas']
type Figures = Schemas['InsightFigures']

/** Only visitors; not the shop's team, its keys and its trials. */
const byVisitors = sql<boolean>`e.actor_type in ('GUEST', 'CUSTOMER') and e.status = 'SUCCESS'`
const isQuestion = sql`e.event_name in ('chat.product', 'chat.routine', 'chat.analyze_face')`

/** Counts of the shop's own pages, under the event names that other sites record. */
const pageEvents = sql`case c.kind when 'visitor' then 'visit' when 'product' then 'product.view'
  else c.kind end`

/** The daily roll-up, together with the counts of the shop's own pages. */
function daysOf(workspaceId: string, range: DayRange): RawBuilder<unknown> {
  return sql`(
    select e.day, e.event_name, e.events, e.credit_delta
    from ${usageDaysOf(workspaceId, range)} e where ${byVisitors}
    union all
    select c.day, ${pageEvents}, c.count, 0 from ${siteDaysOf(workspaceId, range)} c
    where c.kind in ('visitor', 'product', 'click', 'asked_click')) e`
}

function eventsWhere(condition: RawBuilder<unknown>): RawBuilder<number> {
  return sql`coalesce(sum(e.events) filter (where ${condition}), 0)::bigint`
}

const counted = sql`
  ${eventsWhere(sql`e.event_name = 'visit'`)} as visits,
  ${eventsWhere(sql`e.event_name = 'product.view'`)} as views,
  ${eventsWhere(isQuestion)} as questions,
  ${eventsWhere(sql`e.event_name = 'click'`)} as clicks`

/** What visitors did between two dates. */
export async function countVisitors(
  db: Kysely<Database>,
  workspaceId: string,
  range: DayRange,
): Promise<Figures> {
  const { rows } = await sql<Omit<Figures, 'unanswered'>>`
    select ${counted}, ${eventsWhere(sql`e.event_name = 'asked_click'`)} as "clicksAfterAnswers",
      coalesce(-sum(e.credit_delta) filter (where ${isQuestion}), 0)::bigint as credits
    from ${daysOf(workspaceId, asWhole(range))}`.execute(db)
  const figures = rows[0]!
  // Skipped without questions, because the daily counts do not contain it.
  const unanswered = figures.questions > 0 ? await countUnanswered(db, workspaceId, range) : 0
  return { ...figures, unanswered }
}

/** Questions of visitors that the texts had no answer to. */
export async function countUnanswered(
  db: Kysely<Database>,
  workspaceId: string,
  { firstMoment, endMoment }: Pick<DayRange, 'firstMoment' | 'endMoment'>,
): Promise<number> {
  const { unanswered } = await db
    .selectFrom('usage_events as e')
    .select(({ fn }) => fn.countAll<number>().as('unanswered'))
    .where('e.workspace_id', '=', workspaceId)
    .where('e.created_at', '>=', sql<string>`${firstMoment}`)
    .where('e.created_at', '<', sql<string>`${endMoment}`)
    .where('e.event_name', '=', 'chat.product')
    .where(sql<boolean>`(e.details->>'isUnanswered')::boolean`)
    .where(byVisitors)
    .executeTakeFirstOrThrow()
  return unanswered
}

/** What visitors did on each day; days without events are left out. */
export async function countVisitorsByDay(
  db: Kysely<Database>,
  workspaceId: string,
  range: DayRange,
): Promise<Schemas['InsightDay'][]> {
  const { rows } = await sql<Schemas['InsightDay']>`
    select to_char(e.day, 'YYYY-MM-DD') as date, ${counted}
    from ${daysOf(workspaceId, range)}
    group by e.day order by e.day`.execute(db)
  return rows
}

/** The cost of each kind of answer, the most expensive first. */
export async function countByMode(
  db: Kysely<Database>,
  workspaceId: string,
  range: DayRange,
): Promise<Schemas['InsightMode'][]> {
  const { rows } = await sql<Schemas['InsightMode']>`
    select e.event_name as kind, e.comprehensive, sum(e.events)::bigint as questions,
      coalesce(-sum(e.credit_delta), 0)::bigint as credits
    from ${usageDaysOf(workspaceId, asWhole(range))} e where ${byVisitors} and ${isQuestion}
    group by e.event_name, e.comprehensive having sum(e.events) > 0
    order by credits desc, questions desc, kind, comprehensive`.execute(db)
  return rows
}
