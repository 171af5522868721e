import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { readContract } from './contract.ts'
import { emitDeprecations } from './deprecations.ts'
import { emitEnums } from './enums.ts'
import { emitGuide, guideChapters, readSources } from './guide/guide.ts'
import type { Contract } from './model.ts'
import { emitLimits } from './limits.ts'
import { emitLlms } from './llms.ts'
import { emitMigrations, migrationProblems } from './migrations.ts'
import { emitOlderDocument } from './older_document.ts'
import { emitOperations } from './operations.ts'
import { emitPostman } from './postman/collection.ts'
import { emitDocument, emitPublicDocument } from './public_document.ts'
import { emitRoles } from './roles.ts'
import { emitTools } from './tools.ts'
import { emitTypes } from './types.ts'

const bannerOf = (source: string) =>
  `// Generated from ${source} by \`npm run codegen\`. Do not edit.\n\n`
const banner = bannerOf('openapi.yaml')

/** What the compiler reads alone: a service runs without it, and without the library that makes it. */
async function typesOf(contract: Contract): Promise<Record<string, string>> {
  return { 'types.ts': banner + (await emitTypes(contract)) }
}

/** The other committed files that follow from the contract, by name. */
function codeOf(contract: Contract): Record<string, string> {
  return {
    'operations.ts': banner + emitOperations(contract),
    'enums.ts': banner + emitEnums(contract),
    'limits.ts': banner + emitLimits(contract),
    'roles.ts': banner + emitRoles(contract),
    'deprecations.ts': banner + emitDeprecations(contract),
  }
}

/** The files that are built and not committed, by name. */
function documentsOf(contract: Contract): Record<string, string> {
  const publicDocument = emitPublicDocument(contract)
  const sources = readSources()
  const chapters = guideChapters(publicDocument, sources)
  return {
    'tools.json': emitTools(contract),
    'openapi.json': emitDocument(contract),
    'openapi.public.json': publicDocument,
    'openapi.3_0.json': emitOlderDocument(publicDocument),
    'postman.json': emitPostman(publicDocument),
    'llms.txt': emitLlms(publicDocument, chapters),
    'guide.json': emitGuide(chapters, sources),
  }
}

/** All files that follow from the contract, by name. */
export async function outputsOf(contract: Contract): Promise<Record<string, string>> {
  return { ...(await typesOf(contract)), ...codeOf(contract), ...documentsOf(contract) }
}

/**
 * `all` writes every outdated file, `service` those that the service runs on, `documents` only those that are
 * not committed, and `check` writes nothing: it lists the committed files that are outdated.
 */
export const modes = ['all', 'service', 'documents', 'check'] as const
export type Mode = (typeof modes)[number]

/** Returns the lines to report. */
export async function generate(options: {
  readonly contractFile: string
  readonly outDir: string
  readonly mode: Mode
}): Promise<{ ok: boolean; lines: string[] }> {
  const { contractFile, outDir, mode } = options
  const { contract, problems } = await readContract(await readFile(contractFile, 'utf8'))
  if (contract === undefined || problems.length > 0) {
    const file = basename(contractFile)
    const lines = problems.map(
      ({ line, subject, message }) => `${file}:${line} ${subject}: ${message}`,
    )
    return { ok: false, lines }
  }
  // Where the imports of the list point.
  const migrations = await readdir(join(outDir, '..', 'db', 'migrations'))
  const misnamed = migrationProblems(migrations)
  if (misnamed.length > 0) return { ok: false, lines: misnamed }

  const outputs = await outputsIn(mode, contract)
  if (mode !== 'documents')
    outputs['migrations.ts'] = bannerOf('src/db/migrations/') + emitMigrations(migrations)
  const stale: string[] = []
  for (const [name, text] of Object.entries(outputs)) {
    const file = join(outDir, name)
    if ((await textOf(file)) === text) continue
    stale.push(file)
    if (mode !== 'check') await write(file, text)
  }
  if (mode !== 'check') return { ok: true, lines: stale.map((file) => `${file} written`) }
  const lines = stale.map((file) => `${file} is out of date: run \`npm run codegen\``)
  return { ok: stale.length === 0, lines }
}

async function outputsIn(mode: Mode, contract: Contract): Promise<Record<string, string>> {
  if (mode === 'all') return outputsOf(contract)
  if (mode === 'documents') return documentsOf(contract)
  if (mode === 'service') return { ...codeOf(contract), ...documentsOf(contract) }
  return { ...(await typesOf(contract)), ...codeOf(contract) }
}

/** Renamed into place: a service may start from the same folder at this moment. */
async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  const draft = `${file}.${process.pid}`
  await writeFile(draft, text)
  await rename(draft, file)
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
