import type { Kysely } from 'kysely'
import { askForModels } from '../../../adapters/models/providers.ts'
import type { Mailer } from '../../../adapters/mailer.ts'
import type { OwnStore } from '../../../adapters/own_store.ts'
import { ApiError } from '../../../core/errors.ts'
import { hour } from '../../../core/time.ts'
import type { Database } from '../../../db/schema.ts'
import { listFilesAfter, listUnreferenced } from '../../../queries/media/media_files.ts'
import { getMailQueue } from '../../../queries/upkeep/server_state.ts'
import type { Config } from '../../../settings/config.ts'
import { advice, type Check, fault, type DoctorFinding, plural, summary } from './finding.ts'

export interface OutsideParts {
  db: Kysely<Database>
  config: Config
  store: OwnStore
  mailer: Mailer
  clock: () => Date
  /** Bytes that are free on the disk of a folder. */
  freeBytes: (folder: string) => Promise<number>
}

/** The world outside the database. */
export function outsideChecks(parts: OutsideParts): Check[] {
  return [
    { name: 'disk', run: () => checkDisk(parts) },
    { name: 'media store', run: () => checkStore(parts) },
    { name: 'media files', isThorough: true, run: () => checkFiles(parts) },
    { name: 'mail', run: () => checkMail(parts) },
    { name: 'model', run: () => checkModel(parts) },
  ]
}

const minFreeBytes = 1024 ** 3

async function checkDisk({ config, freeBytes }: OutsideParts): Promise<DoctorFinding[]> {
  const free = await freeBytes(config.dataDir)
  if (free >= minFreeBytes) return []
  return [
    fault(
      `Only ${Math.floor(free / 1024 ** 2)} MB are free on the disk of ${config.dataDir}.`,
      'Uploads wait there, and without S3_* and DATABASE_URL media and rows: make room.',
    ),
  ]
}

async function checkStore({ store, config }: OutsideParts): Promise<DoctorFinding[]> {
  try {
    await store.verify()
    return []
  } catch (error) {
    const cause = error instanceof ApiError ? error.cause : error
    const reason = cause instanceof Error ? cause.message : String(cause)
    const place = config.s3 ? `The media store at ${config.s3.endpoint}` : 'The folder of media'
    return [fault(`${place} cannot be used: ${reason}`, 'Check the S3_* settings and the store.')]
  }
}

const filesOfBatch = 1000

/** A younger file may belong to an upload in progress. */
async function checkFiles({ db, store, clock }: OutsideParts): Promise<DoctorFinding[]> {
  const stored = new Set<string>()
  const orphans: string[] = []
  const before = clock().getTime() - hour
  let old: string[] = []
  const compare = async () => {
    orphans.push(...(await listUnreferenced(db, old)))
    old = []
  }
  for await (const { key, modifiedAt } of store.list()) {
    stored.add(key)
    if (modifiedAt.getTime() < before) old.push(key)
    if (old.length === filesOfBatch) await compare()
  }
  await compare()
  const missing: string[] = []
  for (let after: string | undefined = ''; after !== undefined;) {
    const files: string[] = await listFilesAfter(db, after, filesOfBatch)
    for (const key of files)
      // One that was uploaded after the list was read is there.
      if (!stored.has(key) && (await store.size(key)) === undefined) missing.push(key)
    after = files.length < filesOfBatch ? undefined : files.at(-1)
  }
  const findings = summary(
    missing,
    (count) => `${plural(count, 'file is', 'files are')} missing from the media store.`,
    'Restore them from a backup, under the same names.',
  )
  if (orphans.length > 0)
    findings.push(
      advice(
        `${plural(orphans.length, 'file belongs', 'files belong')} to no picture.`,
        'The sweep removes them within ten minutes, or when no backup needs them any more.',
      ),
    )
  return findings
}

const patienceSeconds = 900

async function checkMail({ db, mailer, clock, config }: OutsideParts): Promise<DoctorFinding[]> {
  const findings: DoctorFinding[] = []
  const { waiting, oldestSeconds, failed } = await getMailQueue(db, clock())
  if (oldestSeconds > patienceSeconds)
    findings.push(
      fault(
        `${plural(waiting, 'mail waits', 'mails wait')}, the longest for ${Math.round(oldestSeconds / 60)} minutes.`,
        'Look for "A mail was not accepted" in the log.',
      ),
    )
  if (failed > 0)
    findings.push(
      advice(`${plural(failed, 'mail was', 'mails were')} given up.`, 'The table mails says why.'),
    )
  if (config.smtpUrl === undefined) return findings
  const reason = await mailer.verify?.().then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
  if (reason !== undefined)
    findings.push(fault(`The mail server refuses: ${reason}`, 'Check SMTP_URL.'))
  return findings
}

async function checkModel({ config: { ai } }: OutsideParts): Promise<DoctorFinding[]> {
  if (!ai) return []
  const reason = await askForModels(ai)
  return reason === undefined
    ? []
    : [fault(`The AI provider does not serve this key: ${reason}`, 'Check the AI_* settings.')]
}
