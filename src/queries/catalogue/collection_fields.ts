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
import type { components } from '../../generated/types.ts'
import { mediaFields } from '../media/media_fields.ts'
import { clipped, collectionProductJson } from './product_fields.ts'
import { tagFields } from './tag_fields.ts'
import { builtBytes, weighedRows, type WeighedRows } from './weighed_rows.ts'

/* Raw SQL: PostgreSQL writes the JSON of the answer, so no row becomes an object on the way. */

type Schemas = components['schemas']
type CollectionWrite = Schemas['CollectionCreate'] & Schemas['CollectionUpdate']

/** The fields stored in a collection's row; tags and products are separate rows. */
export const storedCollection = storedFields<Omit<CollectionWrite, 'tagIds' | 'productIds'>>({
  name: 'text',
  description: 'text',
  imageId: 'text',
})

export interface CollectionShape {
  /** The workspace id as an expression, used for each table of the statement. */
  workspace: RawBuilder<string>
  view: 'full' | 'summary'
  /** How many products are included in full; of the others only the ids. */
  products: number
  /** Whether to include only published products. */
  publishedOnly?: boolean
}

const own = columnsIn('collections', 'c')

/** The fields of a collection that come from other tables, as JSON. */
type CollectionLinks = Pick<Schemas['Collection'], 'image' | 'productIds' | 'tags' | 'products'>

function linkedOf(shape: CollectionShape): ReadFields<CollectionLinks> {
  const { workspace, products, publishedOnly = false } = shape
  const members = publishedOnly
    ? sql`${tableOf('collection_products')} l
        join ${tableOf('products')} m on m.workspace_id = ${workspace} and m.id = l.product_id
          and m.status = 'ACTIVE'`
    : sql`${tableOf('collection_products')} l`
  const ownMembers = sql`${members} where l.workspace_id = ${workspace} and l.collection_id = c.id`
  return {
    image: written(sql`coalesce((select ${jsonText(mediaFields)} from ${tableOf('media')} media
      where media.workspace_id = ${workspace} and media.id = c.image_id), 'null')`),
    productIds: written(
      sql`(select ${jsonArrayText(
        sql`concat('"', l.product_id, '"')`,
        sql`l.position, l.product_id`,
      )} from ${ownMembers})`,
    ),
    tags: written(sql`(select ${jsonArrayText(jsonText(tagFields), sql`l.position`)}
      from ${tableOf('collection_tags')} l join ${tableOf('tags')} t on t.workspace_id = ${workspace} and t.id = l.tag_id
      where l.workspace_id = ${workspace} and l.collection_id = c.id)`),
    products: written(sql`(
      select ${jsonArrayText(collectionProductJson(workspace), sql`first.position, p.id`)}
      from (select l.product_id, l.position from ${ownMembers}
        order by l.position, l.product_id limit ${sql.lit(products)}) first
      join ${tableOf('products')} p on p.workspace_id = ${workspace} and p.id = first.product_id)`),
  }
}

/** The fields of a Collection before its products. */
const fieldsBefore = (
  description: RawBuilder<string>,
  { image, productIds, tags }: Omit<ReadFields<CollectionLinks>, 'products'>,
) => ({
  id: plain(own('id')),
  name: own('name'),
  slug: plain(own('slug')),
  description,
  imageId: own('image_id'),
  image,
  workspaceId: plain(own('workspace_id')),
  productIds,
  tags,
})

const fieldsAfter = {
  createdAt: isoTime(own('created_at')),
  updatedAt: isoTime(own('updated_at')),
}

/**
 * The row `c` as the text of a Collection, in two parts: before its products, which may be too large for
 * one value, and after them.
 */
export function collectionAround(workspace: RawBuilder<string>): {
  before: RawBuilder<string>
  after: RawBuilder<string>
} {
  const linked = linkedOf({ workspace, products: 0, view: 'full' })
  return {
    before: sql`${jsonText(fieldsBefore(own('description'), linked))}`,
    after: sql`${jsonText(fieldsAfter)}`,
  }
}

/** In a list, the columns that hold what comes from other tables. */
const listedLinks: ReadFields<CollectionLinks> = {
  image: written(sql.ref('c.image')),
  productIds: written(sql.ref('c.productIds')),
  tags: written(sql.ref('c.tags')),
  products: written(sql.ref('c.products')),
}

const descriptions = { full: own('description'), summary: clipped(own('description')) }

/** The row `c` of a list, which `rowFor` selects; a summary clips its description. */
const listedIn = (view: 'full' | 'summary'): ReadFields<Schemas['Collection']> => ({
  ...fieldsBefore(descriptions[view], listedLinks),
  products: listedLinks.products,
  ...fieldsAfter,
})
const listed = { full: listedIn('full'), summary: listedIn('summary') }

/** A generous allowance for the short fields of a collection and its image. */
const shortFields = 1500

/** Selects collections, newest first, as the rows of a list; `from` has collections as `c`. */
export function weighedCollections(
  shape: CollectionShape,
  from: RawBuilder<unknown>,
): RawBuilder<WeighedRows> {
  return weighedRows({
    from: sql`select ${rowFor('c', listed[shape.view], linkedOf(shape))} from ${from}`,
    alias: 'c',
    order: sql`c.created_at desc, c.id desc`,
    weight: sql`octet_length(${descriptions[shape.view]}) + ${builtBytes('c.productIds')}
      + ${builtBytes('c.tags')} + ${builtBytes('c.products')} + ${sql.lit(shortFields)}`,
    row: jsonText(listed[shape.view]),
  })
}
