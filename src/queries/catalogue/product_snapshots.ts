import { type RawBuilder, sql } from 'kysely'
import { tableOf } from '../../db/prepared.ts'

/*
 * A whole product with everything linked to it, so that it can be restored exactly. JSON, not JSONB, keeps
 * the text of its links. Times are read in UTC, which the transaction must set: `inUtc`.
 */

/** The row `p` of products as a snapshot. */
export function productSnapshot(workspaceId: string): RawBuilder<string> {
  const linked = (table: string, column: string) => sql`
    (select coalesce(json_agg(${sql.ref(`l.${column}`)} order by l.position), '[]')
      from ${sql.table(table)} l where l.workspace_id = ${workspaceId} and l.product_id = p.id)`
  return sql`json_build_object(
    'product', row_to_json(p),
    'images', ${linked('product_images', 'media_id')},
    'tags', ${linked('product_tags', 'tag_id')},
    'collections', (select coalesce(json_agg(json_build_array(l.collection_id, l.position)
        order by l.collection_id), '[]')
      from ${tableOf('collection_products')} l where l.workspace_id = ${workspaceId} and l.product_id = p.id),
    'replies', (select coalesce(json_agg(row_to_json(q) order by q.id), '[]')
      from ${tableOf('question_replies')} q where q.workspace_id = ${workspaceId} and q.product_id = p.id))`
}

/** Sets the zone in which snapshots show times and are compared. */
export const inUtc = sql`set local timezone = 'UTC'`
