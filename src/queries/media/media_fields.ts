import { type Kysely, type RawBuilder, sql } from 'kysely'
import { baseUrl } from '../../db/base_url.ts'
import { tableOf } from '../../db/prepared.ts'
import {
  columnsIn,
  isoTime,
  jsonText,
  plain,
  type ReadFields,
  selectList,
  written,
} from '../../db/read_fields.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'

type Media = components['schemas']['Media']

const own = columnsIn('media', 'media')

/** The store's key of the row `media`. */
export const storedMediaKey: RawBuilder<string> = sql`${own('workspace_id')} || '/' ||
  ${own('content_hash')} || '.' || ${own('extension')}`

/** The shown form of the key: half of the hash in 22 characters, which cost a model few tokens. */
const mediaKey: RawBuilder<string> = sql`${own('workspace_id')} || '/' ||
  translate(encode(decode(left(${own('content_hash')}, 32), 'hex'), 'base64'), '+/=', '-_') ||
  '.' || ${own('extension')}`

const fieldsWith = (key: RawBuilder<string>): ReadFields<Media> => ({
  id: plain(own('id')),
  fileName: own('file_name'),
  mimeType: plain(own('mime_type')),
  size: written(own('size_bytes')),
  kind: plain(sql`'IMAGE'`),
  key: plain(key),
  createdAt: isoTime(own('created_at')),
  usageCount: written(own('usage_count')),
  url: plain(sql`${baseUrl} || '/media/' || ${key}`),
})

/** The row `media` as a Media. */
export const mediaFields = fieldsWith(mediaKey)

const list = selectList(mediaFields)

export function selectMedia(db: Kysely<Database>) {
  return db.selectFrom('media').select(list)
}

/** The row `media` together with its key, computed once for both fields because lists read many. */
export const mediaWithKey = (media: RawBuilder<unknown> = tableOf('media')) => sql`${media} media
  cross join lateral (select ${mediaKey} as key offset 0) named`

/** A row of `mediaWithKey` as JSON. */
export const mediaJson = jsonText(fieldsWith(sql.ref('named.key')))
