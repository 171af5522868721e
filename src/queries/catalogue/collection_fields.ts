import { type RawBuilder, sql } from 'kysely'
import { columnsIn, isoTime, jsonObject } from '../../db/read_fields.ts'
import { storedFields } from '../../db/stored_fields.ts'
import type { components } from '../../generated/types.ts'
import { mediaFields } from '../media_fields.ts'
import { clipped, collectionProductJson } from './product_fields.ts'
import { tagFields } from './tag_fields.ts'

type Schemas = components['schemas']
type CollectionWrite = Schemas['CollectionCreate'] & Schemas['CollectionUpdate']

/** The fields stored in a collection's row; tags and products are separate rows. */
export const storedCollection = storedFields<Omit<CollectionWrite, 'tagIds'>>({
  name: 'text',
  description: 'text',
  imageId: 'text',
})

interface CollectionShape {
  /** The workspace, as it stands in each table of the statement. */
  workspace: RawBuilder<string>
  view: 'full' | 'summary'
  /** Maximum number of products included in full, besides their ids. */
  products: number
  /** Whether to include only published products. */
  publishedOnly?: boolean
}

const own = columnsIn('collections', 'c')

/** The row `c` as a Collection; a summary clips its description. */
export function collectionJson({
  workspace,
  view,
  products,
  publishedOnly = false,
}: CollectionShape): RawBuilder<Schemas['Collection']> {
  const members = publishedOnly
    ? sql`collection_products l
        join products m on m.workspace_id = ${workspace} and m.id = l.product_id
          and m.status = 'ACTIVE'`
    : sql`collection_products l`
  const ownMembers = sql`${members} where l.workspace_id = ${workspace} and l.collection_id = c.id`
  return jsonObject<Schemas['Collection']>({
    id: own('id'),
    name: own('name'),
    slug: own('slug'),
    description: view === 'full' ? own('description') : clipped(own('description')),
    imageId: own('image_id'),
    image: sql`(select ${jsonObject(mediaFields)} from media
      where media.workspace_id = ${workspace} and media.id = c.image_id)`,
    workspaceId: own('workspace_id'),
    productIds: sql`coalesce((select json_agg(l.product_id order by l.position, l.product_id)
      from ${ownMembers}), '[]')`,
    tags: sql`coalesce((select json_agg(${jsonObject(tagFields)} order by l.position)
      from collection_tags l join tags t on t.workspace_id = ${workspace} and t.id = l.tag_id
      where l.workspace_id = ${workspace} and l.collection_id = c.id), '[]')`,
    products: sql`coalesce((
      select json_agg(${collectionProductJson(workspace)} order by first.position, p.id)
      from (select l.product_id, l.position from ${ownMembers}
        order by l.position, l.product_id limit ${sql.lit(products)}) first
      join products p on p.workspace_id = ${workspace} and p.id = first.product_id), '[]')`,
    createdAt: isoTime(own('created_at')),
    updatedAt: isoTime(own('updated_at')),
  })
}
