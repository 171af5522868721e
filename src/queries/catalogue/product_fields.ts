import { type RawBuilder, sql } from 'kysely'
import { tableOf } from '../../db/prepared.ts'
import {
  columnsIn,
  isoTime,
  jsonArrayText,
  jsonText,
  plain,
  type ReadFields,
  rowFor,
  written,
} from '../../db/read_fields.ts'
import { storedFields } from '../../db/stored_fields.ts'
import { limits } from '../../generated/limits.ts'
import type { components } from '../../generated/types.ts'
import { mediaJson, mediaWithKey } from '../media/media_fields.ts'
import { builtBytes, weighedRows, type WeighedRows } from './weighed_rows.ts'
import { tagFields } from './tag_fields.ts'

/* Raw SQL: PostgreSQL writes the JSON of the answer, so no row becomes an object on the way. */

type Schemas = components['schemas']
type Product = Schemas['Product']
export type ProductField = Schemas['ProductField']
type CollectionProduct = Schemas['CollectionProduct']
type Images = RawBuilder<Product['images']>
type Tags = RawBuilder<Product['tags']>
type ProductWrite = Schemas['ProductCreate'] & Schemas['ProductUpdate']

/** The fields stored in a product's row; images and tags are separate rows. */
export const storedProduct = storedFields<Omit<ProductWrite, 'imageIds' | 'tagIds'>>({
  name: 'text',
  brand: 'text',
  sku: 'text',
  barcode: 'text',
  stock: 'integer',
  status: 'text',
  description: 'text',
  information: 'text',
  sales: 'json',
})

/** The values of a product that a write replaces. */
export function editableValues(product: Product): Schemas['ProductUpdate'] {
  return {
    ...storedProduct.valuesOf(product),
    imageIds: product.images.map((image) => image.id),
    tagIds: product.tags.map((tag) => tag.id),
  }
}

const own = columnsIn('products', 'p')

/** The workspace of a statement, as an expression; all tables of the statement have the same one. */
type Workspace = RawBuilder<string>
type Rows = RawBuilder<unknown>

/** The links of the product `p`, with their positions. */
function linksIn(table: 'product_images' | 'product_tags', workspace: Workspace): Rows {
  return sql`(select * from ${tableOf(table)}
    where workspace_id = ${workspace} and product_id = p.id)`
}

function imagesIn(
  workspace: Workspace,
  links: Rows = linksIn('product_images', workspace),
  media?: Rows,
): Images {
  return written(sql`(select ${jsonArrayText(mediaJson, sql`i.position`)}
    from ${links} i, ${mediaWithKey(media)}
    where media.workspace_id = ${workspace} and media.id = i.media_id)`)
}

function coverIn(workspace: Workspace): Images {
  return written(sql`coalesce((select concat('[', ${mediaJson}, ']')
    from ${tableOf('product_images')} i, ${mediaWithKey()}
    where i.workspace_id = ${workspace} and i.product_id = p.id
      and media.workspace_id = ${workspace} and media.id = i.media_id
    order by i.position limit 1), '[]')`)
}

function tagsIn(workspace: Workspace, links: Rows = linksIn('product_tags', workspace)): Tags {
  return written(sql`(select ${jsonArrayText(jsonText(tagFields), sql`l.position`)}
    from ${links} l join ${tableOf('tags')} t on t.workspace_id = ${workspace} and t.id = l.tag_id)`)
}

/** The row `p` as a Product, with the JSON of its images and tags; `fields` can ask for each of them. */
const productFields = (images: Images, tags: Tags) =>
  ({
    id: plain(own('id')),
    name: own('name'),
    brand: own('brand'),
    slug: plain(own('slug')),
    description: own('description'),
    information: own('information'),
    images,
    tags,
    sales: written(own('sales')),
    sku: own('sku'),
    barcode: own('barcode'),
    stock: written(own('stock')),
    status: plain(own('status')),
    createdAt: isoTime(own('created_at')),
    updatedAt: isoTime(own('updated_at')),
  }) satisfies ReadFields<Product> satisfies ReadFields<Schemas['ProductPart']> satisfies Record<
    ProductField,
    unknown
  >

/** The row `p` as a Product. */
export function productJson(workspace: Workspace): RawBuilder<Product> {
  return jsonText<Product>(productFields(imagesIn(workspace), tagsIn(workspace)))
}

/**
 * The row `p` as a Product whose links are written by the same statement, which cannot see them yet: its
 * images are rows of `media` as the statement will leave them.
 */
export function newProductJson(
  workspace: Workspace,
  { media, imageIds, tagIds }: Record<'media' | 'imageIds' | 'tagIds', RawBuilder<unknown>>,
): RawBuilder<Product> {
  const links = (ids: RawBuilder<unknown>, column: string) =>
    sql`(select * from unnest(${ids}) with ordinality as link (${sql.ref(column)}, position))`
  const images = imagesIn(workspace, links(imageIds, 'media_id'), media)
  return jsonText<Product>(productFields(images, tagsIn(workspace, links(tagIds, 'tag_id'))))
}

/**
 * The start of a text, for lists of summaries. A clipped text ends in a mark, by which a write that sends
 * it back is recognised.
 */
export function clipped(text: RawBuilder<string>): RawBuilder<string> {
  return sql`case when length(${text}) > 200
    then left(${text}, 200) || '… [' || to_char(length(${text}), 'FM999,999') || ' characters]'
    else ${text} end`
}

