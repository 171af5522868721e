import { type Kysely, sql } from 'kysely'
import type { PageRequest } from '../../core/paging.ts'
import type { Database } from '../../db/schema.ts'
import { type ActivityFilters, conditionsOf } from './activities.ts'

/* Raw SQL: groups are ranked with their parts and examples, and answered as JSON with their number. */

/** An operation alone, or an actor's type, account and, unless it is a session, key or grant. */
type Key = [string] | [string, string, string]

export interface FoundGroup {
  key: Key
  count: number
  lastAt: string
  /** The most frequent operations of an actor, or the most active actors of an operation. */
  parts: { key: Key; count: number }[]
  resources: number
  examples: string[]
}

const maxParts = 8
const maxExamples = 3

/** All writes of a person in the dashboard count together, in any session. */
const keys = {
  actor: sql`json_build_array(actor_type, user_id,
    case when actor_type in ('API_KEY', 'AGENT') then connection_id else '' end)::text`,
  operation: sql`json_build_array(operation)::text`,
}

/** A page of groups, the largest first, and their total. */
export async function groupActivities(
  db: Kysely<Database>,
  workspaceId: string,
  filters: ActivityFilters,
  by: 'actor' | 'operation',
  { page, pageSize }: PageRequest,
): Promise<{ found: FoundGroup[]; total: number }> {
  const beside = by === 'actor' ? 'operation' : 'actor'
  const { rows } = await sql<{ total: number; found: FoundGroup[] }>`
    with written as materialized (
      select ${keys[by]} as key, ${keys[beside]} as part, resource_id, resource_name, created_at
      from activities where ${conditionsOf(workspaceId, filters)}),
    parts as (
      select key, part, count(*) as count, max(created_at) as last_at,
        row_number() over (partition by key order by count(*) desc, part) as place
      from written group by key, part),
    resources as (
      select key, (array_agg(resource_name order by created_at desc))[1] as name,
        row_number() over (partition by key order by max(created_at) desc, resource_id) as place
      from written where resource_id <> '' group by key, resource_id),
    groups as (
      select key, sum(count)::bigint as count, max(last_at) as last_at from parts group by key),
    page as materialized (
      select * from groups order by count desc, last_at desc, key
      limit ${pageSize} offset ${(page - 1) * pageSize}),
    shown as materialized (
      select key, json_agg(json_build_object('key', part::json, 'count', count) order by place) as parts
      from parts where place <= ${maxParts} group by key),
    named as materialized (
      select key, count(*) as resources, coalesce(array_agg(name order by place)
        filter (where place <= ${maxExamples} and name <> ''), '{}') as examples
      from resources group by key)
    select (select count(*) from groups) as total,
      coalesce((select json_agg(json_build_object('key', g.key::json, 'count', g.count,
        'lastAt', to_char(g.last_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'parts', s.parts, 'resources', coalesce(n.resources, 0), 'examples', coalesce(n.examples, '{}'))
        order by g.count desc, g.last_at desc, g.key)
        from page g join shown s on s.key = g.key left join named n on n.key = g.key), '[]') as found
    `.execute(db)
  return rows[0]!
}
