import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { inject } from 'vitest'
import { type Document, parseDocument } from 'yaml'
import { generate } from '../../codegen/generate.ts'
import type { TestDatabase } from './database.ts'

export const root = join(import.meta.dirname, '..', '..')

/** Serves the copy that contains it, migrated, sends the addresses, and ends with its parent. */
const serving = `
import { once } from 'node:events'
import { handlers } from './handlers/index.ts'
import { createApp } from './src/app.ts'
import { readConfig } from './src/settings/config.ts'
import { createLog } from './src/core/log.ts'
import { connect } from './src/db/connect.ts'
import { migrate } from './src/db/migrate.ts'

const config = { ...readConfig(process.env), secretKey: 'a secret of the tests, long enough' }
const mailer = { send: () => Promise.resolve(), close: () => Promise.resolve() }
const connection = connect(process.env.DATABASE_URL, { baseUrl: config.baseUrl })
await migrate(connection.db, { environment: 'development' })
const app = await createApp({ config, connection, mailer, log: createLog('silent'), handlers })
const listen = async ({ server }) => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return 'http://127.0.0.1:' + server.address().port
}
process.send({ api: await listen(app.api), dashboard: await listen(app.dashboard) })
process.once('disconnect', () => process.exit())
`

/** A copy that serves. */
export interface ServedCopy {
  urls: { api: string; dashboard: string }
  stop(): Promise<void>
}

/** A copy of the project with another contract and the code generated from it. */
export interface CopiedProject extends ServedCopy {
  folder: string
}

/** Copies what the service and its scripts are made of, and other folders. */
export function copyProject(...folders: string[]): string {
  const folder = mkdtempSync(join(inject('scratchFolder'), 'living-'))
  const names = ['handlers', 'src', 'scripts', 'package.json', 'tsconfig.json', 'openapi.yaml']
  for (const name of [...names, ...folders])
    cpSync(join(root, name), join(folder, name), { recursive: true, filter: isOurs })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

/** Packages are shared with the copy: those of the test clients alone are 25,000 files. */
const isOurs = (path: string) => basename(path) !== 'node_modules'

export function changeContract(folder: string, change: (contract: Document) => void): void {
  const file = join(folder, 'openapi.yaml')
  const contract = parseDocument(readFileSync(file, 'utf8'))
  change(contract)
  writeFileSync(file, contract.toString())
}

export async function generateIn(folder: string): Promise<void> {
  const [contractFile, outDir] = [join(folder, 'openapi.yaml'), join(folder, 'src/generated')]
  const { ok, lines } = await generate({ contractFile, outDir, mode: 'all' })
  if (!ok) throw new Error(lines.join('\n'))
}

/** Copies the project, changes only its contract, generates the code, builds the pages and serves. */
export async function serveCopy(
  database: TestDatabase,
  change: (contract: Document) => void,
): Promise<CopiedProject> {
  const folder = copyProject()
  changeContract(folder, change)
  await generateIn(folder)
  await promisify(execFile)(process.execPath, ['scripts/build_pages.mjs'], { cwd: folder })
  return { folder, ...(await serveFolder(folder, database)) }
}

export async function serveFolder(folder: string, database: TestDatabase): Promise<ServedCopy> {
  writeFileSync(join(folder, 'serving.ts'), serving)
  // Bundled with the documents and pages beside it, like the service; tsx takes three times as long.
  await build({
    absWorkingDir: folder,
    entryPoints: ['serving.ts'],
    outfile: 'dist/serving.js',
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
  })
  const written = readdirSync(join(folder, 'src/generated'))
  for (const name of written.filter((each) => /\.(json|txt)$/.test(each)))
    cpSync(join(folder, 'src/generated', name), join(folder, 'dist', name))
  const child = spawn(process.execPath, ['dist/serving.js'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], DATA_DIR: folder, DATABASE_URL: database.url },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit')
  const failure = ended.then(() => Promise.reject(new Error('The copy did not start.')))
  const [urls] = await Promise.race([once(child, 'message'), failure])
  failure.catch(() => undefined)
  const stop = async () => {
    child.disconnect()
    await ended
  }
  return { urls, stop }
}
