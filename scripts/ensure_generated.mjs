import { hashOf, isStamped, stamp } from './freshness.mjs'
import { runPackageScript } from './package_script.mjs'

const sources = ['openapi.yaml', 'codegen']
const documents = ['openapi.json', 'openapi.public.json', 'tools.json']

const hashOfDocuments = () =>
  hashOf([...sources, ...documents.map((name) => `src/generated/${name}`)])
const hashOfAll = () => hashOf([...sources, 'src/generated'])

/** The documents that are built and not committed. No committed file is touched. */
export async function ensureDocuments() {
  if (isStamped('documents', hashOfDocuments())) return
  await codegen(' --documents')
  stamp('documents', hashOfDocuments())
}

/** All that is generated, so that a service started after a change of the contract has it. */
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
