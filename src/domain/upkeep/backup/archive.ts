import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { headerOf, paddingOf, tarEnd } from './tar.ts'
import type { Partition, TableDescription } from '../../../queries/upkeep/whole_tables.ts'

/*
 * A backup is a tar archive:
 *
 *   backup.json             what it is, before anything else
 *   rows/products-1.gz      lines of a table, in parts of some megabytes
 *   media/ws_…/….jpg        files of the media store under their names there
 *   end.json                what it holds: without it, the archive is not whole
 */

export const format = 1

export interface Description {
  format: number
  createdAt: string
  environment: string
  /** Names of the migrations that the database has. */
  migrations: string[]
  tables: TableDescription[]
  partitions: Partition[]
  hasMedia: boolean
}

export interface Contents {
  rows: Record<string, number>
  files: number
  bytes: number
  /** Files that rows refer to and that the store did not have. */
  missing: string[]
}

/** Where the bytes of an archive go; resolves when more may come. */
export type Sink = (bytes: Buffer) => Promise<void>

export interface ArchiveWriter {
  add(name: string, bytes: Buffer): Promise<void>
  addStream(name: string, size: number, stream: AsyncIterable<Buffer>): Promise<void>
  end(): Promise<void>
}

export function writeArchive(sink: Sink): ArchiveWriter {
  async function addStream(name: string, size: number, stream: AsyncIterable<Buffer>) {
    await sink(headerOf(name, size))
    let sent = 0
    for await (const bytes of stream) {
      sent += bytes.length
      await sink(bytes)
    }
    if (sent !== size) throw new Error(`${name} has ${sent} bytes, not ${size}.`)
    await sink(paddingOf(size))
  }
  return {
    addStream,
    add: async (name, bytes) => {
      await sink(headerOf(name, bytes.length))
      await sink(bytes)
      await sink(paddingOf(bytes.length))
    },
    end: () => sink(tarEnd),
  }
}

const [zip, unzip] = [promisify(gzip), promisify(gunzip)]

export const zipLines = (lines: string[]): Promise<Buffer> => zip(lines.join('\n'))
export const unzipLines = async (bytes: Buffer): Promise<string[]> =>
  (await unzip(bytes)).toString().split('\n')

export const rowsName = (table: string, part: number): string => `rows/${table}-${part}.gz`
export const tableOf = (name: string): string | undefined => /^rows\/(\w+)-\d+\.gz$/.exec(name)?.[1]
export const mediaName = (key: string): string => `media/${key}`
export const keyOf = (name: string): string | undefined =>
  name.startsWith('media/') ? name.slice('media/'.length) : undefined
