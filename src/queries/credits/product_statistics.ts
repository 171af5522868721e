import { type Kysely, sql } from 'kysely'
import type { PageRequest } from '../../core/paging.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import { siteDaysOf } from '../site/site_days.ts'
import { asWhole, type DayRange } from './usage_days.ts'

type Statistic = components['schemas']['ProductStatistic']

/* Raw SQL: two sources are summed, and a page of the sums answered as JSON with their number. */

/** A page of products by views and then questions, and how many there are; the shop's own pages count. */
export async function countByProduct(
  db: Kysely<Database>,
  workspaceId: string,
  range: DayRange,
  { page, pageSize }: PageRequest,
): Promise<{ products: Statistic[]; total: number }> {
  const { rows } = await sql<{ products: Statistic[]; total: number }>`
    with recorded as (
      select resource_id as id,
        count(*) filter (where event_name = 'product.view') as views,
        count(*) filter (where event_name = 'chat.product') as questions,
        count(*) filter (where event_name = 'chat.product'
          and (details->>'isUnanswered')::boolean) as unanswered
      from usage_events
      where workspace_id = ${workspaceId} and resource_id <> '' and status = 'SUCCESS'
        and created_at >= ${range.firstMoment} and created_at < ${range.endMoment}
        and event_name in ('product.view', 'chat.product')
        and actor_type not in ('TRIAL', 'OWNER')
      group by resource_id),
    counted as materialized (
      select id, sum(views)::bigint as views, sum(questions)::bigint as questions,
        sum(unanswered)::bigint as unanswered
      from (
        select * from recorded
        union all
        select p.id, sum(c.count)::bigint, 0, 0
        from ${siteDaysOf(workspaceId, asWhole(range))} c
        join products p on p.workspace_id = ${workspaceId} and p.slug = c.name
        where c.kind = 'product'
        group by p.id having sum(c.count) > 0) parts
      group by id)
    select (select count(*) from counted) as total, coalesce((
      select json_agg(json_build_object('productId', page.id, 'name', p.name,
          'views', page.views, 'questions', page.questions, 'unanswered', page.unanswered)
        order by page.views desc, page.questions desc, page.id)
      from (select * from counted order by views desc, questions desc, id
        limit ${pageSize} offset ${(page - 1) * pageSize}) page
      left join products p on p.workspace_id = ${workspaceId} and p.id = page.id),
      '[]') as products`.execute(db)
  return rows[0]!
}
