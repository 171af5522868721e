import { join } from 'node:path'
import type { Config } from '../settings/config.ts'
import { diskMediaStore, type MediaStore } from './media_store.ts'
import { s3MediaStore } from './s3_store.ts'

/** The store of the settings. */
export function openMediaStore({ s3, dataDir }: Pick<Config, 's3' | 'dataDir'>): MediaStore {
  return s3 ? s3MediaStore(s3) : diskMediaStore(join(dataDir, 'media'))
}
