import { randomUUID } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import type { MediaStore } from '../../../adapters/media_store.ts'
import { readState } from '../../../db/migration_state.ts'
import type { Database } from '../../../db/schema.ts'
import { insertBackup, keepBackup } from '../../../queries/media/held_files.ts'
import { listFilesAfter } from '../../../queries/media/media_files.ts'
import {
  listPartitions,
  listTables,
  readRows,
  type TableDescription,
  takeTime,
} from '../../../queries/upkeep/whole_tables.ts'
import {
  type ArchiveWriter,
  type Contents,
  type Description,
  format,
  mediaName,
  rowsName,
  type Sink,
  writeArchive,
  zipLines,
} from './archive.ts'

export interface BackupParts {
  db: Kysely<Database>
  /** Undefined if the files are left in the store: then they are needed there. */
  store: MediaStore | undefined
  environment: string
  clock: () => Date
  /** Days for which removed files stay in the store for a backup without media. */
  keepDays: number
}

/** For a backup that is killed: what it held is free again after this. */
const longestDays = 2

/**
 * Writes the database as it is at one moment, then the files that its rows refer to. From before that
 * moment on no file is removed, so that every one of them is there, whatever is deleted meanwhile.
 */
export async function backUp(parts: BackupParts, sink: Sink): Promise<Contents> {
  const { db, store, keepDays } = parts
  const id = randomUUID()
  await insertBackup(db, { id, days: longestDays })
  let isWritten = false
  try {
    const contents = await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute((trx) => writeAll(trx, parts, writeArchive(sink)))
    isWritten = true
    return contents
  } finally {
    await keepBackup(db, { id, days: isWritten && !store ? keepDays : 0 })
  }
}

async function writeAll(
  trx: Transaction<Database>,
  { store, environment, clock }: BackupParts,
  archive: ArchiveWriter,
): Promise<Contents> {
  await takeTime(trx)
  const { applied } = await readState(trx as unknown as Kysely<unknown>)
  const tables = await listTables(trx)
  const description: Description = {
    format,
    createdAt: clock().toISOString(),
    environment,
    migrations: [...applied].sort(),
    tables,
    partitions: await listPartitions(trx),
    hasMedia: store !== undefined,
  }
  await archive.add('backup.json', asJson(description))
  const rows: Contents['rows'] = {}
  for (const table of tables) rows[table.name] = await writeRows(trx, table, archive)
  const files = store ? await writeFiles(trx, store, archive) : { files: 0, bytes: 0, missing: [] }
  const contents = { rows, ...files }
  await archive.add('end.json', asJson(contents))
  await archive.end()
  return contents
}

const asJson = (value: object): Buffer => Buffer.from(JSON.stringify(value))

/** Before it is compressed. */
const partCharacters = 4 * 1024 * 1024

async function writeRows(
  trx: Transaction<Database>,
  table: TableDescription,
  archive: ArchiveWriter,
): Promise<number> {
  let [written, part, size] = [0, 0, 0]
  let lines: string[] = []
  const flush = async () => {
    if (lines.length === 0) return
    await archive.add(rowsName(table.name, ++part), await zipLines(lines))
    written += lines.length
    lines = []
    size = 0
  }
  for await (const group of readRows(trx, table)) {
    lines.push(...group)
    size += group.reduce((total, line) => total + line.length, 0)
    if (size >= partCharacters) await flush()
  }
  await flush()
  return written
}

const filesOfBatch = 1000

async function writeFiles(
  trx: Transaction<Database>,
  store: MediaStore,
  archive: ArchiveWriter,
): Promise<Omit<Contents, 'rows'>> {
  const contents = { files: 0, bytes: 0, missing: [] as string[] }
  for (let after: string | undefined = ''; after !== undefined;) {
    const keys: string[] = await listFilesAfter(trx, after, filesOfBatch)
    for (const key of keys) {
      const file = await store.read(key)
      if (!file) {
        contents.missing.push(key)
        continue
      }
      await archive.addStream(mediaName(key), file.size, file.stream)
      contents.files++
      contents.bytes += file.size
    }
    after = keys.length < filesOfBatch ? undefined : keys.at(-1)
  }
  return contents
}
