import { createHash } from 'node:crypto'
import { ApiError } from '../../../core/errors.ts'
import { parsedUrl } from '../../../core/urls.ts'
import type { FileSource } from '../../../db/schema/change_sets.ts'
import { limits } from '../../../generated/limits.ts'
import type { AccountCaller } from '../../../operation.ts'
import { listFetched, saveFetched } from '../../../queries/change_sets/named.ts'
import { listCells } from '../../../queries/change_sets/uploads.ts'
import { insertMedia } from '../../../queries/media/media.ts'
import { importAndRefer } from '../../media/media_import.ts'
import type { Storing } from '../../media/media.ts'
import type { Reason } from '../../../texts/refusals.ts'
import { listIn } from './cells.ts'

/** What fetches pictures: a call, or what goes on after it. */
export type Fetching = Storing & Pick<AccountCaller, 'accountId' | 'download' | 'clock'>

const mostImages = limits.ProductCreate.imageIds.maxItems
/** Pictures that are fetched at once. */
const atOnce = 4

export const hashOf = (url: string) => createHash('sha256').update(url).digest()

export const isUrl = (named: string) => /^https?:\/\//i.test(named)

/** Cells that are looked at before a file counts as one with many pictures. */
const mostCells = 4_000
const cellsAtOnce = 20

/** The URLs that an upload names as pictures, each once, or the first of more than so many. */
export async function urlsIn(
  db: Fetching['db'],
  workspaceId: string,
  { uploadId, columns, format }: Pick<FileSource, 'uploadId' | 'columns' | 'format'>,
  most: number,
): Promise<{ urls: string[]; isMore: boolean }> {
  const column = columns.findIndex(({ field }) => field === 'images')
  const found = new Set<string>()
  if (column < 0) return { urls: [], isMore: false }
  const key = { workspaceId, id: uploadId }
  let after = -1
  for (let looked = 0; looked < mostCells; looked += cellsAtOnce) {
    const cells = await listCells(db, key, { column, after, count: cellsAtOnce })
    if (cells.length === 0) return { urls: [...found], isMore: false }
    for (const url of urlsOf(
      cells.map(({ cell }) => cell),
      format,
    ))
      found.add(url)
    if (found.size > most) break
    after = cells.at(-1)!.number
  }
  return { urls: [...found].slice(0, most), isMore: true }
}

/** The URLs in cells of pictures. */
export function urlsOf(cells: readonly unknown[], format: FileSource['format']): string[] {
  return [
    ...new Set(cells.flatMap((cell) => listIn(cell, format).slice(0, mostImages)).filter(isUrl)),
  ]
}

/** Times that a host cannot be reached after which it is not asked again in the same go. */
const mostUnreached = 3
const unreached: readonly Reason[] = ['hostUnreachable', 'hostUnresolved']

/**
 * Fetches pictures into the media of a workspace, each once for an upload. What cannot be had is noted,
 * and the rows that name it say so. While hosts are asked, no connection of the database waits.
 */
export async function fetchPictures(
  fetching: Fetching,
  source: { workspaceId: string; uploadId: string },
  urls: readonly string[],
  goesOn: () => boolean | Promise<boolean> = () => true,
): Promise<boolean> {
  if (urls.length === 0) return true
  const known = await listFetched(fetching.db, source, urls.map(hashOf))
  const missing = urls.filter((url) => !known.has(hashOf(url).toString('hex')))
  const timesUnreached = new Map<string, number>()
  const lane = async () => {
    while (missing.length > 0) {
      if (!(await goesOn())) return
      const url = missing.pop()
      if (url === undefined) return
      const host = parsedUrl(url)?.host ?? ''
      const times = timesUnreached.get(host) ?? 0
      const refusal =
        times < mostUnreached ? await fetchPicture(fetching, source, url) : 'hostUnreachable'
      if (refusal === null) continue
      if (unreached.includes(refusal)) timesUnreached.set(host, times + 1)
      await saveFetched(
        fetching.db,
        source,
        { hash: hashOf(url), mediaId: null, refusal },
        fetching.clock(),
      )
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, missing.length) }, lane))
  return missing.length === 0
}

/** Null if the picture was had, else why it cannot be. */
async function fetchPicture(
  fetching: Fetching,
  source: { workspaceId: string; uploadId: string },
  url: string,
): Promise<Reason | null> {
  const { workspaceId } = source
  const hash = hashOf(url)
  try {
    await importAndRefer(fetching, workspaceId, { sourceUrl: url }, async (trx, media) => {
      const now = fetching.clock()
      const mediaId = await insertMedia(trx, workspaceId, media, now)
      await saveFetched(trx, source, { hash, mediaId, refusal: null }, now)
    })
    return null
  } catch (error) {
    const isOfPicture = error instanceof ApiError && error.status < 500 && !isOfCaller(error)
    if (!isOfPicture || fetching.signal.aborted) throw error
    return Object.values(error.fieldErrors ?? {})[0] ?? error.reason
  }
}

/** An account that has lost its access gets none of the pictures. */
const isOfCaller = ({ status }: ApiError) => status === 401 || status === 403
