import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import type { SearchedWords } from '../catalogue/search/hits.ts'
import { listMedia } from './media_lists.ts'

/** Finds images by the words of their file names. */
export async function findMediaHits(
  db: Kysely<Database>,
  workspaceId: string,
  { search, limit }: SearchedWords,
): Promise<components['schemas']['CatalogueHit'][]> {
  const request = { search, usage: undefined, page: 1, pageSize: limit }
  const { media } = await listMedia(db, workspaceId, request)
  return media.map(({ id, fileName }) => ({ id, text: fileName }))
}
