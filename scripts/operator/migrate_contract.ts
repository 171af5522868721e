import { existsSync } from 'node:fs'
import type { Kysely } from 'kysely'
import { readConfig } from '../../src/settings/config.ts'
import { connect } from '../../src/db/connect.ts'
import { reachEmbeddedPostgres } from '../../src/db/embedded.ts'
import { contract } from '../../src/db/migrate.ts'

/**
 * Takes away what only older builds needed, without waiting for the next start; the service may be
 * running. Refuses while an older build may be alive; --force says that none is.
 */
async function main(): Promise<void> {
  const [option, ...rest] = process.argv.slice(2)
  if (rest.length > 0 || (option !== undefined && option !== '--force'))
    throw new Error('Usage: npm run migrate:contract [-- --force]')
  if (existsSync('.env')) process.loadEnvFile('.env')
  const { databaseUrl, dataDir, environment } = readConfig(process.env)
  const embedded = databaseUrl ? undefined : await reachEmbeddedPostgres({ dataDir })
  const connection = connect(databaseUrl ?? embedded!.url, { max: 1, patient: true })
  try {
    const names = await contract(connection.db as unknown as Kysely<unknown>, {
      environment,
      force: option === '--force',
      report: (line) => console.log(line),
    })
    console.log(names.length > 0 ? `Applied ${names.join(', ')}.` : 'Nothing waits.')
  } finally {
    await connection.close()
    await embedded?.stop()
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
