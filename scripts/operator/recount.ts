import { existsSync } from 'node:fs'
import { readConfig } from '../../src/settings/config.ts'
import { connect } from '../../src/db/connect.ts'
import { reachEmbeddedPostgres } from '../../src/db/embedded.ts'
import { recount } from '../../src/queries/upkeep/recount.ts'

/**
 * Mends counters, sums of events and missing entries of directories in the configured database, of one
 * workspace or of all, and says what was wrong; the service may be running.
 */
if (existsSync('.env')) process.loadEnvFile('.env')
const [onlyWorkspaceId] = process.argv.slice(2)
const { databaseUrl, dataDir } = readConfig(process.env)
const embedded = databaseUrl ? undefined : await reachEmbeddedPostgres({ dataDir })
const connection = connect(databaseUrl ?? embedded!.url, { max: 1, patient: true })
try {
  const mended = await recount(connection.db, (line) => console.log(line), { onlyWorkspaceId })
  console.log(mended > 0 ? `Mended ${mended}.` : 'Everything is counted right.')
} finally {
  await connection.close()
  await embedded?.stop()
}
