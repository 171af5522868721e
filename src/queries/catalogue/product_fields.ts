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

const images: RawBuilder<Product['images']> = sql`coalesce((
  select json_agg(${jsonObject(mediaFields)} order by i.position)
  from product_images i join media on media.id = i.media_id where i.product_id = p.id), '[]')`

const tags: RawBuilder<Product['tags']> = sql`coalesce((
  select json_agg(${jsonObject(tagFields)} order by l.position)
  from product_tags l join tags t on t.id = l.tag_id where l.product_id = p.id), '[]')`

/** The row `p` as a Product. */
const productFields: ReadFields<Product> = {
  id: own('id'),
  name: own('name'),
  brand: own('brand'),
  slug: own('slug'),
  description: own('description'),
  information: own('information'),
  images,
  tags,
  sales: own('sales'),
  sku: own('sku'),
  barcode: own('barcode'),
  stock: own('stock'),
  status: own('status'),
  createdAt: isoTime(own('created_at')),
  updatedAt: isoTime(own('updated_at')),
}

/** The start of a text, for lists of summaries. */
export function clipped(text: RawBuilder<string>): RawBuilder<string> {
  return sql`left(${text}, 200)`
}

/** The row `p` as a Product; a summary truncates its long texts. */
export const productJson = {
  full: jsonObject(productFields),
  summary: jsonObject<Product>({
    ...productFields,
    description: clipped(own('description')),
    information: clipped(own('information')),
  }),
}

/** The row `p` as a product of a collection. */
export const collectionProductJson = jsonObject<Schemas['CollectionProduct']>({
  id: own('id'),
  name: own('name'),
  brand: own('brand'),
  slug: own('slug'),
  sku: own('sku'),
  stock: own('stock'),
  status: own('status'),
  images,
  tags,
  createdAt: isoTime(own('created_at')),
  updatedAt: isoTime(own('updated_at')),
})
