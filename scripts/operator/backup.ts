import { existsSync } from 'node:fs'
import {
  type BackupTarget,
  fileTarget,
  placeInStore,
  storeTarget,
} from '../../src/adapters/backup_places.ts'
import { openMediaStore } from '../../src/adapters/open_store.ts'
import { ownStore } from '../../src/adapters/own_store.ts'
import { connect } from '../../src/db/connect.ts'
import { reachEmbeddedPostgres } from '../../src/db/embedded.ts'
import { backUp } from '../../src/domain/upkeep/backup/backup.ts'
import { getStoreStamp } from '../../src/queries/upkeep/stamps.ts'
import { type Config, readConfig } from '../../src/settings/config.ts'

const usage =
  'Usage: npm run backup -- <file | s3://bucket/key> [--without-media [--keep-days <days>]]'

/**
 * Writes the configured database, and the media that its rows refer to, to a file or a bucket; the
 * service may be running. --without-media leaves the files in their store, where those that are
 * removed stay for so many days.
 */
async function main(): Promise<void> {
  const { place, withoutMedia, keepDays } = readArguments(process.argv.slice(2))
  if (existsSync('.env')) process.loadEnvFile('.env')
  const config = readConfig(process.env)
  const { databaseUrl, dataDir, environment } = config
  const embedded = databaseUrl ? undefined : await reachEmbeddedPostgres({ dataDir })
  const connection = connect(databaseUrl ?? embedded!.url, { max: 2, patient: true })
  const { db } = connection
  const store = ownStore(openMediaStore(config), async () => ({
    environment,
    stamp: await getStoreStamp(db),
  }))
  try {
    const target = await openTarget(config, place)
    const parts = { db, environment, keepDays, clock: () => new Date() }
    try {
      const contents = await backUp(
        { ...parts, store: withoutMedia ? undefined : store },
        (bytes) => target.write(bytes),
      )
      await target.finish()
      report(place, contents)
    } catch (error) {
      await target.abandon().catch(() => undefined)
      throw error
    }
  } finally {
    await connection.close()
    await embedded?.stop()
  }
}

function readArguments(args: string[]) {
  const [place, media, keep, days, ...rest] = args
  const keepDays = days === undefined ? 14 : Number(days)
  const isRight =
    place !== undefined &&
    !place.startsWith('--') &&
    (media ?? '--without-media') === '--without-media' &&
    (keep ?? '--keep-days') === '--keep-days' &&
    (keep === undefined) === (days === undefined) &&
    Number.isInteger(keepDays) &&
    keepDays > 0 &&
    rest.length === 0
  if (!isRight) throw new Error(usage)
  return { place, withoutMedia: media !== undefined, keepDays }
}

function openTarget(config: Config, place: string): Promise<BackupTarget> {
  const inStore = placeInStore(place)
  if (!inStore) return fileTarget(place)
  if (!config.s3) throw new Error('Set S3_* for a backup in a bucket.')
  return storeTarget(config.s3, inStore)
}

function report(
  place: string,
  { rows, files, bytes, missing }: Awaited<ReturnType<typeof backUp>>,
) {
  const total = Object.values(rows).reduce((sum, count) => sum + count, 0)
  console.log(`${place}: ${total} rows, ${files} files of ${Math.ceil(bytes / 1024 ** 2)} MB.`)
  if (missing.length === 0) return
  process.exitCode = 1
  console.error(`${missing.length} files were not in the media store: ${missing.join(', ')}`)
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
