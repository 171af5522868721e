import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { testClientFile } from '../../../scripts/test_clients.mjs'
import { anImage, givenScene, type Scene } from '../../every_operation/fixtures.ts'
import { allCases } from '../../every_operation/turns.ts'
import { startService, type TestService } from '../../kit/service.ts'
import { type ClientName, programs } from './client_programs.ts'
import { partOf, type PublicDocument } from './part_of_document.ts'

const ourPackages = join(import.meta.dirname, '../../../node_modules')
const compiler = join(ourPackages, 'typescript-native/bin/tsc')

type Use = (url: string, key: string, workspaceId: string, picture: Uint8Array) => Promise<string[]>

const names = Object.keys(programs) as ClientName[]

let service: TestService
let scene: Scene
let folder: string
/** Where the generators are installed. */
let packages: string
let document: PublicDocument
beforeAll(async () => {
  packages = await testClientFile()
  service = await startService({ atOwnAddress: true })
  scene = await givenScene(service)
  folder = mkdtempSync(join(inject('scratchFolder'), 'clients-'))
  const { body } = await service.api().get('/v1/openapi.json').expect(200)
  document = body as PublicDocument
  // Two at a time: each takes a processor.
  const pending = names.values()
  const generateNext = async () => {
    for (const name of pending) await generate(name)
  }
  await Promise.all([generateNext(), generateNext()])
})
afterAll(() => service.close())

/** The program of each generator and its arguments, in the folder of its client. */
const generators: Record<ClientName, string[]> = {
  hey_api: ['@hey-api/openapi-ts/bin/run.js', '-i', 'openapi.json', '-o', 'client'],
  openapi_fetch: [
    'openapi-typescript/bin/cli.js',
    'openapi.json',
    '-o',
    'client.ts',
    '--default-non-nullable=false',
  ],
  orval: [
    'orval/dist/bin/orval.js',
    '--input',
    'openapi.json',
    '--output',
    'client.ts',
    '--client',
    'fetch',
  ],
  swagger_typescript_api: [
    'swagger-typescript-api/dist/cli.mjs',
    'generate',
    '--path',
    'openapi.json',
    '--output',
    '.',
    '--name',
    'client.ts',
  ],
  oazapfts: ['oazapfts/dist/cli.js', 'openapi.json', 'client.ts'],
  kubb: ['@kubb/cli/bin/kubb.cjs', 'generate', '--config', 'kubb.config.mjs'],
  zod_client: ['openapi-zod-client/bin.js', 'openapi.json', '-o', 'client.ts'],
}

/** kubb takes its settings from a file alone. How its code looks is left out: it takes half a minute. */
const kubbSettings = `
import { defineConfig } from '@kubb/core'
import { pluginClient } from '@kubb/plugin-client'
import { pluginOas } from '@kubb/plugin-oas'
import { pluginTs } from '@kubb/plugin-ts'

export default defineConfig({
  input: { path: 'openapi.json' },
  output: { path: './client', format: false },
  plugins: [pluginOas({ generators: [] }), pluginTs(), pluginClient({ client: 'fetch' })],
})
`

async function generate(name: ClientName): Promise<void> {
  const cwd = join(folder, name)
  mkdirSync(cwd)
  const part = allCases ? document : partOf(document, names.indexOf(name))
  writeFileSync(join(cwd, 'openapi.json'), JSON.stringify(part))
  writeFileSync(join(cwd, 'use.ts'), programs[name])
  if (name === 'kubb') writeFileSync(join(cwd, 'kubb.config.mjs'), kubbSettings)
  symlinkSync(packagesOf(name), join(cwd, 'node_modules'))
  const [program = '', ...args] = generators[name]
  const from = name === 'openapi_fetch' ? ourPackages : packages
  await run(cwd, join(from, program), ...args)
}

function packagesOf(name: ClientName): string {
  if (name === 'openapi_fetch') return ourPackages
  // Its clients need the versions of zod and zodios that it was made for.
  if (name === 'zod_client') return join(packages, 'openapi-zod-client', 'node_modules')
  return packages
}

const run = (cwd: string, file: string, ...args: string[]) =>
  promisify(execFile)(process.execPath, [file, ...args], { cwd })

/** The program of an integrator, bundled with its client. */
async function programOf(name: ClientName): Promise<Use> {
  const outfile = join(folder, `${name}.mjs`)
  const banner = "import { createRequire } from 'node:module'; const require = createRequire('/')"
  await build({
    entryPoints: [join(folder, name, 'use.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: { js: banner },
    nodePaths: [packages],
    logLevel: 'silent',
  })
  return ((await import(pathToFileURL(outfile).href)) as { use: Use }).use
}

describe('clients generated from the public document by seven generators', () => {
  test('compile under strict rules', async () => {
    const options =
      '--checkers 1 --noEmit --strict --target es2022 --module esnext --moduleResolution bundler'
    // kubb names the files that it imports in full.
    // Of several checkers, each works out the types that they share.
    const libraries = ['--lib', 'es2022,dom,dom.iterable', '--types', '', '--skipLibCheck']
    const others = [...libraries, '--allowImportingTsExtensions']
    const files = names.map((name) => `${name}/use.ts`)
    const said = await run(folder, compiler, ...options.split(' '), ...others, ...files).then(
      ({ stdout }) => stdout,
      ({ stdout }: { stdout: string }) => stdout,
    )
    expect(said).toBe('')
  })

  test.each(names)('create, read, update, list, upload and delete: %s', async (name) => {
    const use = await programOf(name)
    const { key, workspace } = scene
    const seen = await use(service.urls.api, key, workspace.id, new Uint8Array(anImage()))
    const [slug, ...others] = seen
    expect(slug).toMatch(/^rose-balm/)
    expect(others).toEqual(['4', 'Rose balm', 'dot.png', 'true'])
  })
})
