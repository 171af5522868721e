import { hashOf, isStamped, stamp } from './freshness.mjs'
import { runPackageScript } from './package_script.mjs'
import { documents } from './service_files.mjs'

const sources = ['openapi.yaml', 'codegen', '.github/guides', 'CHANGELOG.md', 'src/web/guide']

const hashOfDocuments = () =>
  hashOf([...sources, ...documents.map((name) => `src/generated/${name}`)])
const hashOfAll = () => hashOf([...sources, 'src/db/migrations', 'src/generated'])

/** What each script of codegen writes, from the least to the most. */
const scopes = [
  { name: 'documents', script: 'codegen:documents', hash: hashOfDocuments },
  { name: 'service', script: 'codegen:service', hash: hashOfAll },
  { name: 'generated', script: 'codegen:all', hash: hashOfAll },
]

async function ensure(name) {
  const at = scopes.findIndex((scope) => scope.name === name)
  const { script, hash } = scopes[at]
  if (isStamped(name, hash())) return
  const { ok, output } = await runPackageScript(script)
  if (!ok) {
    console.error(output)
    process.exit(1)
  }
  for (const scope of scopes.slice(0, at + 1)) stamp(scope.name, scope.hash())
}

/** Writes the documents that are not committed. Touches no committed file. */
export const ensureDocuments = () => ensure('documents')

/** Whether what the service runs on is up to date. */
export const isServed = () => isStamped('service', hashOfAll())

/** Writes what the service runs on, so that one started after a change of the contract is up to date. */
export const ensureServed = () => ensure('service')

/** Writes everything; the types need the packages for development. */
export const ensureGenerated = () => ensure('generated')

// node scripts/ensure_generated.mjs: for a check that reads the documents.
if (process.argv[1] === import.meta.filename) await ensureDocuments()
