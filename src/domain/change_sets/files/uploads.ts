import { createLane } from '../../../fairness/lane.ts'
import { newId } from '../../../core/ids.ts'
import { day } from '../../../core/time.ts'
import type { FileSource } from '../../../db/schema/change_sets.ts'
import type { components } from '../../../generated/types.ts'
import type { AccountCaller, ReceivedFile } from '../../../operation.ts'
import {
  beginUpload,
  completeUpload,
  deleteUpload,
  getUpload,
  insertUploadRows,
} from '../../../queries/change_sets/uploads.ts'
import { fieldsOf, mappedFields } from './columns.ts'
import { urlsIn } from './pictures.ts'
import { type Cells, type FileFormat, tableIn } from './records.ts'
import { refusedFile, textOf } from './text.ts'

type Schemas = components['schemas']

const mostRows = 100_000
/** How long an upload is kept. */
const uploadMilliseconds = day
/** Rows are written when they have come to so many characters. */
const writtenAtOnce = 500_000
const mostSamples = 3
const longestSample = 80

/** A file takes seconds of the processor: a process reads one at a time, and accounts take turns. */
const reading = createLane({ maxOfHolder: 4, maxWaiting: 64 })

/**
 * Reads an uploaded file, row by row, into the database: what is wrong with the file as a whole is refused
 * here, what is wrong with a row is a matter of the plan.
 */
export function storeUpload(
  caller: AccountCaller,
  workspaceId: string,
  file: ReceivedFile,
  format: FileFormat,
): Promise<Schemas['ChangeSetUpload']> {
  const { accountId, signal } = caller
  return reading.inTurn(accountId, () => readUpload(caller, workspaceId, file, format), { signal })
}

async function readUpload(
  caller: AccountCaller,
  workspaceId: string,
  { fileName, open }: ReceivedFile,
  format: FileFormat,
): Promise<Schemas['ChangeSetUpload']> {
  const key = { workspaceId, id: newId('csu') }
  const { columns, rows } = await tableIn(format, await textOf(open))
  await beginUpload(caller.db, key, { fileName, format }, caller.now)
  try {
    const samples: string[][] = []
    let count = 0
    let waiting: string[] = []
    let size = 0
    const write = async () => {
      if (waiting.length > 0)
        await insertUploadRows(caller.db, key, count - waiting.length, waiting)
      waiting = []
      size = 0
    }
    for await (const cells of rows) {
      if (++count > mostRows) throw refusedFile(['fileRowsMax', { count: mostRows }])
      sample(cells, samples)
      const text = JSON.stringify(cells)
      waiting.push(text)
      size += text.length
      if (size > writtenAtOnce) await write()
    }
    await write()
    if (count === 0) throw refusedFile('fileEmpty')
    const answer = {
      uploadId: key.id,
      fileName,
      rows: count,
      columns: shownColumns(columns, samples),
    }
    return await caller.transaction(async (trx) => {
      await completeUpload(trx, key, { rows: count, columns: allColumns(columns, samples) })
      return answer
    })
  } catch (error) {
    await deleteUpload(caller.db, key)
    throw error
  }
}

/** Keeps the first values of each column. */
function sample(cells: Cells, samples: string[][]): void {
  for (const [index, cell] of cells.entries()) {
    const kept = (samples[index] ??= [])
    if (kept.length === mostSamples || cell === undefined || cell === null) continue
    const text = typeof cell === 'string' ? cell : JSON.stringify(cell)
    const shown = text.trim()
    if (shown === '' || kept.includes(shown.slice(0, longestSample))) continue
    kept.push([...shown.slice(0, 2 * longestSample)].slice(0, longestSample).join(''))
  }
}

function allColumns(
  columns: readonly string[],
  samples: readonly string[][],
): Schemas['ChangeSetColumn'][] {
  const fields = fieldsOf(columns)
  return columns.map((name, index) => ({
    name,
    field: fields[index] ?? null,
    samples: samples[index] ?? [],
  }))
}

/** Columns without a name cannot be mapped. */
const shownColumns = (...parts: Parameters<typeof allColumns>) =>
  allColumns(...parts).filter(({ name }) => name !== '')

/** A file that a set is to be made of. */
export interface WantedFile {
  fileName: string
  source: FileSource
  rows: number
  /** Of the pictures that it names; the first of them if there are more than few. */
  urls: string[]
  hasManyUrls: boolean
}

/** As many pictures as one call can upload are fetched before the answer. */
const fewPictures = 12

/** An upload that is still kept, with what the caller says of its columns. */
export async function wantedFile(
  caller: Pick<AccountCaller, 'db' | 'now'>,
  workspaceId: string,
  { uploadId, mapping, make }: Schemas['ChangeSetCreate'] & { uploadId: string },
): Promise<WantedFile> {
  const since = new Date(caller.now.getTime() - uploadMilliseconds)
  const upload = await getUpload(caller.db, { workspaceId, id: uploadId }, since)
  const { format, fileName } = upload
  const columns = mappedFields(
    upload.columns.map(({ name }) => name),
    mapping,
  )
  const file = { uploadId, columns, format }
  const { urls, isMore } = await urlsIn(caller.db, workspaceId, file, fewPictures)
  const makes = { tags: make?.tags ?? false, collections: make?.collections ?? false }
  const source = { uploadId, format, columns, make: makes, hasUrls: isMore || urls.length > 0 }
  return { fileName, source, rows: upload.rows, urls, hasManyUrls: isMore }
}
