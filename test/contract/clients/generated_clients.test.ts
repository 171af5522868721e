import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { anImage, givenScene, type Scene } from '../../every_operation/fixtures.ts'
import { testClientFile } from '../../../scripts/test_clients.mjs'
import { startService, type TestService } from '../../kit/service.ts'

const compiler = join(import.meta.dirname, '../../../node_modules/typescript-native/bin/tsc')

/** What an integrator writes: one call of each kind, typed by the generated client. */
type Use = (url: string, key: string, workspaceId: string, picture: Uint8Array) => Promise<string[]>

const heyApi = `
import { client } from './client/client.gen'
import * as sdk from './client/sdk.gen'

export async function use(
  url: string, key: string, workspaceId: string, picture: Uint8Array<ArrayBuffer>,
): Promise<string[]> {
  client.setConfig({ baseUrl: url, auth: ({ scheme }) => (scheme === 'bearer' ? key : undefined) })
  const fields = {
    name: 'Rose balm', brand: 'Ana', sku: 'H-1', barcode: 'H-1', stock: 3, information: 'Rose oil.',
  }
  const all = { path: { workspaceId }, throwOnError: true as const }
  const created = await sdk.createProduct({ ...all, body: { ...fields, status: 'INACTIVE' } })
  const one = { path: { workspaceId, id: created.data.id }, throwOnError: true as const }
  const { data: read } = await sdk.getProduct(one)
  const { data: updated } = await sdk.updateProduct({ ...one, body: {
    ...fields, stock: 4, status: 'ACTIVE', description: '', imageIds: [], tagIds: [], sales: [],
  } })
  const { data: listed } = await sdk.listProducts({ ...all, query: { status: ['ACTIVE', 'DELETED'] } })
  const files = [new File([picture], 'dot.png', { type: 'image/png' })]
  const { data: stored } = await sdk.uploadMediaFiles({ ...all, body: { files } })
  const { data: removed } = await sdk.deleteProduct(one)
  const asked = { message: 'Hello', productId: 'prod_unknown', thinkingLevel: 'LOW' as const }
  const chat = await sdk.chatAboutProduct({ path: { workspaceId }, body: asked })
  const refused: string = chat.data?.response ?? chat.error?.code ?? ''
  return [
    read.slug, String(updated.stock), listed.products.map(({ name }) => name).join(),
    stored.media.map(({ fileName }) => fileName).join(), String(removed.deleted), refused,
  ]
}
`

const zodClient = `
import { createApiClient } from './client/client'

export async function use(
  url: string, key: string, workspaceId: string, picture: Uint8Array<ArrayBuffer>,
): Promise<string[]> {
  const headers = { Authorization: 'Bearer ' + key }
  const api = createApiClient(url, { axiosConfig: { headers } })
  const fields = {
    name: 'Rose balm', brand: 'Ana', sku: 'Z-1', barcode: 'Z-1', stock: 3, information: 'Rose oil.',
  }
  const all = { params: { workspaceId } }
  const { id } = await api.create_product({ ...fields, status: 'INACTIVE' }, all)
  const one = { params: { workspaceId, id } }
  const { slug } = await api.get_product(one)
  const { stock } = await api.update_product({
    ...fields, stock: 4, status: 'ACTIVE', description: '', imageIds: [], tagIds: [], sales: [],
  }, one)
  const { products } = await api.list_products({ ...all, queries: { status: ['ACTIVE', 'DELETED'] } })
  // Zodios cannot send a list of files, so the image goes as JSON.
  const base64 = btoa(String.fromCharCode(...picture))
  const image = { fileName: 'dot.png', mimeType: 'image/png' as const, base64 }
  const { fileName } = await api.upload_media(image, all)
  const { deleted } = await api.delete_product(undefined, one)
  return [
    slug, String(stock), products.map(({ name }) => name).join(), fileName, String(deleted),
  ]
}
`

let service: TestService
let scene: Scene
let folder: string
/** Where the generators are installed. */
let packages: string
beforeAll(async () => {
  packages = await testClientFile()
  service = await startService({ atOwnAddress: true })
  scene = await givenScene(service)
  folder = mkdtempSync(join(inject('scratchFolder'), 'clients-'))
  const { text } = await service.api().get('/v1/openapi.json').expect(200)
  writeFileSync(join(folder, 'openapi.json'), text)
  await Promise.all([generateHeyApi(), generateZodClient()])
})
afterAll(() => service.close())

const run = (file: string, ...args: string[]) =>
  promisify(execFile)(process.execPath, [file, ...args], { cwd: folder })

async function generateHeyApi(): Promise<void> {
  mkdirSync(join(folder, 'hey_api'))
  writeFileSync(join(folder, 'hey_api', 'use.ts'), heyApi)
  const output = ['-i', 'openapi.json', '-o', 'hey_api/client', '--no-log-file']
  await run(join(packages, '@hey-api/openapi-ts/bin/run.js'), ...output)
}

async function generateZodClient(): Promise<void> {
  mkdirSync(join(folder, 'zod_client', 'client'), { recursive: true })
  writeFileSync(join(folder, 'zod_client', 'use.ts'), zodClient)
  // Its clients need the versions of zod and zodios that it was made for.
  const needed = join(packages, 'openapi-zod-client', 'node_modules')
  symlinkSync(needed, join(folder, 'zod_client', 'node_modules'))
  const output = ['openapi.json', '-o', 'zod_client/client/client.ts']
  await run(join(packages, 'openapi-zod-client/bin.js'), ...output)
}

/** The program of an integrator, bundled with its client. */
async function programOf(name: string): Promise<Use> {
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

describe('a client generated from the public document', () => {
  test('compiles under strict rules', async () => {
    const settings = '--noEmit --strict --target es2022 --module esnext --moduleResolution bundler'
    const libraries = ['--lib', 'es2022,dom,dom.iterable', '--types', '', '--skipLibCheck']
    const programs = ['hey_api/use.ts', 'zod_client/use.ts']
    const output = await run(compiler, ...settings.split(' '), ...libraries, ...programs).then(
      ({ stdout }) => stdout,
      ({ stdout }: { stdout: string }) => stdout,
    )
    expect(output).toBe('')
  })

  // A chat has a stream beside its JSON: a client must still ask for the JSON and read it.
  test.each([
    ['hey_api', ['visitor_required']],
    ['zod_client', []],
  ])('creates, reads, updates, lists, uploads and deletes: %s', async (name, chats) => {
    const use = await programOf(name)
    const { key, workspace } = scene
    const seen = await use(service.urls.api, key, workspace.id, new Uint8Array(anImage()))
    const [slug, ...others] = seen
    expect(slug).toMatch(/^rose-balm/)
    expect(others).toEqual(['4', 'Rose balm', 'dot.png', 'true', ...chats])
  })
})
