import { existsSync } from 'node:fs'
import { placeInStore, readBackupFile, readFromStore } from '../../src/adapters/backup_places.ts'
import { openMediaStore } from '../../src/adapters/open_store.ts'
import { ownStore } from '../../src/adapters/own_store.ts'
import { connect } from '../../src/db/connect.ts'
import { reachEmbeddedPostgres } from '../../src/db/embedded.ts'
import { restore } from '../../src/domain/upkeep/backup/restore.ts'
import { getStoreStamp } from '../../src/queries/upkeep/stamps.ts'
import { readConfig } from '../../src/settings/config.ts'

/** Restores a backup into the configured database and media store, which must be empty. */
async function main(): Promise<void> {
  const [place, ...rest] = process.argv.slice(2)
  if (place === undefined || rest.length > 0)
    throw new Error('Usage: npm run restore -- <file | s3://bucket/key>')
  if (existsSync('.env')) process.loadEnvFile('.env')
  const config = readConfig(process.env)
  const { databaseUrl, dataDir, environment } = config
  const inStore = placeInStore(place)
  if (inStore && !config.s3) throw new Error('Set S3_* for a backup in a bucket.')
  const embedded = databaseUrl ? undefined : await reachEmbeddedPostgres({ dataDir })
  const connection = connect(databaseUrl ?? embedded!.url, { max: 2, patient: true })
  const { db } = connection
  const store = ownStore(openMediaStore(config), async () => ({
    environment,
    stamp: await getStoreStamp(db),
  }))
  try {
    const source = inStore ? await readFromStore(config.s3!, inStore) : readBackupFile(place)
    const { rows, files, missing } = await restore({ db, store, environment }, source)
    const total = Object.values(rows).reduce((sum, count) => sum + count, 0)
    console.log(`${total} rows and ${files} files are restored. Start the service.`)
    if (missing.length > 0) console.log(`${missing.length} files were missing from the start.`)
  } finally {
    await connection.close()
    await embedded?.stop()
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
