import { sql, type Transaction } from 'kysely'
import { newId } from '../../core/ids.ts'
import type { SetStep } from '../../db/schema/change_sets.ts'
import type { Database } from '../../db/schema.ts'
import { ofSet, type SetSlice } from './change_set_rows.ts'

/* Raw SQL: activities are inserted from the JSON of the rows. */

/** An activity for each product that a step has written; those of an undo read the other way round. */
export async function insertActivities(
  trx: Transaction<Database>,
  slice: SetSlice,
  { actor, operation }: SetStep,
  { isUndo, now }: { isUndo: boolean; now: Date },
): Promise<void> {
  const rows = await trx
    .selectFrom('change_set_rows as r')
    .select('r.number')
    .where(ofSet(slice))
    .where('r.effect', 'in', ['CREATE', 'UPDATE', 'DELETE'])
    .orderBy('r.number')
    .execute()
  if (rows.length === 0) return
  const ids = rows.map(() => newId('evt'))
  const numbers = rows.map(({ number }) => number)
  const turned = sql`(select coalesce(json_agg(json_build_object('field', c.item -> 'field',
    'before', c.item -> 'after', 'after', c.item -> 'before')), '[]')
    from json_array_elements(r.changes) as c (item))`
  const kept = (part: string) => sql`nullif((r.kept -> ${sql.lit(part)})::text, 'null')::json`
  await sql`
    insert into activities (workspace_id, id, created_at, actor_type, user_id, connection_id,
      operation, resource_id, resource_name, changes, former, snapshot)
    select ${slice.workspaceId}, made.id, ${now}, ${actor.type}, ${actor.accountId},
      ${actor.connectionId}, ${operation}, r.product_id, coalesce(r.name, ''),
      (case when r.effect = 'UPDATE' then ${isUndo ? turned : sql`r.changes`} else '[]' end)::jsonb,
      ${isUndo ? sql`null, null` : sql`${kept('former')}, ${kept('snapshot')}`}
    from unnest(${ids}::text[], ${numbers}::integer[]) as made (id, number)
    join change_set_rows r on ${ofSet(slice)} and r.number = made.number`.execute(trx)
}
