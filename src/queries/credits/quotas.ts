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

/** The visitor id under which a workspace's free trials are counted. */
const trials = 'trials'

type WorkspaceDay = Omit<VisitorDay, 'visitorId'>

/** Takes a free trial of the day; false if the limit is reached. */
export async function takeFreeTrial(
  trx: Transaction<Database>,
  { workspaceId, day }: WorkspaceDay,
  limit: number,
): Promise<boolean> {
  const taken = await trx
    .insertInto('visitor_quotas')
    .values({ workspace_id: workspaceId, visitor_id: trials, day, requests: 1 })
    .onConflict((on) =>
      on
        .constraint('visitor_quotas_pkey')
        .doUpdateSet(({ eb }) => ({ requests: eb('visitor_quotas.requests', '+', 1) }))
        .where('visitor_quotas.requests', '<', limit),
    )
    .returning('requests')
    .executeTakeFirst()
  return taken !== undefined
}

/** Gives back a free trial that got no answer. */
export async function returnFreeTrial(
  trx: Transaction<Database>,
  { workspaceId, day }: WorkspaceDay,
): Promise<void> {
  await trx
    .updateTable('visitor_quotas')
    .set(({ eb }) => ({ requests: eb('requests', '-', 1) }))
    .where('workspace_id', '=', workspaceId)
    .where('visitor_id', '=', trials)
    .where('day', '=', day)
    .where('requests', '>', 0)
    .execute()
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

/** The visitor id under which the spending of a shop's own pages is counted. */
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
  // With plain values: Citus cannot tell the types of a select list.
  const spent = sql<number>`visitor_quotas.requests + excluded.requests`
  const taken = await trx
    .insertInto('visitor_quotas')
    .values({ workspace_id: workspaceId, visitor_id: pages, day, requests: credits })
    .onConflict((on) =>
      on
        .constraint('visitor_quotas_pkey')
        .doUpdateSet({ requests: spent })
        .where(spent, '<=', budget),
    )
    .returning('requests')
    .executeTakeFirst()
  return taken !== undefined
}

/** Gives back credits that were not spent after all. */
export async function returnSiteCredits(
  trx: Transaction<Database>,
  { workspaceId, day, credits }: SiteCredits,
): Promise<void> {
  await trx
    .updateTable('visitor_quotas')
    .set({ requests: sql<number>`greatest(0, requests - ${credits}::integer)` })
    .where('workspace_id', '=', workspaceId)
    .where('visitor_id', '=', pages)
    .where('day', '=', day)
    .execute()
}

const findSpendable = prepared<{ workspaceId: string; day: string; now: Date }>()(
  'find_spendable_site_credits',
  (_db, parameter) => sql<{ credits: number }>`
    select least(
      w.balance_credits - w.reserved_credits + coalesce((select sum(r.credits) from reservations r
        where r.workspace_id = ${parameter('workspaceId')} and r.status = 'HELD'
          and r.expires_at <= ${parameter('now')}), 0)::bigint,
      coalesce(w.site_daily_credits, ${sql.lit(noBudget)}) - coalesce((select q.requests
        from visitor_quotas q where q.workspace_id = ${parameter('workspaceId')}
          and q.visitor_id = ${sql.lit(pages)} and q.day = ${parameter('day')}::date), 0)) as credits
    from wallets w where w.workspace_id = ${parameter('workspaceId')}`,
)

/** Credits that the shop's pages could spend now: those available, within what is left of the day's budget. */
export async function getSpendableCredits(
  db: Kysely<Database>,
  place: { workspaceId: string; day: string; now: Date },
): Promise<number> {
  const [wallet] = await findSpendable(db, place)
  return wallet?.credits ?? 0
}
