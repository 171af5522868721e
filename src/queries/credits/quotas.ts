import { sql, type Transaction } from 'kysely'
import { prepared } from '../../db/prepared.ts'
import type { Database } from '../../db/schema.ts'
import type { VisitorDay } from '../site/visits.ts'

/* Raw SQL: upserts that return what they counted, so that parallel calls see each other. */

const lockDay = prepared<VisitorDay>()(
  'lock_visitor_day',
  (_db, parameter) => sql<{ requests: number }>`
    insert into visitor_quotas (workspace_id, visitor_id, day, requests)
    values (${parameter('workspaceId')}, ${parameter('visitorId')}, ${parameter('day')}::date, 0)
    on conflict on constraint visitor_quotas_pkey
      do update set requests = visitor_quotas.requests
    returning requests`,
)

const countRunning = prepared<VisitorDay & { now: Date }>()(
  'count_held_requests',
  (_db, parameter) => sql<{ held: number }>`
    select count(*) as held from reservations
    where workspace_id = ${parameter('workspaceId')} and visitor_id = ${parameter('visitorId')}
      and quota_day = ${parameter('day')}::date and status = 'HELD'
      and expires_at > ${parameter('now')}`,
)

/**
 * AI requests of a visitor's day, answered or running. Locks the day before counting, so that
 * parallel calls count each other; expired ones do not count.
 */
export async function lockRequestCount(
  trx: Transaction<Database>,
  day: VisitorDay,
  now: Date,
): Promise<number> {
  const [locked] = await lockDay(trx, day)
  const [running] = await countRunning(trx, { ...day, now })
  return locked!.requests + running!.held
}

/** In whose place the free trials of a workspace are counted. */
const trials = 'trials'

type WorkspaceDay = Omit<VisitorDay, 'visitorId'>

/** Takes one of the free trials of a day, of which there are so many; false if all are taken. */
export async function takeFreeTrial(
  trx: Transaction<Database>,
  { workspaceId, day }: WorkspaceDay,
  limit: number,
): Promise<boolean> {
  const { rows } = await sql`
    insert into visitor_quotas as q (workspace_id, visitor_id, day, requests)
    values (${workspaceId}, ${trials}, ${day}::date, 1)
    on conflict on constraint visitor_quotas_pkey do update set requests = q.requests + 1
      where q.requests < ${limit}
    returning requests`.execute(trx)
  return rows.length === 1
}

/** Gives back a free trial that brought no answer. */
export async function returnFreeTrial(
  trx: Transaction<Database>,
  { workspaceId, day }: WorkspaceDay,
): Promise<void> {
  await sql`
    update visitor_quotas set requests = requests - 1 where workspace_id = ${workspaceId}
      and visitor_id = ${trials} and day = ${day}::date and requests > 0`.execute(trx)
}

const addRequest = prepared<VisitorDay>()(
  'add_visitor_request',
  (_db, parameter) => sql<{ requests: number }>`
    insert into visitor_quotas (workspace_id, visitor_id, day, requests)
    values (${parameter('workspaceId')}, ${parameter('visitorId')}, ${parameter('day')}::date, 1)
    on conflict on constraint visitor_quotas_pkey
      do update set requests = visitor_quotas.requests + 1
    returning requests`,
)

/** Counts an answered request; returns the day's new count. */
export async function insertRequest(trx: Transaction<Database>, day: VisitorDay): Promise<number> {
  const [row] = await addRequest(trx, day)
  return row!.requests
}

/** The largest number that is counted. */
const noBudget = 2_147_483_647

/** In whose place the credits that a shop's own pages spend are counted. */
const pages = 'pages'

interface SiteCredits {
  workspaceId: string
  day: string
  credits: number
}

/** Counts credits against the day's budget of the shop's pages; false if it does not cover them. */
export async function takeSiteCredits(
  trx: Transaction<Database>,
  { workspaceId, day, credits }: SiteCredits,
): Promise<boolean> {
  const wallet = await trx
    .selectFrom('wallets')
    .select('site_daily_credits as budget')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  if (!wallet) return false
  const budget = wallet.budget ?? noBudget
  if (credits > budget) return false
  // With values alone: Citus does not know the types of what is selected.
  const { rows } = await sql`
    insert into visitor_quotas as q (workspace_id, visitor_id, day, requests)
    values (${workspaceId}, ${pages}, ${day}::date, ${credits})
    on conflict on constraint visitor_quotas_pkey do update
      set requests = q.requests + excluded.requests
      where q.requests + excluded.requests <= ${budget}
    returning requests`.execute(trx)
  return rows.length === 1
}

/** Gives back credits that were not spent after all. */
export async function returnSiteCredits(
  trx: Transaction<Database>,
  { workspaceId, day, credits }: SiteCredits,
): Promise<void> {
  await sql`
    update visitor_quotas set requests = greatest(0, requests - ${credits}::integer)
    where workspace_id = ${workspaceId} and visitor_id = ${pages} and day = ${day}::date`.execute(
    trx,
  )
}
