import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { readContract } from './contract.ts'
import type { Contract } from './model.ts'
import { emitLimits } from './limits.ts'
import { emitOperations } from './operations.ts'
import { emitDocument, emitPublicDocument } from './public_document.ts'
import { emitRoles } from './roles.ts'
import { emitTools } from './tools.ts'
import { emitTypes } from './types.ts'

const banner = '// Generated from openapi.yaml by `npm run codegen`. Do not edit.\n\n'

/** Generated texts by file name. */
export async function outputsOf(contract: Contract): Promise<Record<string, string>> {
  return {
    'types.ts': banner + (await emitTypes(contract)),
    'operations.ts': banner + emitOperations(contract),
    'limits.ts': banner + emitLimits(contract),
    'roles.ts': banner + emitRoles(contract),
    'tools.json': emitTools(contract),
    'openapi.json': emitDocument(contract),
    'openapi.public.json': emitPublicDocument(contract),
  }
}

/** Writes outdated files, or with `check` only lists them. Returns the lines to report. */
export async function generate(options: {
  readonly contractFile: string
  readonly outDir: string
  readonly check: boolean
}): Promise<{ ok: boolean; lines: string[] }> {
  const { contractFile, outDir, check } = options
  const { contract, problems } = await readContract(await readFile(contractFile, 'utf8'))
  if (contract === undefined || problems.length > 0) {
    const file = basename(contractFile)
    const lines = problems.map(
      ({ line, subject, message }) => `${file}:${line} ${subject}: ${message}`,
    )
    return { ok: false, lines }
  }

  const stale: string[] = []
  for (const [name, text] of Object.entries(await outputsOf(contract))) {
    const file = join(outDir, name)
    if ((await textOf(file)) === text) continue
    stale.push(file)
    if (check) continue
    await mkdir(outDir, { recursive: true })
    await writeFile(file, text)
  }
  if (!check) return { ok: true, lines: stale.map((file) => `${file} written`) }
  const lines = stale.map((file) => `${file} is out of date: run \`npm run codegen\``)
  return { ok: stale.length === 0, lines }
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
