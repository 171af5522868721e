import { existsSync } from 'node:fs'
import type { Kysely } from 'kysely'
import { readConfig } from '../../src/settings/config.ts'
import { connect } from '../../src/db/connect.ts'
import { distribute, DistributionError, requireExtension } from '../../src/db/distribution.ts'
import { migrate } from '../../src/db/migrate.ts'

/**
 * Distributes the configured database over the workers of Citus, with the rows in it, and says for
 * each table what was done. Stop the service first: the tables are locked meanwhile. Can be repeated,
 * and must be after a migration that adds a table.
 */
if (existsSync('.env')) process.loadEnvFile('.env')

async function main(): Promise<void> {
  const config = readConfig(process.env)
  if (!config.databaseUrl)
    throw new DistributionError(
      'Set DATABASE_URL to the coordinator of Citus: the embedded database cannot be distributed.',
    )
  const connection = connect(config.databaseUrl, { max: 2, patient: true })
  const db = connection.db as unknown as Kysely<unknown>
  try {
    await requireExtension(db)
    // The service is stopped, so no older build needs what the last migrations take away.
    await migrate(db, { environment: config.environment, isAlone: true })
    await distribute(db, (line) => console.log(line))
  } finally {
    await connection.close()
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
