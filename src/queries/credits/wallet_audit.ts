import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { sharedBudgets } from './quotas.ts'

/* Raw SQL: each invariant is one comparison of sums, as one would write it by hand. */

interface WalletKey {
  workspaceId: string
}

interface BrokenWallet extends WalletKey {
  problem: string
}

/**
 * Each invariant as a query for the wallets that violate it. In a sharded database, rows of workspaces must
 * be collected before they are joined with tables that are kept whole, or by anything but the workspace.
 */
const checks: Record<string, RawBuilder<WalletKey>> = {
  'there is no wallet': sql<WalletKey>`
    with owners as materialized (select workspace_id from wallets)
    select id as "workspaceId" from workspaces
    where not exists (select from owners where owners.workspace_id = workspaces.id)`,
  'the balance is not the sum of the entries': sql<WalletKey>`
    select w.workspace_id as "workspaceId" from wallets w where w.balance_credits <>
      (select coalesce(sum(credits), 0) from wallet_entries e
        where e.workspace_id = w.workspace_id)`,
  'the entries are not numbered from 1 without a gap': sql<WalletKey>`
    select w.workspace_id as "workspaceId" from wallets w
    left join wallet_entries e on e.workspace_id = w.workspace_id
    group by w.workspace_id, w.entry_count
    having count(e.id) <> w.entry_count or coalesce(max(e.number), 0) <> w.entry_count
      or coalesce(min(e.number), 1) <> 1`,
  'an entry does not leave the balance that it says': sql<WalletKey>`
    select distinct workspace_id as "workspaceId" from (
      select workspace_id, balance_after,
        sum(credits) over (partition by workspace_id order by number) as running
      from wallet_entries) e
    where balance_after <> running`,
  'an entry is older than the one before it': sql<WalletKey>`
    select distinct workspace_id as "workspaceId" from (
      select workspace_id, created_at,
        lag(created_at) over (partition by workspace_id order by number) as previous
      from wallet_entries) e
    where created_at < previous`,
  'reserved is not the sum of the held reservations': sql<WalletKey>`
    select w.workspace_id as "workspaceId" from wallets w where w.reserved_credits <>
      (select coalesce(sum(credits), 0) from reservations r
        where r.workspace_id = w.workspace_id and r.status = 'HELD')`,
  'a settled reservation has no USAGE entry of its credits': sql<WalletKey>`
    select distinct r.workspace_id as "workspaceId" from reservations r
    where r.status = 'SETTLED' and not r.is_free and not exists (select from wallet_entries e
      where e.workspace_id = r.workspace_id and e.type = 'USAGE' and e.reference = r.reference
        and e.credits = -r.credits)`,
  'a free reservation has a USAGE entry': sql<WalletKey>`
    select distinct r.workspace_id as "workspaceId" from reservations r
    where r.is_free and exists (select from wallet_entries e
      where e.workspace_id = r.workspace_id and e.type = 'USAGE' and e.reference = r.reference)`,
  // Reservations are kept for 90 days.
  'a USAGE entry has no settled reservation': sql<WalletKey>`
    select distinct e.workspace_id as "workspaceId" from wallet_entries e
    where e.type = 'USAGE' and e.created_at > now() - interval '60 days'
      and not exists (select from reservations r
      where r.workspace_id = e.workspace_id and r.reference = e.reference
        and r.status = 'SETTLED')`,
  'a budget of the day has counted less than was spent of it': sql<WalletKey>`
    with r as materialized (
      select workspace_id, budget, quota_day,
        sum(case budget when ${sql.lit(sharedBudgets.trials)} then 1 else credits end) as spent
      from reservations where budget is not null and (status = 'HELD' or status = 'SETTLED'
        and (not is_free or budget = ${sql.lit(sharedBudgets.trials)}))
      group by 1, 2, 3),
    q as materialized (select workspace_id, visitor_id, day, requests from visitor_quotas)
    select r.workspace_id as "workspaceId" from r join q on q.workspace_id = r.workspace_id
      and q.visitor_id = r.budget and q.day = r.quota_day where q.requests < r.spent
    union select r.workspace_id from r
      join publishable_key_days k on k.key_id = r.budget and k.day = r.quota_day
      where k.credits < r.spent`,
  'a paid checkout and its PURCHASE entry do not agree': sql<WalletKey>`
    with c as materialized (
      select workspace_id, id, credits from checkouts where paid_at is not null),
    e as materialized (
      select workspace_id, reference, credits from wallet_entries where type = 'PURCHASE')
    select coalesce(c.workspace_id, e.workspace_id) as "workspaceId" from c
    full join e on e.workspace_id = c.workspace_id and e.reference = c.id
    where e.credits is distinct from c.credits`,
  'the REFUND entries of a checkout are not what was refunded of it': sql<WalletKey>`
    with c as materialized (select workspace_id, id, refunded_credits from checkouts),
    e as materialized (
      select workspace_id, split_part(reference, ':', 1) as checkout_id, -sum(credits) as credits
      from wallet_entries where type = 'REFUND' group by 1, 2)
    select c.workspace_id as "workspaceId" from c
    left join e on e.workspace_id = c.workspace_id and e.checkout_id = c.id
    where c.refunded_credits <> coalesce(e.credits, 0)`,
  'what was refunded or is disputed of a checkout is not its part of the credits, rounded up': sql<WalletKey>`
    with c as materialized (
      select workspace_id, id, credits, amount_cents, refunded_credits, paid_at from checkouts),
    p as materialized (
      select checkout_id, amount_cents, refunded_cents + coalesce((select sum(d.amount_cents)
        from payment_disputes d where d.payment_intent = payment_intents.id
          and d.is_withdrawn and not d.is_reinstated), 0) as returned_cents
      from payment_intents where checkout_id is not null)
    select c.workspace_id as "workspaceId" from c where c.refunded_credits <>
      (select coalesce(max(least(c.credits, ceil(c.credits::numeric * p.returned_cents
          / coalesce(nullif(p.amount_cents, 0), c.amount_cents)))), 0)
        from p where p.checkout_id = c.id and c.paid_at is not null)`,
}

/** Every wallet that violates an invariant, in one snapshot. */
export function brokenWallets(db: Kysely<Database>): Promise<BrokenWallet[]> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      const broken: BrokenWallet[] = []
      for (const [problem, check] of Object.entries(checks)) {
        const { rows } = await check.execute(trx)
        broken.push(...rows.map(({ workspaceId }) => ({ workspaceId, problem })))
      }
      return broken
    })
}
