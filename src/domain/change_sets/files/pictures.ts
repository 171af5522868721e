import { createHash } from 'node:crypto'
import { ApiError } from '../../../core/errors.ts'
import type { FileSource } from '../../../db/schema/change_sets.ts'
import type { AccountCaller } from '../../../operation.ts'
import { listFetched, saveFetched } from '../../../queries/change_sets/named.ts'
import { listCells } from '../../../queries/change_sets/uploads.ts'
import { insertMedia } from '../../../queries/media/media.ts'
import { importAndRefer } from '../../media/media_import.ts'
import type { Storing } from '../../media/media.ts'
import { listIn } from './cells.ts'

/** What fetches pictures: a call, or what goes on after it. */
export type Fetching = Storing & Pick<AccountCaller, 'accountId' | 'download' | 'clock'>

/** Pictures that are fetched at once. */
const atOnce = 4

export const hashOf = (url: string) => createHash('sha256').update(url).digest()

export const isUrl = (named: string) => /^https?:\/\//i.test(named)

/** The URLs that an upload names as pictures, each once. */
export async function urlsIn(
  db: Fetching['db'],
  workspaceId: string,
  { uploadId, columns, format }: Pick<FileSource, 'uploadId' | 'columns' | 'format'>,
): Promise<string[]> {
  const column = columns.findIndex(({ field }) => field === 'images')
  if (column < 0) return []
  const key = { workspaceId, id: uploadId }
  const cells = await listCells(db, key, { column, mention: '://' })
  return urlsOf(cells, format)
}

/** The URLs in cells of pictures. */
export function urlsOf(cells: readonly unknown[], format: FileSource['format']): string[] {
  return [...new Set(cells.flatMap((cell) => listIn(cell, format)).filter(isUrl))]
}

/**
 * Fetches pictures into the media of a workspace, each once for an upload. What cannot be had is noted,
 * and the rows that name it say so. While hosts are asked, no connection of the database waits.
 */
export async function fetchPictures(
  fetching: Fetching,
  source: { workspaceId: string; uploadId: string },
  urls: readonly string[],
): Promise<void> {
  if (urls.length === 0) return
  const known = await listFetched(fetching.db, source, urls.map(hashOf))
  const missing = urls.filter((url) => !known.has(hashOf(url).toString('hex')))
  const lane = async () => {
    for (let url = missing.pop(); url !== undefined; url = missing.pop())
      await fetchPicture(fetching, source, url)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, missing.length) }, lane))
}

async function fetchPicture(
  fetching: Fetching,
  source: { workspaceId: string; uploadId: string },
  url: string,
): Promise<void> {
  const { workspaceId } = source
  const hash = hashOf(url)
  try {
    await importAndRefer(fetching, workspaceId, { sourceUrl: url }, async (trx, media) => {
      const now = fetching.clock()
      const mediaId = await insertMedia(trx, workspaceId, media, now)
      await saveFetched(trx, source, { hash, mediaId, refusal: null }, now)
    })
  } catch (error) {
    const isRefused = error instanceof ApiError && error.status < 500
    if (!isRefused || fetching.signal.aborted) throw error
    const refusal = Object.values(error.fieldErrors ?? {})[0] ?? error.reason
    await saveFetched(fetching.db, source, { hash, mediaId: null, refusal }, fetching.clock())
  }
}
