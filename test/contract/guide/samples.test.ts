import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, inject, test } from 'vitest'
import type { OpenApiDocument } from '../../../codegen/document.ts'
import { samplesOf } from '../../../codegen/guide/samples.ts'
import { publicContract } from '../../../src/core/contract_documents.ts'
import { anImage } from '../../every_operation/fixtures.ts'
import { startRelay } from '../../kit/peers/relay.ts'
import { startService, unique } from '../../kit/service.ts'
import { peopleAround } from '../clients/people_around.ts'
import { type Language, runAllSamples } from './run_samples.ts'

const run = promisify(execFile)
const packages = join(import.meta.dirname, '../../../node_modules')
const hasPython = await run('python3', ['--version']).then(
  () => true,
  () => false,
)

const document = JSON.parse(publicContract('http://localhost:3000')) as OpenApiDocument

/** A reader's folder, with the files that samples send. */
function givenFolder(): string {
  const folder = mkdtempSync(join(inject('scratchFolder'), 'samples-'))
  writeFileSync(join(folder, 'picture.png'), anImage())
  writeFileSync(join(folder, 'products.csv'), 'name,brand,sku,barcode,stock\nSoap,Ana,S-1,S-1,3\n')
  return folder
}

/** Each language has a service of its own: samples make the same shop. */
async function runAll(language: Language) {
  const service = await startService({ atOwnAddress: true })
  const owner = await service.givenPerson({ workspaceLimit: 2 })
  const { key } = await service.givenKey(owner)
  const relay = await startRelay(service.urls.api, peopleAround(service, owner, key))
  const variables = {
    VITRINE_URL: relay.url,
    VITRINE_KEY: key,
    DEVICE_ID: unique('device'),
    CUSTOMER_CODE: '000000',
  }
  try {
    return await runAllSamples(document, language, { folder: givenFolder(), variables })
  } finally {
    await relay.close()
    await service.close()
  }
}

const allIds = samplesOf(document)
  .map(({ call }) => call.id)
  .sort()

// Each starts hundreds of programs in a row.
describe('the samples of every operation', { timeout: 600_000 }, () => {
  test('run as they stand in a shell with curl', async () => {
    const { ran, failures } = await runAll('sh')
    expect(failures).toEqual([])
    expect(ran.sort()).toEqual(allIds)
  })

  test('run as they stand in Node', async () => {
    const { ran, failures } = await runAll('ts')
    expect(failures).toEqual([])
    expect(ran.sort()).toEqual(allIds)
  })

  test.runIf(hasPython)('run as they stand in Python', async () => {
    const { ran, failures } = await runAll('python')
    expect(failures).toEqual([])
    expect(ran.sort()).toEqual(allIds)
  })

  test('compile as strict TypeScript', async () => {
    const folder = mkdtempSync(join(inject('scratchFolder'), 'samples-'))
    symlinkSync(packages, join(folder, 'node_modules'))
    mkdirSync(join(folder, 'samples'))
    const files = samplesOf(document).map(({ call, samples }) => {
      const file = join('samples', `${call.id}.ts`)
      const { code } = samples.find(({ language }) => language === 'ts')!
      writeFileSync(join(folder, file), `${code}\nexport {}\n`)
      return file
    })
    const options =
      '--noEmit --strict --target es2022 --module nodenext --types node --skipLibCheck'
    const compiler = join(packages, 'typescript-native/bin/tsc')
    const args = [compiler, ...options.split(' '), ...files]
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    const said = await run(process.execPath, args, { cwd: folder }).then(
      ({ stdout }) => stdout,
      ({ stdout }: { stdout: string }) => stdout,
    )
    expect(said).toBe('')
  })
})
