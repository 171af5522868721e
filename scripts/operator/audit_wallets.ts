import { existsSync } from 'node:fs'
import { readConfig } from '../../src/settings/config.ts'
import { connect } from '../../src/db/connect.ts'
import { reachEmbeddedPostgres } from '../../src/db/embedded.ts'
import { brokenWallets } from '../../src/queries/credits/wallet_audit.ts'

/**
 * Checks the invariants of every wallet in the configured database; the service may be running.
 * Lists each broken wallet; the exit code is 1 if there are any.
 */
if (existsSync('.env')) process.loadEnvFile('.env')
const { databaseUrl, dataDir } = readConfig(process.env)
const embedded = databaseUrl ? undefined : await reachEmbeddedPostgres({ dataDir })
const connection = connect(databaseUrl ?? embedded!.url, { max: 1, patient: true })
try {
  const broken = await brokenWallets(connection.db)
  for (const { workspaceId, problem } of broken) console.error(`${workspaceId}: ${problem}`)
  if (broken.length > 0) process.exitCode = 1
  else console.log('All wallets are consistent.')
} finally {
  await connection.close()
  await embedded?.stop()
}
