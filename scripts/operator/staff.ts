import { existsSync } from 'node:fs'
import type { Kysely } from 'kysely'
import { type Config, ConfigError, readConfig } from '../../src/settings/config.ts'
import { ApiError, fieldsInWords } from '../../src/core/errors.ts'
import { withSecrets } from '../../src/settings/own_secrets.ts'
import { connect } from '../../src/db/connect.ts'
import { reachEmbeddedPostgres } from '../../src/db/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'
import type { Database } from '../../src/db/schema.ts'
import { addStaff, createOperatorCode, removeStaff } from '../../src/domain/administration/staff.ts'
import { defaultLanguage } from '../../src/texts/languages.ts'
import { listStaff } from '../../src/queries/administration/staff.ts'

const usage = 'npm run staff -- add <email> | remove <email> | code <email> | list'

/**
 * Adds, removes and lists staff in the configured database, and makes sign-in codes for them; the
 * service may be running.
 */
async function main(): Promise<void> {
  const [command = '', email, ...rest] = process.argv.slice(2)
  const takesEmail = ['add', 'remove', 'code'].includes(command)
  if (
    rest.length > 0 ||
    (!takesEmail && command !== 'list') ||
    takesEmail !== (email !== undefined)
  )
    throw new Error(`Usage: ${usage}`)

  if (existsSync('.env')) process.loadEnvFile('.env')
  const config = readConfig(process.env)
  const { databaseUrl, dataDir } = config
  const embedded = databaseUrl ? undefined : await reachEmbeddedPostgres({ dataDir })
  const connection = connect(databaseUrl ?? embedded!.url, { max: 1, patient: true })
  try {
    await migrate(connection.db as unknown as Kysely<unknown>, config)
    console.log(await carryOut(connection.db, config, command, email ?? ''))
  } finally {
    await connection.close()
    await embedded?.stop()
  }
}

async function carryOut(
  db: Kysely<Database>,
  config: Config,
  command: string,
  email: string,
): Promise<string> {
  const now = new Date()
  if (command === 'list') {
    const lines = (await listStaff(db)).map((staff) => `${staff.email}, since ${staff.createdAt}`)
    return lines.join('\n') || 'There is no staff.'
  }
  if (command === 'code') {
    const { secretKey } = withSecrets(config)
    const code = await db
      .transaction()
      .execute((trx) => createOperatorCode(trx, { secretKey, now }, email))
    if (code === undefined) throw new Error(`${email} is not on the staff.`)
    return `${code} signs ${email} in to administration once, within ten minutes.`
  }
  const change = command === 'add' ? addStaff : removeStaff
  const changed = await db.transaction().execute((trx) => change(trx, email, now))
  if (command === 'add')
    return changed ? `${email} is now on the staff.` : `${email} is already on the staff.`
  return changed ? `${email} is no longer on the staff.` : `${email} was not on the staff.`
}

function fieldsOf({ fieldErrors = {} }: ApiError): string[] {
  return Object.values(fieldsInWords(fieldErrors, defaultLanguage))
}

main().catch((error: unknown) => {
  const problems = error instanceof ConfigError ? error.problems : []
  const fields = error instanceof ApiError ? fieldsOf(error) : []
  const message = error instanceof Error ? error.message : String(error)
  console.error([...problems, ...fields].join('\n') || message)
  process.exitCode = 1
})
