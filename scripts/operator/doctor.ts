import { existsSync, readFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { outboxFolderMailer, smtpMailer } from '../../src/adapters/mailer.ts'
import { openMediaStore } from '../../src/adapters/open_store.ts'
import { ownStore } from '../../src/adapters/own_store.ts'
import { connect } from '../../src/db/connect.ts'
import { reachEmbeddedPostgres } from '../../src/db/embedded.ts'
import { databaseChecks } from '../../src/domain/upkeep/doctor/database_checks.ts'
import { examine, inLines } from '../../src/domain/upkeep/doctor/doctor.ts'
import { type Check, fault, type DoctorFinding } from '../../src/domain/upkeep/doctor/finding.ts'
import { outsideChecks } from '../../src/domain/upkeep/doctor/outside_checks.ts'
import { rowChecks } from '../../src/domain/upkeep/doctor/row_checks.ts'
import { getStoreStamp } from '../../src/queries/upkeep/stamps.ts'
import { type Config, ConfigError, readConfig } from '../../src/settings/config.ts'
import { unknownSettings } from '../../src/settings/unknown_settings.ts'

/**
 * Looks for what is wrong with the configured service and says what to do about it; the service may be
 * running, and nothing is changed. The exit code is 1 if there are faults. --quick leaves out what reads
 * every row and file.
 */
async function main(): Promise<boolean> {
  const [option, ...rest] = process.argv.slice(2)
  if (rest.length > 0 || (option !== undefined && option !== '--quick'))
    throw new Error('Usage: npm run doctor [-- --quick]')
  const inFile = existsSync('.env') ? Object.keys(parseEnv(readFileSync('.env', 'utf8'))) : []
  if (inFile.length > 0) process.loadEnvFile('.env')
  const { config, findings } = readSettings(inFile)
  const settings = { name: 'settings', run: () => Promise.resolve(findings) }
  if (!config) return report([settings])
  return withParts(config, (checks) =>
    report([settings, ...checks.filter(({ isThorough }) => !isThorough || option !== '--quick')]),
  )
}

function readSettings(inFile: string[]): { config: Config | undefined; findings: DoctorFinding[] } {
  const remedy = '.env.example lists every setting.'
  const findings = unknownSettings(process.env, inFile).map((what) => fault(what, remedy))
  try {
    return { config: readConfig(process.env), findings }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return {
      config: undefined,
      findings: [...findings, ...error.problems.map((what) => fault(what, remedy))],
    }
  }
}

async function withParts(
  config: Config,
  work: (checks: Check[]) => Promise<boolean>,
): Promise<boolean> {
  const { databaseUrl, dataDir, environment, smtpUrl, mailFrom } = config
  const embedded = databaseUrl ? undefined : await reachEmbeddedPostgres({ dataDir })
  const connection = connect(databaseUrl ?? embedded!.url, { max: 2, patient: true })
  const { db } = connection
  const mailer = smtpUrl
    ? smtpMailer(smtpUrl, mailFrom)
    : outboxFolderMailer(join(dataDir, 'outbox'))
  const clock = () => new Date()
  const store = ownStore(openMediaStore(config), async () => ({
    environment,
    stamp: await getStoreStamp(db),
  }))
  try {
    return await work([
      ...databaseChecks(connection, config, clock),
      ...rowChecks(db, clock),
      ...outsideChecks({ db, config, store, mailer, clock, freeBytes }),
    ])
  } finally {
    await mailer.close()
    await connection.close()
    await embedded?.stop()
  }
}

async function freeBytes(folder: string): Promise<number> {
  if (!existsSync(folder)) return Infinity
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** Prints each diagnosis as it is made; true if there are no faults. */
async function report(checks: Check[]): Promise<boolean> {
  let faults = 0
  for await (const diagnosis of examine(checks)) {
    for (const line of inLines(diagnosis)) console.log(line)
    faults += diagnosis.findings.filter(({ isFault }) => isFault).length
  }
  console.log(faults === 0 ? '\nNo faults.' : `\nFaults: ${faults}.`)
  return faults === 0
}

main().then(
  (isWell) => {
    if (!isWell) process.exitCode = 1
  },
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  },
)
