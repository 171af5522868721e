import { type Kysely, type RawBuilder, sql } from 'kysely'
import { prepared } from '../../db/prepared.ts'
import type { Database } from '../../db/schema.ts'

export interface ProductCounts {
  active: number
  inactive: number
  deleted: number
  outOfStock: number
  /** Version of the catalogue: different after every change of its products. */
  changes: number
}

export interface CatalogueCounts extends ProductCounts {
  mediaTotal: number
  mediaLinked: number
  mediaMultiLinked: number
  tags: number
  collections: number
}

const sum = (column: string) => sql`coalesce(sum(c.${sql.ref(column)}), 0)::bigint`

/** Product counts, from the rows `c` of a workspace's counters. */
export const productCounts: RawBuilder<ProductCounts> = sql`${sum('products_active')} as active,
  ${sum('products_inactive')} as inactive, ${sum('products_deleted')} as deleted,
  ${sum('products_out_of_stock')} as "outOfStock", ${sum('changes')} as changes`

const sumCounters = prepared<{ workspaceId: string }>()<CatalogueCounts>(
  'sum_counters',
  (_db, parameter) => sql<CatalogueCounts>`select ${productCounts},
    ${sum('media_total')} as "mediaTotal", ${sum('media_linked')} as "mediaLinked",
    ${sum('media_multi_linked')} as "mediaMultiLinked",
    ${sum('tags_total')} as tags, ${sum('collections_total')} as collections
    from catalogue_counters c where c.workspace_id = ${parameter('workspaceId')}`,
)

/** The workspace's counts, from the maintained counters. */
export async function getCatalogueCounts(
  db: Kysely<Database>,
  workspaceId: string,
): Promise<CatalogueCounts> {
  const [counts] = await sumCounters(db, { workspaceId })
  return counts!
}
