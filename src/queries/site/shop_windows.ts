import { type Kysely, type RawBuilder, sql } from 'kysely'
import { stretchOf } from '../../core/paging.ts'
import { prepared, preparedRow, tableOf } from '../../db/prepared.ts'
import type { Database } from '../../db/schema.ts'
import { getCatalogueCounts } from '../catalogue/counters.ts'
import { nameOrder } from '../catalogue/name_order.ts'
import { orderOf, type ProductFilters } from '../catalogue/product_filters.ts'
import { findProductIds } from '../catalogue/product_lists.ts'
import { hasPublishedProduct } from '../catalogue/published.ts'
import { mediaFields } from '../media/media_fields.ts'

/*
 * What the public site of a workspace shows, beside what the experience API answers.
 *
 * Raw SQL: a page is drawn from as few statements as there can be, which share their parts.
 */

/** A product in a list. */
export interface Card {
  slug: string
  name: string
  brand: string
  isAvailable: boolean
  cover: string | null
}

export interface Cards {
  cards: Card[]
  total: number
}

const mediaUrl = mediaFields.url

/** The id of the first picture of a product `p`. */
const coverIdOf = (workspace: RawBuilder<unknown>) => sql<string | null>`(
  select i.media_id from ${tableOf('product_images')} i
  where i.workspace_id = ${workspace} and i.product_id = p.id
  order by i.position limit 1)`

/** The first picture of a product `p`. */
export const coverOf = (workspace: RawBuilder<unknown>) => sql<string | null>`(
  select ${mediaUrl} from media
  where media.workspace_id = ${workspace} and media.id = ${coverIdOf(workspace)})`

interface CardRows {
  /** The source of the products `p`. */
  from: RawBuilder<unknown>
  /** Columns besides those of the products, which the order needs. */
  beside: RawBuilder<unknown>
  order: RawBuilder<unknown>
}

/**
 * Cards of products. Their pictures are looked up together: one by one they take half of the statement's
 * time.
 */
export const cardsOf = (
  workspace: RawBuilder<unknown>,
  { from, beside, order }: CardRows,
) => sql<Card>`
  select p.slug, p.name, p.brand, p.stock > 0 as "isAvailable", ${mediaUrl} as cover
  from (select p.slug, p.name, p.brand, p.stock, ${coverIdOf(workspace)} as cover_id, ${beside}
    from ${from} offset 0) p
  left join ${tableOf('media')} media on media.workspace_id = ${workspace} and media.id = p.cover_id
  order by ${order}`

/** A product may have been unpublished since it was found, and visitors must not see it then. */
const readCards = prepared<{ workspaceId: string; ids: string }>()('read_cards', (_db, parameter) =>
  cardsOf(parameter('workspaceId'), {
    from: sql`unnest(${parameter('ids')}::text[]) with ordinality as page (id, place)
        join products p on p.workspace_id = ${parameter('workspaceId')} and p.id = page.id
          and p.status = 'ACTIVE'`,
    beside: sql`page.place`,
    order: sql`p.place`,
  }),
)

export interface CardPage {
  page: number
  pageSize: number
}

/** The index alone determines the products of a page; only their rows are read. */
const newestCardsOf = (name: string, reversed: boolean) =>
  prepared<{ workspaceId: string; limit: number; offset: number }>()(name, (_db, parameter) =>
    cardsOf(parameter('workspaceId'), {
      from: sql`products p where p.workspace_id = ${parameter('workspaceId')} and p.id = any(array(
        select p.id from products p
        where p.workspace_id = ${parameter('workspaceId')} and p.status = 'ACTIVE'
        order by ${orderOf('-createdAt', reversed)}
        limit ${parameter('limit')} offset ${parameter('offset')}))`,
      beside: sql`p.created_at, p.id`,
      order: orderOf('-createdAt', false),
    }),
  )
const newestCards = newestCardsOf('list_newest_cards', false)
const newestCardsFromEnd = newestCardsOf('list_newest_cards_from_end', true)

/** A page of the published products, newest first; their number is known. */
export async function listNewestCards(
  db: Kysely<Database>,
  workspaceId: string,
  { page, pageSize }: CardPage,
  total: number,
): Promise<Card[]> {
  const stretch = stretchOf(page, pageSize, total)
  if (!stretch) return []
  const { reversed, ...place } = stretch
  return (reversed ? newestCardsFromEnd : newestCards)(db, { workspaceId, ...place })
}

/** Published products, newest first, or best first if there is a search. */
export async function listCards(
  db: Kysely<Database>,
  workspaceId: string,
  {
    search = '',
    tagId,
    collectionId,
  }: Partial<Pick<ProductFilters, 'search' | 'tagId' | 'collectionId'>>,
  { page, pageSize }: CardPage,
): Promise<Cards> {
  const filters = { search, tagId, collectionId, status: ['ACTIVE' as const] }
  const request = { page, pageSize, sort: undefined }
  const { ids, total } = await findProductIds(db, workspaceId, filters, request)
  return { cards: ids === '{}' ? [] : await readCards(db, { workspaceId, ids }), total }
}

