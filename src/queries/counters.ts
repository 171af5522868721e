import { type Kysely, sql } from 'kysely'
import { prepared } from '../db/prepared.ts'
import type { Database } from '../db/schema.ts'

export interface CatalogueCounts {
  active: number
  inactive: number
  deleted: number
  outOfStock: number
  mediaTotal: number
  mediaLinked: number
  mediaMultiLinked: number
  tags: number
  collections: number
}

const sumCounters = prepared<{ workspaceId: string }>()<CatalogueCounts>(
  'sum_counters',
  (_db, parameter) => {
    const sum = (column: string) => sql`coalesce(sum(${sql.ref(column)}), 0)::bigint`
    return sql<CatalogueCounts>`select ${sum('products_active')} as active,
      ${sum('products_inactive')} as inactive, ${sum('products_deleted')} as deleted,
      ${sum('products_out_of_stock')} as "outOfStock", ${sum('media_total')} as "mediaTotal",
      ${sum('media_linked')} as "mediaLinked", ${sum('media_multi_linked')} as "mediaMultiLinked",
      ${sum('tags_total')} as tags, ${sum('collections_total')} as collections
      from catalogue_counters where workspace_id = ${parameter('workspaceId')}`
  },
)

/** What the workspace holds, from the counters that its writes keep. */
export async function getCatalogueCounts(
  db: Kysely<Database>,
  workspaceId: string,
): Promise<CatalogueCounts> {
  const [counts] = await sumCounters(db, { workspaceId })
  return counts!
}
