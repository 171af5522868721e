import { type RawBuilder, sql } from 'kysely'
import { columnsIn, isoTime, jsonObject, type ReadFields } from '../../db/read_fields.ts'
import { storedFields } from '../../db/stored_fields.ts'
import type { components } from '../../generated/types.ts'
import { mediaFields } from '../media_fields.ts'
import { tagFields } from './tag_fields.ts'

type Schemas = components['schemas']
type Product = Schemas['Product']
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

const own = columnsIn('products', 'p')

/** The workspace of a statement, as it stands in each of its tables: they lie in one place. */
type Workspace = RawBuilder<string>

function imagesIn(workspace: Workspace): RawBuilder<Product['images']> {
  return sql`coalesce((select json_agg(${jsonObject(mediaFields)} order by i.position)
    from product_images i
    join media on media.workspace_id = ${workspace} and media.id = i.media_id
    where i.workspace_id = ${workspace} and i.product_id = p.id), '[]')`
}

function coverIn(workspace: Workspace): RawBuilder<Product['images']> {
  return sql`coalesce((select json_build_array(${jsonObject(mediaFields)})
    from product_images i
    join media on media.workspace_id = ${workspace} and media.id = i.media_id
    where i.workspace_id = ${workspace} and i.product_id = p.id
    order by i.position limit 1), '[]')`
}

function tagsIn(workspace: Workspace): RawBuilder<Product['tags']> {
  return sql`coalesce((select json_agg(${jsonObject(tagFields)} order by l.position)
    from product_tags l join tags t on t.workspace_id = ${workspace} and t.id = l.tag_id
    where l.workspace_id = ${workspace} and l.product_id = p.id), '[]')`
}

/** The row `p` as a Product. */
const productFields = (workspace: Workspace): ReadFields<Product> => ({
  id: own('id'),
  name: own('name'),
  brand: own('brand'),
  slug: own('slug'),
  description: own('description'),
  information: own('information'),
  images: imagesIn(workspace),
  tags: tagsIn(workspace),
  sales: own('sales'),
  sku: own('sku'),
  barcode: own('barcode'),
  stock: own('stock'),
  status: own('status'),
  createdAt: isoTime(own('created_at')),
  updatedAt: isoTime(own('updated_at')),
})

/**
 * The start of a text, for lists of summaries. What was clipped ends in a mark, by which a write
 * that sends it back is recognised.
 */
export function clipped(text: RawBuilder<string>): RawBuilder<string> {
  return sql`case when length(${text}) > 200
    then left(${text}, 200) || '… [' || to_char(length(${text}), 'FM999,999') || ' characters]'
    else ${text} end`
}

/** The row `p` as a Product; a summary clips its long texts and has its first image alone. */
export const productJson = {
  full: (workspace: Workspace) => jsonObject(productFields(workspace)),
  summary: (workspace: Workspace) =>
    jsonObject<Product>({
      ...productFields(workspace),
      description: clipped(own('description')),
      information: clipped(own('information')),
      images: coverIn(workspace),
    }),
}

/** The row `p` as a product of a collection. */
export function collectionProductJson(
  workspace: Workspace,
): RawBuilder<Schemas['CollectionProduct']> {
  return jsonObject<Schemas['CollectionProduct']>({
    id: own('id'),
    name: own('name'),
    brand: own('brand'),
    slug: own('slug'),
    sku: own('sku'),
    stock: own('stock'),
    status: own('status'),
    images: imagesIn(workspace),
    tags: tagsIn(workspace),
    createdAt: isoTime(own('created_at')),
    updatedAt: isoTime(own('updated_at')),
  })
}
