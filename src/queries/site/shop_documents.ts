import { type Kysely, sql } from 'kysely'
import { prepared } from '../../db/prepared.ts'
import { isoTime } from '../../db/read_fields.ts'
import type { Database } from '../../db/schema.ts'
import { findProductIds } from '../catalogue/product_lists.ts'
import { mediaFields } from '../media/media_fields.ts'
import { type Card, coverOf, type CardPage } from './shop_windows.ts'

/*
 * What the documents of a site, for programs, say of its products.
 *
 * Raw SQL: a long list is one statement, with pictures and tags as arrays.
 */

/** A product in the feed of a shop. */
export interface FeedItem extends Omit<Card, 'cover'> {
  sku: string
  /** The beginning of it. */
  description: string
  images: string[]
  tags: string[]
  updatedAt: string
}

const readFeedItems = prepared<{ workspaceId: string; ids: string; length: number }>()(
  'read_feed_items',
  (_db, parameter) => sql<FeedItem>`
    select p.slug, p.name, p.brand, p.sku, p.stock > 0 as "isAvailable",
      left(p.description, ${parameter('length')}) as description,
      array(select ${mediaFields.url} from product_images i
        join media on media.workspace_id = ${parameter('workspaceId')} and media.id = i.media_id
        where i.workspace_id = ${parameter('workspaceId')} and i.product_id = p.id
        order by i.position) as images,
      array(select t.name from product_tags l
        join tags t on t.workspace_id = ${parameter('workspaceId')} and t.id = l.tag_id
        where l.workspace_id = ${parameter('workspaceId')} and l.product_id = p.id
        order by l.position) as tags,
      ${isoTime(sql`p.updated_at`)} as "updatedAt"
    from unnest(${parameter('ids')}::text[]) with ordinality as page (id, place)
    join products p on p.workspace_id = ${parameter('workspaceId')} and p.id = page.id
      and p.status = 'ACTIVE'
    order by page.place`,
)

/** Published products, newest first, with the beginnings of their descriptions. */
export async function listFeedItems(
  db: Kysely<Database>,
  workspaceId: string,
  { page, pageSize, length }: CardPage & { length: number },
): Promise<{ items: FeedItem[]; total: number }> {
  const filters = { search: '', status: ['ACTIVE' as const] }
  const request = { page, pageSize, sort: undefined }
  const { ids, total } = await findProductIds(db, workspaceId, filters, request)
  const items = ids === '{}' ? [] : await readFeedItems(db, { workspaceId, ids, length })
  return { items, total }
}

/** A product or a collection in a sitemap. */
export interface MappedPage {
  slug: string
  updatedAt: string
  cover: string | null
}

/** Published products for the sitemap, oldest first: a new product changes only the last part. */
export const listMappedProducts = prepared<{
  workspaceId: string
  limit: number
  offset: number
}>()(
  'list_mapped_products',
  (_db, parameter) => sql<MappedPage>`
    select p.slug, ${isoTime(sql`p.updated_at`)} as "updatedAt",
      ${coverOf(parameter('workspaceId'))} as cover
    from products p
    where p.workspace_id = ${parameter('workspaceId')} and p.status = 'ACTIVE'
    order by p.created_at, p.id limit ${parameter('limit')} offset ${parameter('offset')}`,
)
