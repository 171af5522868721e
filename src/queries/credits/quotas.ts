import { type Kysely, sql, type Transaction } from 'kysely'
import { prepared } from '../../db/prepared.ts'
import type { Database } from '../../db/schema.ts'
import type { VisitorDay } from '../site/visits.ts'

/*
 * Upserts return what they counted, so that parallel calls see each other. Raw SQL: what a shop can still
 * spend is asked whenever a chat on its pages is first touched, of three tables at once.
 */

const lockDay = prepared<VisitorDay>()('lock_visitor_day', (db, parameter) =>
  db
    .insertInto('visitor_quotas')
    .values({
      workspace_id: parameter('workspaceId'),
      visitor_id: parameter('visitorId'),
      day: parameter('day'),
      requests: 0,
    })
    .onConflict((on) =>
      on
        .constraint('visitor_quotas_pkey')
        .doUpdateSet((eb) => ({ requests: eb.ref('visitor_quotas.requests') })),
    )
    .returning('requests'),
)

const countRunning = prepared<VisitorDay & { now: Date }>()(
  'count_held_requests',
  (db, parameter) =>
    db
      .selectFrom('reservations')
      .select(({ fn }) => fn.countAll<number>().as('held'))
      .where('workspace_id', '=', parameter('workspaceId'))
      .where('visitor_id', '=', parameter('visitorId'))
      .where('quota_day', '=', parameter('day'))
      .where('status', '=', sql.lit('HELD'))
      .where('expires_at', '>', sql<string>`${parameter('now')}`),
)

/**
 * The AI requests of a visitor's day, answered or running. Locks the day before counting, so that parallel
 * calls count each other; expired ones do not count.
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

const addRequest = prepared<VisitorDay>()('add_visitor_request', (db, parameter) =>
  db
    .insertInto('visitor_quotas')
    .values({
      workspace_id: parameter('workspaceId'),
      visitor_id: parameter('visitorId'),
      day: parameter('day'),
      requests: 1,
    })
    .onConflict((on) =>
      on
        .constraint('visitor_quotas_pkey')
        .doUpdateSet(({ eb }) => ({ requests: eb('visitor_quotas.requests', '+', 1) })),
    )
    .returning('requests'),
)

/** Counts an answered request; returns the day's new count. */
export async function insertRequest(trx: Transaction<Database>, day: VisitorDay): Promise<number> {
  const [row] = await addRequest(trx, day)
  return row!.requests
}

/**
 * Keeps the requests of a customer who is deleted under an id that says nothing of them. Those still running
 * count as made, because nothing will tell later whose they were.
 */
export async function setRequestsAside(
  trx: Transaction<Database>,
  { now, ...move }: RequestsMove & { now: Date },
): Promise<void> {
  const running = await trx
    .selectFrom('reservations')
    .select((eb) => [
      eb.ref('quota_day').$notNull().as('day'),
      eb.fn.countAll<number>().as('requests'),
    ])
    .where('workspace_id', '=', move.workspaceId)
    .where('visitor_id', '=', move.from)
    .where('status', '=', 'HELD')
    .where('expires_at', '>', sql<string>`${now}`)
    .where('quota_day', 'is not', null)
    .groupBy('quota_day')
    .execute()
  await addRequests(trx, { workspaceId: move.workspaceId, visitorId: move.to }, running)
  await moveRequests(trx, move)
}

interface RequestsMove {
  workspaceId: string
  from: string
  to: string
}

/** Counts one visitor's requests, of all days that are still kept, for another one. */
export async function moveRequests(
  trx: Transaction<Database>,
  { workspaceId, from, to }: RequestsMove,
): Promise<void> {
  const made = await trx
    .deleteFrom('visitor_quotas')
    .where('workspace_id', '=', workspaceId)
    .where('visitor_id', '=', from)
    .returning(['day', 'requests'])
    .execute()
  await addRequests(trx, { workspaceId, visitorId: to }, made)
}

