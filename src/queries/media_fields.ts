import { type RawBuilder, sql } from 'kysely'
import { baseUrl } from '../db/base_url.ts'
import { columnsIn, isoTime, type ReadFields } from '../db/read_fields.ts'
import type { components } from '../generated/types.ts'

type Media = components['schemas']['Media']

const own = columnsIn('media', 'media')

/** The store's key of the row `media`. */
export const storedMediaKey: RawBuilder<string> = sql`${own('workspace_id')} || '/' ||
  ${own('content_hash')} || '.' || ${own('extension')}`

/** What is shown instead: half of the hash, in 22 characters that cost a model few tokens. */
const mediaKey: RawBuilder<string> = sql`${own('workspace_id')} || '/' ||
  translate(encode(decode(left(${own('content_hash')}, 32), 'hex'), 'base64'), '+/=', '-_') ||
  '.' || ${own('extension')}`

/** The row `media` as a Media. */
export const mediaFields: ReadFields<Media> = {
  id: own('id'),
  fileName: own('file_name'),
  mimeType: own('mime_type'),
  size: own('size_bytes'),
  kind: sql`'IMAGE'`,
  key: mediaKey,
  createdAt: isoTime(own('created_at')),
  usageCount: own('usage_count'),
  url: sql`${baseUrl} || '/media/' || ${mediaKey}`,
}
