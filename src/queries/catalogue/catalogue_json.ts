import { type Expression, type RawBuilder, sql } from 'kysely'
import { isoTime } from '../iso_time.ts'

/**
 * The shapes of the catalogue as the contract writes them, built by the database itself: a page of
 * products leaves it as the text that is sent.
 */

type Fragment = Expression<unknown>

/** A Media object of the row `media`. */
export function mediaJson(baseUrl: Fragment): RawBuilder<unknown> {
  const key = sql`media.workspace_id || '/' || media.content_hash || '.' || media.extension`
  return sql`json_build_object('id', media.id, 'fileName', media.file_name,
    'mimeType', media.mime_type, 'size', media.size_bytes, 'kind', 'IMAGE', 'key', ${key},
    'createdAt', ${isoTime(sql`media.created_at`)}, 'usageCount', media.usage_count,
    'url', ${baseUrl}::text || '/media/' || ${key})`
}

/** The images of the product `p`, in order. */
function imagesJson(baseUrl: Fragment): RawBuilder<unknown> {
  return sql`coalesce((select json_agg(${mediaJson(baseUrl)} order by i.position)
    from product_images i join media on media.id = i.media_id where i.product_id = p.id), '[]')`
}

/** The tags of the product `p`, in order. */
const productTagsJson = sql`coalesce((
  select json_agg(json_build_object('id', t.id, 'name', t.name) order by l.position)
  from product_tags l join tags t on t.id = l.tag_id where l.product_id = p.id), '[]')`

/** A Product of the row `p`; in a summary its long texts are clipped. */
export function productJson(baseUrl: Fragment, view: 'full' | 'summary'): RawBuilder<unknown> {
  const text = (column: string) =>
    view === 'full' ? sql.ref(`p.${column}`) : sql`left(${sql.ref(`p.${column}`)}, 200)`
  return sql`json_build_object('id', p.id, 'name', p.name, 'brand', p.brand, 'slug', p.slug,
    'description', ${text('description')}, 'information', ${text('information')},
    'images', ${imagesJson(baseUrl)}, 'tags', ${productTagsJson}, 'sales', p.sales,
    'sku', p.sku, 'barcode', p.barcode, 'stock', p.stock, 'status', p.status,
    'createdAt', ${isoTime(sql`p.created_at`)}, 'updatedAt', ${isoTime(sql`p.updated_at`)})`
}

/** A Collection product summary of the row `p`. */
export function collectionProductJson(baseUrl: Fragment): RawBuilder<unknown> {
  return sql`json_build_object('id', p.id, 'name', p.name, 'brand', p.brand, 'slug', p.slug,
    'sku', p.sku, 'stock', p.stock, 'status', p.status, 'images', ${imagesJson(baseUrl)},
    'tags', ${productTagsJson}, 'createdAt', ${isoTime(sql`p.created_at`)},
    'updatedAt', ${isoTime(sql`p.updated_at`)})`
}

export interface CollectionShape {
  view: 'full' | 'summary'
  /** How many products are shown beside their ids, at most. */
  products: number
  /** Whether only products that visitors may see are among them. */
  publishedOnly?: boolean
}

/** A Collection of the row `c`. */
export function collectionJson(
  baseUrl: Fragment,
  { view, products, publishedOnly = false }: CollectionShape,
): RawBuilder<unknown> {
  const description = view === 'full' ? sql`c.description` : sql`left(c.description, 200)`
  const members = publishedOnly
    ? sql`collection_products l join products m on m.id = l.product_id and m.status = 'ACTIVE'`
    : sql`collection_products l`
  return sql`json_build_object('id', c.id, 'name', c.name, 'slug', c.slug,
    'description', ${description}, 'imageId', c.image_id,
    'image', (select ${mediaJson(baseUrl)} from media where media.id = c.image_id),
    'workspaceId', c.workspace_id,
    'productIds', coalesce((select json_agg(l.product_id order by l.position, l.product_id)
      from ${members} where l.collection_id = c.id), '[]'),
    'tags', coalesce((
      select json_agg(json_build_object('id', t.id, 'name', t.name) order by l.position)
      from collection_tags l join tags t on t.id = l.tag_id where l.collection_id = c.id), '[]'),
    'products', coalesce((
      select json_agg(${collectionProductJson(baseUrl)} order by first.position, p.id)
      from (select l.product_id, l.position from ${members}
        where l.collection_id = c.id order by l.position, l.product_id
        limit ${sql.lit(products)}) first
      join products p on p.id = first.product_id), '[]'),
    'createdAt', ${isoTime(sql`c.created_at`)}, 'updatedAt', ${isoTime(sql`c.updated_at`)})`
}
