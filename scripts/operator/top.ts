import { existsSync } from 'node:fs'
import { readConfig } from '../../src/settings/config.ts'
import { minute } from '../../src/core/time.ts'
import { connect } from '../../src/db/connect.ts'
import { reachEmbeddedPostgres } from '../../src/db/embedded.ts'
import { listCosts } from '../../src/queries/upkeep/costs.ts'

const shown = 20

/** Lists the workspaces that have cost the database most in the last hour, or in so many minutes. */
if (existsSync('.env')) process.loadEnvFile('.env')
const minutes = Number(process.argv[2] ?? 60)
if (!Number.isInteger(minutes) || minutes < 1) throw new Error('Usage: npm run top [-- <minutes>]')
const { databaseUrl, dataDir } = readConfig(process.env)
const embedded = databaseUrl ? undefined : await reachEmbeddedPostgres({ dataDir })
const connection = connect(databaseUrl ?? embedded!.url, { max: 1, patient: true })
try {
  const costs = await listCosts(connection.db, new Date(Date.now() - minutes * minute), shown)
  if (costs.length === 0) console.log('Nobody has called.')
  else
    console.table(
      costs.map((cost) => ({
        workspace: cost.workspaceId,
        name: cost.name ?? '',
        calls: cost.calls,
        'database s': Math.round(cost.databaseMilliseconds / 100) / 10,
        'wait s': Math.round(cost.waitMilliseconds / 100) / 10,
        'in all s': Math.round(cost.milliseconds / 100) / 10,
        MB: Math.round(cost.bytes / 1024 ** 2),
      })),
    )
} finally {
  await connection.close()
  await embedded?.stop()
}
