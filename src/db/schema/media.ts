import type { ColumnType, Generated, RawBuilder } from 'kysely'
import type { components } from '../../generated/types.ts'
import type { DatabaseTime, NullableTimestamp } from './columns.ts'

type Schemas = components['schemas']

/** The smaller files of a picture: not made yet (0), made (1), or none to be made (2). */
export type PictureState = 0 | 1 | 2

export interface MediaTables {
  media: {
    id: string
    workspace_id: string
    file_name: string
    mime_type: string
    size_bytes: number
    content_hash: string
    extension: string
    /** Maintained by the writes of products, collections and websites. */
    usage_count: Generated<number>
    search: string
    /** As it is shown; null until it is measured, 0 if it cannot be. */
    width: number | null
    height: number | null
    variants: Generated<PictureState>
    /** The content whose files are all made that will be: this one, or one that it has replaced. */
    ready_hash: string | null
    created_at: ColumnType<string, Date, never>
  }
  /** Contents whose smaller files are being made, or will be. */
  picture_queue: {
    workspace_id: string
    content_hash: string
    leased_until: ColumnType<string, Date, Date>
    attempts: Generated<number>
    /** Whether a sweep has put it here, and not an upload, which comes first. */
    is_forgotten: Generated<boolean>
  }
  /** An upload URL for one image: its creator, its workspace and the image's properties. */
  media_uploads: {
    token_hash: Buffer
    workspace_id: string
    account_id: string
    connection_id: string
    file_name: string
    mime_type: Schemas['MimeType']
    size_bytes: number
    expires_at: ColumnType<string, Date, never>
    used_at: NullableTimestamp
  }
  /** Files of replaced content, whose address still answers for a time. */
  kept_media_files: {
    workspace_id: string
    media_id: string
    content_hash: string
    extension: string
    kept_until: ColumnType<string, Date, Date>
  }
  /** Files that are being removed from the store, or have just been. */
  media_removals: {
    workspace_id: string
    file_key: string
    marked_at: DatabaseTime
    finished_at: ColumnType<string | null, null | undefined, RawBuilder<string> | null>
  }
  /** Backups that need files of the store. */
  backups: {
    id: string
    begun_at: DatabaseTime
    needed_until: DatabaseTime
  }
  /** Files that nothing but a backup refers to, and since when. */
  held_files: {
    workspace_id: string
    file_key: string
    removed_at: DatabaseTime
  }
}
