import type { Kysely, Transaction } from 'kysely'
import { notFound } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { searchTextOf } from '../../core/text.ts'
import { prepared } from '../../db/prepared.ts'
import { storedFields } from '../../db/stored_fields.ts'
import type { Database } from '../../db/schema.ts'
import type { PictureState } from '../../db/schema/media.ts'
import type { components } from '../../generated/types.ts'
import { recordChange } from '../catalogue/counters.ts'
import { type FeedEntry, recordChanges, upserts } from '../catalogue/feed.ts'
import { lockWebsite } from '../catalogue/references.ts'
import { selectMedia, storedMediaKey } from './media_fields.ts'
import { queuePicture } from './picture_queue.ts'

type Media = components['schemas']['Media']

/** The row of a media item; content hash and extension make the key of its file in the store. */
export interface StoredMedia {
  fileName: string
  mimeType: Media['mimeType']
  sizeBytes: number
  contentHash: string
  extension: string
  width: number
  height: number
  variants: PictureState
  /** Its content, if no files are to be made of it. */
  readyHash: string | null
}

const stored = storedFields<StoredMedia>({
  fileName: 'text',
  mimeType: 'text',
  sizeBytes: 'integer',
  contentHash: 'text',
  extension: 'text',
  width: 'integer',
  height: 'integer',
  variants: 'integer',
  readyHash: 'text',
})

const findOne = prepared<{ workspaceId: string; id: string }>()('find_media', (db, parameter) =>
  selectMedia(db)
    .where('workspace_id', '=', parameter('workspaceId'))
    .where('id', '=', parameter('id')),
)

export async function getMedia(
  db: Kysely<Database>,
  workspaceId: string,
  id: string,
): Promise<Media> {
  const [media] = await findOne(db, { workspaceId, id })
  if (!media) throw notFound('media')
  return media
}

/**
 * Locks the item against replacement and deletion until the transaction ends; returns the key of its file,
 * and the state of its smaller files.
 */
export async function lockMedia(
  trx: Transaction<Database>,
  workspaceId: string,
  id: string,
): Promise<{ key: string; variants: PictureState }> {
  const media = await trx
    .selectFrom('media')
    .select(['variants', storedMediaKey.as('key')])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!media) throw notFound('media')
  return media
}

/**
 * Locks the collections that show an item, and the website, before the item itself: their writers lock in
 * this order, so a deletion in the opposite order could deadlock. The website is locked even if its logo is
 * another item: a concurrent change may have read this item as its logo.
 */
export async function lockUsersOf(
  trx: Transaction<Database>,
  workspaceId: string,
  id: string,
): Promise<void> {
  await lockWebsite(trx, workspaceId)
  await trx
    .selectFrom('collections')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('image_id', '=', id)
    .orderBy('id')
    .forUpdate()
    .execute()
}

export async function insertMedia(
  trx: Transaction<Database>,
  workspaceId: string,
  media: StoredMedia,
  now: Date,
): Promise<string> {
  const id = newId('med')
  await trx
    .insertInto('media')
    .values({ id, workspace_id: workspaceId, ...columnsOf(media), created_at: now })
    .execute()
  if (media.readyHash === null) await queuePicture(trx, { workspaceId, ...media }, now)
  const entries = upserts('MEDIA', [id])
  await recordChange(trx, workspaceId, { counters: { media_total: 1 }, entries }, now)
  return id
}

/** Replaces an item's content; its id, creation time and references stay. */
export async function replaceMedia(
  trx: Transaction<Database>,
  workspaceId: string,
  id: string,
  media: StoredMedia,
  now: Date,
): Promise<void> {
  await trx
    .updateTable('media')
    .set(columnsOf(media))
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
  if (media.readyHash === null) await queuePicture(trx, { workspaceId, ...media }, now)
  await recordChanges(trx, workspaceId, upserts('MEDIA', [id]), now)
}

function columnsOf(media: StoredMedia) {
  return { ...stored.columnsOf(media), search: searchTextOf(media.fileName) }
}

/** Deletes a locked item; foreign keys remove it from products. */
export async function deleteMedia(
  trx: Transaction<Database>,
  workspaceId: string,
  id: string,
  now: Date,
): Promise<void> {
  const products = await trx
    .selectFrom('product_images')
    .select('product_id as id')
    .where('workspace_id', '=', workspaceId)
    .where('media_id', '=', id)
    .execute()
  const collections = await trx
    .updateTable('collections')
    .set({ image_id: null })
    .where('workspace_id', '=', workspaceId)
    .where('image_id', '=', id)
    .returning('id')
    .execute()
  const websites = await trx
    .updateTable('websites')
    .set({ logo_image_id: null })
    .where('workspace_id', '=', workspaceId)
    .where('logo_image_id', '=', id)
    .returning('workspace_id as id')
    .execute()
  const { uses } = await trx
    .deleteFrom('media')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returning('usage_count as uses')
    .executeTakeFirstOrThrow()
  const linked = { media_linked: uses >= 1 ? -1 : 0, media_multi_linked: uses >= 2 ? -1 : 0 }
  const idsOf = (users: { id: string }[]) => users.map((user) => user.id)
  const entries: FeedEntry[] = [
    { kind: 'MEDIA', id, action: 'DELETE' },
    ...upserts('PRODUCT', idsOf(products)),
    ...upserts('COLLECTION', idsOf(collections)),
    ...upserts('WEBSITE', idsOf(websites)),
  ]
  await recordChange(trx, workspaceId, { counters: { media_total: -1, ...linked }, entries }, now)
}

/** The most uses to list of each kind; readers would not look at more. */
const maxUses = 100

/** The names of everything that shows the picture. */
export async function getMediaUses(
  db: Kysely<Database>,
  workspaceId: string,
  id: string,
): Promise<components['schemas']['MediaUses']> {
  const products = await db
    .selectFrom('product_images as l')
    .innerJoin('products as p', (join) =>
      join.on('p.workspace_id', '=', workspaceId).onRef('p.id', '=', 'l.product_id'),
    )
    .select(['p.id', 'p.name'])
    .where('l.workspace_id', '=', workspaceId)
    .where('l.media_id', '=', id)
    .orderBy('p.id')
    .limit(maxUses)
    .execute()
  const collections = await db
    .selectFrom('collections')
    .select(['id', 'name'])
    .where('workspace_id', '=', workspaceId)
    .where('image_id', '=', id)
    .orderBy('id')
    .limit(maxUses)
    .execute()
  const website = await db
    .selectFrom('websites')
    .select('logo_image_id as logo')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  return { products, collections, isLogo: website?.logo === id }
}
