import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { inject } from 'vitest'
import { type Document, parseDocument } from 'yaml'
import { generate } from '../../codegen/generate.ts'
import type { TestDatabase } from '../kit/database.ts'

export const root = join(import.meta.dirname, '..', '..')

/** Serves the copy that contains it, sends the addresses, and ends with its parent. */
const serving = `
import { once } from 'node:events'
import { handlers } from './handlers/index.ts'
import { createApp } from './src/app.ts'
import { readConfig } from './src/settings/config.ts'
import { createLog } from './src/core/log.ts'
import { connect } from './src/db/connect.ts'

const config = { ...readConfig(process.env), secretKey: 'a secret of the tests, long enough' }
const mailer = { send: () => Promise.resolve(), close: () => Promise.resolve() }
const connection = connect(process.env.DATABASE_URL, { baseUrl: config.baseUrl })
const app = await createApp({ config, connection, mailer, log: createLog('silent'), handlers })
const listen = async ({ server }) => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return 'http://127.0.0.1:' + server.address().port
}
process.send({ api: await listen(app.api), dashboard: await listen(app.dashboard) })
process.once('disconnect', () => process.exit())
`

/** A copy of the project with another contract and the code generated from it. */
export interface CopiedProject {
  folder: string
  urls: { api: string; dashboard: string }
  stop(): Promise<void>
}

/** Copies the project, changes only its contract, generates the code, builds the pages and serves. */
export async function serveCopy(
  database: TestDatabase,
  change: (contract: Document) => void,
): Promise<CopiedProject> {
  const folder = mkdtempSync(join(inject('scratchFolder'), 'living-'))
  for (const name of ['handlers', 'src', 'scripts', 'package.json', 'tsconfig.json'])
    cpSync(join(root, name), join(folder, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'serving.ts'), serving)

  const contract = parseDocument(readFileSync(join(root, 'openapi.yaml'), 'utf8'))
  change(contract)
  const contractFile = join(folder, 'openapi.yaml')
  writeFileSync(contractFile, contract.toString())
  const outDir = join(folder, 'src/generated')
  const { ok, lines } = await generate({ contractFile, outDir, mode: 'all' })
  if (!ok) throw new Error(lines.join('\n'))
  await promisify(execFile)(process.execPath, ['scripts/build_pages.mjs'], { cwd: folder })
  return { folder, ...(await serve(folder, database)) }
}

async function serve(
  folder: string,
  database: TestDatabase,
): Promise<Pick<CopiedProject, 'urls' | 'stop'>> {
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
  for (const name of ['openapi.json', 'openapi.public.json', 'tools.json'])
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
