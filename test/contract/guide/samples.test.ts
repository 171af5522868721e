import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, inject, test } from 'vitest'
import type { OpenApiDocument } from '../../../codegen/document.ts'
import { samplesOf } from '../../../codegen/guide/samples.ts'
import { publicContract } from '../../../src/core/contract_documents.ts'
import { anImage } from '../../every_operation/fixtures.ts'
import { allCases } from '../../every_operation/turns.ts'
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

/** Each run has a service of its own: samples make the same shop. */
async function runAll(languages: Language[]) {
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
    return await runAllSamples(document, languages, { folder: givenFolder(), variables })
  } finally {
    await relay.close()
    await service.close()
  }
}

const allIds = samplesOf(document)
  .map(({ call }) => call.id)
  .sort()

const languages: Language[] = hasPython ? ['sh', 'ts', 'python'] : ['sh', 'ts']
/** Every sample on demand; else one of each operation, whose samples are made of one description. */
const runs = allCases ? languages.map((language) => [language]) : [languages]

// Each starts hundreds of programs in a row.
describe('the samples of every operation', { timeout: 600_000 }, () => {
  test.for(runs)('run as they stand: %s', async (inTurns) => {
    const { ran, failures } = await runAll(inTurns)
    expect(failures).toEqual([])
    expect(ran.sort()).toEqual(allIds)
  })

  /** Writes all of a language into a folder; answers their names. */
  function writeSamples(folder: string, wanted: Language, extension: string): string[] {
    mkdirSync(join(folder, 'samples'))
    return samplesOf(document).map(({ call, samples }) => {
      const file = join('samples', `${call.id}.${extension}`)
      const { code } = samples.find(({ language }) => language === wanted)!
      writeFileSync(join(folder, file), wanted === 'ts' ? `${code}\nexport {}\n` : code)
      return file
    })
  }

  test.runIf(hasPython)('are well-formed Python', async () => {
    const folder = givenFolder()
    const files = writeSamples(folder, 'python', 'py')
    const program = 'import sys\nfor f in sys.argv[1:]: compile(open(f).read(), f, "exec")'
    await run('python3', ['-c', program, ...files], { cwd: folder })
  })

  test('compile as strict TypeScript', async () => {
    const folder = mkdtempSync(join(inject('scratchFolder'), 'samples-'))
    symlinkSync(packages, join(folder, 'node_modules'))
    const files = writeSamples(folder, 'ts', 'ts')
    const options =
      '--checkers 1 --noEmit --strict --target es2022 --module nodenext --types node --skipLibCheck'
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