/** The fields of a product that come from other tables, as JSON. */
type ProductLinks = Pick<Product, 'images' | 'tags'>

/** In a summary, the first image stands for all. */
const linkedIn = (view: 'full' | 'summary', workspace: Workspace): ReadFields<ProductLinks> => ({
  images: view === 'full' ? imagesIn(workspace) : coverIn(workspace),
  tags: tagsIn(workspace),
})

/** The row `p` of a list, which `rowFor` selects. */
const listed = productFields(written(sql.ref('p.images')), written(sql.ref('p.tags')))

const clippedTexts = {
  description: clipped(own('description')),
  information: clipped(own('information')),
}

/** The row `p` of a list as JSON; a summary clips its long texts. */
const listedJson = {
  full: jsonText<Product>(listed),
  summary: jsonText<Product>({ ...listed, ...clippedTexts }),
}

/** A generous allowance for the short fields of a product, whose texts are no longer than this. */
const shortFields = 600
const lengths: Record<string, { maxLength?: number; maxItems?: number; maximum?: number }> =
  limits.ProductCreate
const isLong = (field: string, type: string) =>
  type === 'json' || (lengths[field]?.maxLength ?? 0) > shortFields

const stored: Record<string, RawBuilder<unknown>> = storedProduct.readFrom('p')
/** What each field of a listed product adds to its weight beyond the short ones. */
const fieldBytes: Record<string, RawBuilder<number>> = {
  ...Object.fromEntries(
    Object.entries(storedProduct.fieldTypes)
      .filter(([field, type]) => isLong(field, type))
      .map(([field]) => [field, sql`coalesce(octet_length(${stored[field]}::text), 0)`]),
  ),
  images: builtBytes('p.images'),
  tags: builtBytes('p.tags'),
} satisfies Record<keyof ProductLinks, unknown>

/** The weight of a listed product that has these fields and the short ones. */
function bytesOf(has: (field: string) => boolean): RawBuilder<number> {
  const long = Object.entries(fieldBytes).filter(([field]) => has(field))
  return sql`${sql.join([sql.lit(shortFields), ...long.map(([, bytes]) => bytes)], sql` + `)}`
}

const listedBytes = {
  full: bytesOf(() => true),
  summary: bytesOf((field) => !(field in clippedTexts)),
}
const linkedBytes = bytesOf((field) => field === 'images' || field === 'tags')

interface ListedRows {
  /** Where the rows come from, with products as `p`. */
  from: RawBuilder<unknown>
  /** The order, by columns of the products and those beside them. */
  order: RawBuilder<unknown>
  beside?: RawBuilder<unknown>
}

/** Selects products as the rows of a list. */
export function weighedProducts(
  view: 'full' | 'summary',
  workspace: Workspace,
  { from, order, beside }: ListedRows,
): RawBuilder<WeighedRows> {
  return weighedRows({
    from: sql`select ${rowFor('p', listed, linkedIn(view, workspace))}
      ${beside ? sql`, ${beside}` : sql``} from ${from}`,
    alias: 'p',
    order,
    weight: listedBytes[view],
    row: listedJson[view],
  })
}

/** Selects products as the rows of a list, with these fields and the id alone. */
export function weighedParts(
  fields: readonly ProductField[],
  workspace: Workspace,
  { from, order, beside }: Required<ListedRows>,
): RawBuilder<WeighedRows> {
  const asked = <Value>(all: Partial<Record<ProductField, Value>>): Record<string, Value> =>
    Object.fromEntries(
      Object.entries(all).filter(
        ([name]) => name === 'id' || fields.includes(name as ProductField),
      ),
    )
  const parts = asked<RawBuilder<unknown>>(listed)
  const linked = asked<RawBuilder<unknown>>(linkedIn('full', workspace))
  return weighedRows({
    from: sql`select ${rowFor('p', parts, linked)}, ${beside} from ${from}`,
    alias: 'p',
    order,
    weight: bytesOf((field) => fields.includes(field as ProductField)),
    row: jsonText(parts),
  })
}

/** The row `p` as a product of a collection, with the JSON of its images and tags. */
function collectionProductFields(images: Images, tags: Tags): ReadFields<CollectionProduct> {
  return {
    id: plain(own('id')),
    name: own('name'),
    brand: own('brand'),
    slug: plain(own('slug')),
    sku: own('sku'),
    stock: written(own('stock')),
    status: plain(own('status')),
    images,
    tags,
    createdAt: isoTime(own('created_at')),
    updatedAt: isoTime(own('updated_at')),
  }
}

/** The row `p` as a product of a collection. */
export function collectionProductJson(workspace: Workspace): RawBuilder<CollectionProduct> {
  return jsonText(collectionProductFields(imagesIn(workspace), tagsIn(workspace)))
}

/** The row `p` of a list of a collection's products, which `rowFor` selects. */
const listedInCollection = collectionProductFields(listed.images, listed.tags)
const listedInCollectionJson = jsonText(listedInCollection)

/** Selects products of a collection as the rows of a list. */
export function weighedCollectionProducts(
  view: 'full' | 'summary',
  workspace: Workspace,
  { from, order, beside }: Required<ListedRows>,
): RawBuilder<WeighedRows> {
  return weighedRows({
    from: sql`select ${rowFor('p', listedInCollection, linkedIn(view, workspace))}, ${beside}
      from ${from}`,
    alias: 'p',
    order,
    weight: linkedBytes,
    row: listedInCollectionJson,
  })
}
