import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../../src/db/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'
import { buildPages } from '../../scripts/build_pages.mjs'

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder for the tests' files, removed after the run. */
    scratchFolder: string
    /** A database whose user may create others. */
    serverUrl: string
    /** A database with every migration applied, to copy from. */
    templateName: string
  }
}

/** A folder for everything the run writes, removed however the run ends. */
function makeScratchFolder(): { folder: string; remove(): void; removeLast(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-test-'))
  // As root, PostgreSQL runs under another user, who needs to traverse the folder.
  chmodSync(folder, 0o711)
  const remove = () => {
    process.off('exit', remove)
    rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
  }
  const removeLast = () => process.off('exit', remove).once('exit', remove)
  removeLast()
  // After Ctrl-C no teardown runs, but exit hooks do: the launcher's, which stops PostgreSQL, and
  // this one. Keep the handlers: a signal often arrives twice, from the terminal and the parent.
  process.on('SIGINT', () => process.exit(130))
  process.on('SIGTERM', () => process.exit(143))
  process.on('SIGHUP', () => process.exit(129))
  return { folder, remove, removeLast }
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

async function makeTemplate(serverUrl: string): Promise<string> {
  const name = `vitrine_template_${randomBytes(6).toString('hex')}`
  await execute(serverUrl, `create database ${name} template template0`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  const pool = new pg.Pool({ connectionString: url.href, max: 1 })
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  await migrate(db, { environment: 'development' })
  await db.destroy()
  return name
}

/** Builds the pages only for tests that open one: a run of other tests need not wait for it. */
async function buildPagesFor(files: readonly string[]): Promise<void> {
  if (files.some((file) => file.includes('/test/pages/'))) await buildPages()
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await buildPagesFor(project.vitest.state.getPaths())
  project.onTestsRerun((tests) => buildPagesFor(tests.map(({ moduleId }) => moduleId)))
  const scratch = makeScratchFolder()
  const databaseUrl = process.env['DATABASE_URL']
  const embedded = databaseUrl
    ? undefined
    : await startEmbeddedPostgres({ dataDir: join(scratch.folder, 'data'), durable: false })
  scratch.removeLast()
  const serverUrl = embedded?.url ?? databaseUrl ?? ''
  const templateName = await makeTemplate(serverUrl)
  project.provide('scratchFolder', scratch.folder)
  project.provide('serverUrl', serverUrl)
  project.provide('templateName', templateName)
  return async () => {
    await execute(serverUrl, `drop database ${templateName} with (force)`)
    await embedded?.stop()
    scratch.remove()
  }
}
