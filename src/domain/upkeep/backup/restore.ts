import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { Kysely, Transaction } from 'kysely'
import type { MediaStore } from '../../../adapters/media_store.ts'
import type { OwnStore } from '../../../adapters/own_store.ts'
import { type ArchiveEntry, readTar } from './tar.ts'
import { migrate } from '../../../db/migrate.ts'
import type { Database } from '../../../db/schema.ts'
import { migrations } from '../../../generated/migrations.ts'
import {
  insertRows,
  isUnused,
  listTables,
  makePartition,
  refill,
  type TableDescription,
  takeTime,
} from '../../../queries/upkeep/whole_tables.ts'
import { forgetMadeFiles } from '../../../queries/media/picture_queue.ts'
import { leaveVersions } from '../../../queries/catalogue/feed.ts'
import { listOwnStamps, replaceOwnStamps } from '../../../queries/upkeep/stamps.ts'
import { imageExtensions } from '../../media/image_types.ts'
import { type Contents, type Description, format, keyOf, tableOf, unzipLines } from './archive.ts'

/** A reason why a backup cannot be restored here, for its operator. */
class RestoreError extends Error {}

export interface RestoreParts {
  db: Kysely<Database>
  store: OwnStore
  environment: 'development' | 'production'
}

/**
 * Restores a backup into an empty database and store. All rows come in one transaction: after an
 * interruption there are none, and it can be repeated. The database keeps a stamp of its own, and so
 * refuses the store of the service that the backup comes from.
 */
export async function restore(
  { db, store, environment }: RestoreParts,
  source: AsyncIterable<Buffer>,
): Promise<Contents> {
  const entries = readTar(source)
  const description = await readDescription(entries, environment)
  await prepareDatabase(db, description, environment)
  // Before any row: another database's store is refused.
  if (description.hasMedia) await store.verify()
  const { rows, next } = await db
    .transaction()
    .execute((trx) => restoreRows(trx, description, entries))
  const contents = await restoreFiles(store, entries, next)
  for (const [table, count] of Object.entries(contents.rows))
    if (count !== (rows[table] ?? 0))
      throw new RestoreError(`Of ${count} rows of ${table}, ${rows[table] ?? 0} were restored.`)
  return contents
}

async function readDescription(
  entries: AsyncGenerator<ArchiveEntry>,
  environment: string,
): Promise<Description> {
  const first = await entries.next()
  if (first.done || first.value.name !== 'backup.json')
    throw new RestoreError('This is no backup of this service.')
  const description = await readJson<Description>(first.value)
  if (description.format !== format)
    throw new RestoreError('This backup was written by a build with another format.')
  if (description.environment !== environment)
    throw new RestoreError(
      `This is a backup of a ${description.environment} service: set ENVIRONMENT to match.`,
    )
  const unknown = description.migrations.filter((name) => !(name in migrations))
  if (unknown.length > 0)
    throw new RestoreError(
      `The backup is newer than this build: it has the migration ${unknown.join(', ')}.`,
    )
  return description
}

const readJson = async <T>({ body }: ArchiveEntry): Promise<T> =>
  JSON.parse((await buffer(body)).toString()) as T

/** Gives an empty database the schema of the backup; the next start migrates it further. */
async function prepareDatabase(
  db: Kysely<Database>,
  description: Description,
  environment: RestoreParts['environment'],
): Promise<void> {
  if (!(await isUnused(db)))
    throw new RestoreError('The database is not empty: restore into a new one.')
  const names = new Set(description.migrations)
  await migrate(db as unknown as Kysely<unknown>, {
    environment,
    isAlone: true,
    migrations: Object.fromEntries(Object.entries(migrations).filter(([name]) => names.has(name))),
  })
}

/** Loads the rows; returns how many, and the entry after the last of them. */
async function restoreRows(
  trx: Transaction<Database>,
  { tables, partitions, hasMedia }: Description,
  entries: AsyncGenerator<ArchiveEntry>,
): Promise<{ rows: Contents['rows']; next: ArchiveEntry }> {
  await takeTime(trx)
  const byName = new Map<string, TableDescription>(tables.map((table) => [table.name, table]))
  const rows: Contents['rows'] = {}
  let next: ArchiveEntry | undefined
  const stamps = await listOwnStamps(trx)
  for (const partition of partitions) await makePartition(trx, partition)
  await refill(trx, await listTables(trx), async () => {
    while (!next) {
      const entry = await nextOf(entries)
      const table = byName.get(tableOf(entry.name) ?? '')
      if (table) {
        const lines = await unzipLines(await buffer(entry.body))
        await insertRows(trx, table, lines)
        rows[table.name] = (rows[table.name] ?? 0) + lines.length
      } else next = entry
    }
    // The archive has the pictures alone; a store that was left as it is still has what was made of them.
    if (hasMedia) await forgetMadeFiles(trx, byName.get('media')?.columns ?? [])
    await replaceOwnStamps(trx, stamps)
    await leaveVersions(trx)
  })
  return { rows, next: next! }
}

async function nextOf(entries: AsyncGenerator<ArchiveEntry>): Promise<ArchiveEntry> {
  const result = await entries.next()
  if (result.done) throw new RestoreError(cutShort)
  return result.value
}

const cutShort = 'The backup is not whole: its end is missing.'

const types = new Map<string, string>(
  Object.entries(imageExtensions).map(([type, extension]) => [extension, type]),
)

async function restoreFiles(
  store: MediaStore,
  entries: AsyncGenerator<ArchiveEntry>,
  next: ArchiveEntry,
): Promise<Contents> {
  for (let entry = next; ; entry = await nextOf(entries)) {
    if (entry.name === 'end.json') return readJson<Contents>(entry)
    const key = keyOf(entry.name)
    if (key === undefined) throw new RestoreError(`${entry.name} is no part of a backup.`)
    const bytes = await buffer(entry.body)
    const [hash = '', extension = ''] = key.slice(key.indexOf('/') + 1).split('.')
    if (createHash('sha256').update(bytes).digest('hex') !== hash)
      throw new RestoreError(`${entry.name} is damaged.`)
    await store.put(key, bytes, types.get(extension) ?? 'application/octet-stream')
  }
}