const findMembers = prepared<{ workspaceId: string; id: string; limit: number; offset: number }>()(
  'find_collection_cards',
  (_db, parameter) => {
    const members = sql`collection_products l
      join products p on p.workspace_id = ${parameter('workspaceId')} and p.id = l.product_id
        and p.status = 'ACTIVE'
      where l.workspace_id = ${parameter('workspaceId')} and l.collection_id = ${parameter('id')}`
    return sql<{ ids: string; total: number }>`
      select array(select l.product_id from ${members}
          order by l.position, l.product_id
          limit ${parameter('limit')} offset ${parameter('offset')})::text as ids,
        (select count(*) from ${members}) as total`
  },
)

/** The published products of a collection, in the collection's order. */
export async function listCollectionCards(
  db: Kysely<Database>,
  workspaceId: string,
  id: string,
  { page, pageSize }: CardPage,
): Promise<Cards> {
  const place = { limit: pageSize, offset: (page - 1) * pageSize }
  const [found] = await findMembers(db, { workspaceId, id, ...place })
  const { ids, total } = found!
  return { cards: ids === '{}' ? [] : await readCards(db, { workspaceId, ids }), total }
}

/** A collection as a site shows it. */
export interface ShownCollection {
  id: string
  slug: string
  name: string
  description: string
  cover: string | null
  products: number
}

const collectionColumns = (workspace: RawBuilder<unknown>) => sql`
  c.id, c.slug, c.name, c.description,
  coalesce(
    (select ${mediaUrl} from media
      where media.workspace_id = ${workspace} and media.id = c.image_id),
    (select ${coverOf(workspace)} from collection_products l
      join products p on p.workspace_id = ${workspace} and p.id = l.product_id
        and p.status = 'ACTIVE'
      where l.workspace_id = ${workspace} and l.collection_id = c.id
      order by l.position, l.product_id limit 1)) as cover,
  (select count(*) from collection_products l
    join products p on p.workspace_id = ${workspace} and p.id = l.product_id
      and p.status = 'ACTIVE'
    where l.workspace_id = ${workspace} and l.collection_id = c.id) as products`

const readCollections = prepared<{ workspaceId: string; limit: number; offset: number }>()(
  'list_shown_collections',
  (_db, parameter) => sql<ShownCollection>`
    select ${collectionColumns(parameter('workspaceId'))} from collections c
    where c.workspace_id = ${parameter('workspaceId')}
    order by c.created_at desc, c.id desc
    limit ${parameter('limit')} offset ${parameter('offset')}`,
)

/** A site's collections, newest first. */
export async function listShownCollections(
  db: Kysely<Database>,
  workspaceId: string,
  { page, pageSize }: CardPage,
): Promise<{ collections: ShownCollection[]; total: number }> {
  const { collections: total } = await getCatalogueCounts(db, workspaceId)
  const place = { limit: pageSize, offset: (page - 1) * pageSize }
  return { collections: await readCollections(db, { workspaceId, ...place }), total }
}

export const findShownCollection = preparedRow<{ workspaceId: string; slug: string }>()(
  'find_shown_collection',
  (_db, parameter) => sql<ShownCollection>`(
    select ${collectionColumns(parameter('workspaceId'))} from collections c
    where c.workspace_id = ${parameter('workspaceId')} and c.slug = ${parameter('slug')})`,
)

/** What the pages of a shop show of its settings, beside the website. */
export const findShopSettings = preparedRow<{ workspaceId: string }>()(
  'find_shop_settings',
  (db, parameter) =>
    db
      .selectFrom('workspaces')
      .innerJoin('websites', 'websites.workspace_id', 'workspaces.id')
      .select([
        'workspaces.question_library as questions',
        'websites.knowledge',
        'workspaces.ai_fast_enabled as fastEnabled',
        'workspaces.ai_comprehensive_enabled as comprehensiveEnabled',
        'workspaces.ai_sector as sector',
      ])
      .where('workspaces.id', '=', parameter('workspaceId')),
)

export interface ShownTag {
  id: string
  name: string
}

/** The first tags that have a published product, by name; their pages list products. */
export const listShownTags = prepared<{ workspaceId: string; limit: number }>()(
  'list_shown_tags',
  (_db, parameter) => sql<ShownTag>`
    select t.id, t.name from tags t
    where t.workspace_id = ${parameter('workspaceId')}
      and ${hasPublishedProduct(parameter('workspaceId'))}
    order by ${nameOrder('t.name')}, t.id limit ${parameter('limit')}`,
)

/** The name of a tag. */
export const findTagName = preparedRow<{ workspaceId: string; id: string }>()(
  'find_tag_name',
  (db, parameter) =>
    db
      .selectFrom('tags')
      .select('name')
      .where('workspace_id', '=', parameter('workspaceId'))
      .where('id', '=', parameter('id')),
)

/** The URL of an image. */
export const findImageUrl = preparedRow<{ workspaceId: string; id: string }>()(
  'find_image_url',
  (db, parameter) =>
    db
      .selectFrom('media')
      .select(mediaUrl.as('url'))
      .where('media.workspace_id', '=', parameter('workspaceId'))
      .where('media.id', '=', parameter('id')),
)