async function addRequests(
  trx: Transaction<Database>,
  { workspaceId, visitorId }: Omit<VisitorDay, 'day'>,
  counts: { day: string; requests: number }[],
): Promise<void> {
  // A call that was refused leaves a count of 0.
  for (const { day, requests } of counts.filter((count) => count.requests > 0))
    await trx
      .insertInto('visitor_quotas')
      .values({ workspace_id: workspaceId, visitor_id: visitorId, day, requests })
      .onConflict((on) =>
        on
          .constraint('visitor_quotas_pkey')
          .doUpdateSet(({ eb }) => ({ requests: eb('visitor_quotas.requests', '+', requests) })),
      )
      .execute()
}

/** The largest count that the column can hold. */
const noBudget = 2_147_483_647

/** Budgets of a workspace's day, by the visitor id under which they are counted. */
export const sharedBudgets = { pages: 'pages', trials: 'trials' } as const

interface SharedSpending {
  workspaceId: string
  budget: (typeof sharedBudgets)[keyof typeof sharedBudgets]
  day: string
  units: number
}

/** Counts against a shared budget of the day; false if the limit does not cover it. */
export async function takeFromDay(
  trx: Transaction<Database>,
  { workspaceId, budget, day, units }: SharedSpending,
  limit: number,
): Promise<boolean> {
  if (units > limit) return false
  // With plain values: Citus cannot tell the types of a select list.
  const spent = sql<number>`visitor_quotas.requests + excluded.requests`
  const taken = await trx
    .insertInto('visitor_quotas')
    .values({ workspace_id: workspaceId, visitor_id: budget, day, requests: units })
    .onConflict((on) =>
      on
        .constraint('visitor_quotas_pkey')
        .doUpdateSet({ requests: spent })
        .where(spent, '<=', limit),
    )
    .returning('requests')
    .executeTakeFirst()
  return taken !== undefined
}

/** Gives back what was not spent after all. */
export async function returnToDay(
  trx: Transaction<Database>,
  { workspaceId, budget, day, units }: SharedSpending,
): Promise<void> {
  await trx
    .updateTable('visitor_quotas')
    .set({ requests: sql<number>`greatest(0, requests - ${units}::integer)` })
    .where('workspace_id', '=', workspaceId)
    .where('visitor_id', '=', budget)
    .where('day', '=', day)
    .execute()
}

/** What visitors of a shop's own pages may spend on a day. */
export async function getSiteBudget(
  trx: Transaction<Database>,
  workspaceId: string,
): Promise<number> {
  const { budget } = await trx
    .selectFrom('wallets')
    .select('site_daily_credits as budget')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return budget ?? noBudget
}

const findSpendable = prepared<{ workspaceId: string; day: string; now: Date }>()(
  'find_spendable_site_credits',
  (_db, parameter) => sql<{ credits: number }>`
    select least(
      w.balance_credits - w.reserved_credits + expired.credits,
      coalesce(w.site_daily_credits, ${sql.lit(noBudget)}) + expired.counted
        - coalesce((select q.requests from visitor_quotas q
            where q.workspace_id = ${parameter('workspaceId')}
              and q.visitor_id = ${sql.lit(sharedBudgets.pages)}
              and q.day = ${parameter('day')}::date), 0)) as credits
    from wallets w, lateral (
      select coalesce(sum(r.credits), 0)::bigint as credits,
        coalesce(sum(r.credits) filter (where r.budget = ${sql.lit(sharedBudgets.pages)}
          and r.quota_day = ${parameter('day')}::date), 0)::bigint as counted
      from reservations r where r.workspace_id = ${parameter('workspaceId')} and r.status = 'HELD'
        and r.expires_at <= ${parameter('now')}) expired
    where w.workspace_id = ${parameter('workspaceId')}`,
)

/** Credits that the shop's pages could spend now: those available, within what is left of the day's budget. */
export async function getSpendableCredits(
  db: Kysely<Database>,
  place: { workspaceId: string; day: string; now: Date },
): Promise<number> {
  const [wallet] = await findSpendable(db, place)
  return wallet?.credits ?? 0
}
