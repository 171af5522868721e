import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../../src/db/embedded.ts'
import { buildPages } from '../../scripts/build_pages.mjs'
import { execute } from '../../scripts/distributed/nodes.ts'
import { makeTemplate, workerUrlsOf } from './template_database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder for the tests' files, removed after the run. */
    scratchFolder: string
    /** A database whose user may create others. */
    serverUrl: string
    /** Of a distributed database: the same on each worker. */
    workerUrls: string[]
    /** A database with every migration applied, to copy from. */
    templateName: string
  }
}

const memory = '/dev/shm'
/** The write-ahead log alone may grow to 4 GB. */
const neededBytes = 6 * 1024 ** 3

/**
 * Files go to memory where there is enough of both: a database is 800 files, and a busy disk makes each test file
 * wait for its own.
 */
function usesMemory(): boolean {
  if (!existsSync(memory)) return false
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize >= neededBytes && freemem() >= neededBytes
}

/** A folder for everything the run writes, removed however the run ends. */
function makeScratchFolder(): { folder: string; remove(): void; removeLast(): void } {
  // The workers' browsers keep their profiles there, too.
  if (usesMemory()) process.env['TMPDIR'] = memory
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
  const workerUrls = workerUrlsOf(process.env)
  const templateName = await makeTemplate(serverUrl, workerUrls)
  project.provide('scratchFolder', scratch.folder)
  project.provide('serverUrl', serverUrl)
  project.provide('workerUrls', workerUrls)
  project.provide('templateName', templateName)
  return async () => {
    for (const url of [serverUrl, ...workerUrls])
      await execute(url, `drop database ${templateName} with (force)`)
    await embedded?.stop()
    scratch.remove()
  }
}
