import { hashOf, isStamped, stamp } from './freshness.mjs'
import { runPackageScript } from './package_script.mjs'
import { documents } from './service_files.mjs'

const sources = ['openapi.yaml', 'codegen', '.github/guides', 'CHANGELOG.md', 'src/web/guide']

const hashOfDocuments = () =>
  hashOf([...sources, ...documents.map((name) => `src/generated/${name}`)])
const hashOfAll = () => hashOf([...sources, 'src/db/migrations', 'src/generated'])

/** Builds the documents that are not committed. Touches no committed file. */
export async function ensureDocuments() {
  if (isStamped('documents', hashOfDocuments())) return
  await codegen(' --documents')
  stamp('documents', hashOfDocuments())
}

/**
 * Regenerates everything, so that a service started after a change of the contract is up to date.
 */
export async function ensureGenerated() {
  if (isStamped('generated', hashOfAll())) return
  await codegen()
  stamp('generated', hashOfAll())
  stamp('documents', hashOfDocuments())
}

async function codegen(suffix) {
  const { ok, output } = await runPackageScript('codegen', suffix)
  if (ok) return
  console.error(output)
  process.exit(1)
}

// node scripts/ensure_generated.mjs: for a check that reads the documents.
if (process.argv[1] === import.meta.filename) await ensureDocuments()
