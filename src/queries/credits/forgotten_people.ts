import { sql, type Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { personCounters } from './usage_counters.ts'

/* Raw SQL: moves counts from one key of an upsert to another. */

/**
 * Removes a customer's id from usage. Events and costs stay in every sum, counted like those of deleted
 * customers; calls in progress are recorded without a customer.
 */
export async function forgetCustomerInUsage(
  trx: Transaction<Database>,
  workspaceId: string,
  customerId: string,
): Promise<void> {
  const sums = personCounters.map((name) => sql`sum(${sql.ref(name)})`)
  const added = personCounters.map(
    (name) => sql`${sql.ref(name)} = p.${sql.ref(name)} + excluded.${sql.ref(name)}`,
  )
  await sql`
    with gone as (
      delete from usage_people where workspace_id = ${workspaceId} and actor_type = 'CUSTOMER'
        and user_id = ${customerId} returning *)
    insert into usage_people as p (workspace_id, span, day, actor_type, user_id, slot, last_at,
      ${sql.join(personCounters.map((name) => sql.ref(name)))})
    select ${workspaceId}, span, day, actor_type, '', 0, max(last_at), ${sql.join(sums)}
    from gone group by span, day, actor_type
    on conflict on constraint usage_people_key do update set
      last_at = greatest(p.last_at, excluded.last_at), ${sql.join(added)}`.execute(trx)
  await sql`
    update usage_events set user_id = null,
      resource_id = case when resource_type = 'customer' then '' else resource_id end
    where workspace_id = ${workspaceId} and user_id = ${customerId}`.execute(trx)
  await sql`
    update reservations set visitor_id = null,
      usage = case when usage is null then null else usage || '{"userId": null}' end
    where workspace_id = ${workspaceId} and visitor_id = ${customerId}`.execute(trx)
}
