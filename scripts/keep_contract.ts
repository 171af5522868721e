// Keeps what integrators and agents see of this build, as a release: `npm run keep:contract` writes the
// public document and the list of tools into test/contract/releases/, under today's date or the date
// given as an argument. `npm test` compares every later build with it. Run it on the commit that is
// released, after `## Unreleased` in CHANGELOG.md has become that date.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { readContract } from '../codegen/contract.ts'
import { emitPublicDocument } from '../codegen/public_document.ts'
import { emitTools } from '../codegen/tools.ts'

const root = join(import.meta.dirname, '..')
const [day = new Date().toISOString().slice(0, 10)] = process.argv.slice(2)
if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) throw new Error(`${day} is not a date such as 2026-11-16.`)

const { contract, problems } = await readContract(readFileSync(join(root, 'openapi.yaml'), 'utf8'))
if (contract === undefined || problems.length > 0)
  throw new Error('The contract breaks a rule: see `npm run codegen`.')

// One object of the two, without their spaces.
const release: unknown = JSON.parse(
  `{"document":${emitPublicDocument(contract)},"tools":${emitTools(contract)}}`,
)
const file = join(root, 'test', 'contract', 'releases', `${day}.json.gz`)
// A release that has been kept is never changed: its clients go on as they are.
writeFileSync(file, gzipSync(JSON.stringify(release), { level: 9 }), { flag: 'wx' })
console.log(`${file} written`)
