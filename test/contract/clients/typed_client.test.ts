import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { buildClient } from '../../../scripts/client/build.ts'
import { adjustCredits } from '../../../src/domain/credits/wallet.ts'
import { givenProduct, givenShop, type Shop } from '../../kit/catalogue.ts'
import { startService, type TestService, unique } from '../../kit/service.ts'
import { givenCustomer } from '../../kit/visitors.ts'

const compiler = join(import.meta.dirname, '../../../node_modules/typescript-native/bin/tsc')

/** What an integrator writes, checked by the types alone where it says so. */
const program = `
import { createClient, type Row, VitrineError, verifyWebhook } from 'vitrine-client'

export { createClient, VitrineError, verifyWebhook }

export async function use(url: string, key: string, workspaceId: string): Promise<string[]> {
  const vitrine = createClient({ baseUrl: url, key, workspaceId })
  const tag = await vitrine.create_tag({ body: { name: 'Night care' } })
  const created = await vitrine.create_product({
    body: {
      name: 'Rose balm', brand: 'Ana', sku: 'T-1', barcode: 'T-1', stock: 3, status: 'INACTIVE',
      information: 'Rose oil.', tagIds: [tag.id],
    },
  })
  const path = { id: created.id }
  const patched = await vitrine.patch_product({ path, body: { stock: 4, status: 'ACTIVE' } })
  const names: string[] = []
  for await (const product of vitrine.rows('list_products', { query: { pageSize: 1, status: ['ACTIVE'] } })) {
    const row: Row<'list_products'> = product
    names.push(row.name ?? '')
  }
  const changed: string[] = []
  for await (const change of vitrine.rows('list_changes', { query: { limit: 1 } })) changed.push(change.id)
  if (!changed.includes(created.id)) throw new Error('The feed has no such change.')
  const form = new FormData()
  form.append('files', new File([Uint8Array.from(atob('${'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGM4oREAAAL8AUG9l90/AAAAAElFTkSuQmCC'}'), (c) => c.charCodeAt(0))], 'dot.png', { type: 'image/png' }))
  const { media } = await vitrine.upload_media_files({ body: form })
  const { deleted } = await vitrine.delete_product({ path })
  let code: VitrineError['code'] | undefined
  try {
    await vitrine.get_product({ path })
  } catch (error) {
    if (error instanceof VitrineError && error.requestId) code = error.code
  }
  // @ts-expect-error: a product has a name
  const misnamed = () => vitrine.create_product({ body: { title: 'Rose balm' } })
  // @ts-expect-error: the path has an id
  const unnamed = () => vitrine.get_product({})
  void [misnamed, unnamed]
  return [String(patched.stock), names.sort().join(), media.map(({ fileName }) => fileName).join(), String(deleted), String(code)]
}

export async function chat(url: string, key: string, workspaceId: string, productId: string, token: string) {
  const vitrine = createClient({ baseUrl: url, key, workspaceId, headers: () => ({ 'X-Visitor-Token': token }) })
  let words = ''
  let whole = ''
  for await (const event of vitrine.stream('chat_about_product', { body: { message: 'Is it for dry skin?', productId } })) {
    if (event.type === 'words') words += event.text
    else if (event.type === 'again') words = ''
    else whole = event.answer.response
  }
  return { words, whole }
}
`

interface Program {
  use: (url: string, key: string, workspaceId: string) => Promise<string[]>
  chat: (...args: string[]) => Promise<{ words: string; whole: string }>
  createClient: (options: object) => Record<string, (input: object) => Promise<unknown>>
  VitrineError: new () => Error
  verifyWebhook: (secret: string, headers: object, body: string, now?: number) => Promise<unknown>
}

let service: TestService
let shop: Shop
let folder: string
let client: Program
beforeAll(async () => {
  service = await startService()
  shop = await givenShop(service)
  folder = mkdtempSync(join(inject('scratchFolder'), 'typed-client-'))
  const built = await buildClient(join(folder, 'built'))
  const run = promisify(execFile)
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: built,
  })
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }]
  const project = join(folder, 'project')
  mkdirSync(project)
  writeFileSync(
    join(project, 'package.json'),
    '{ "name": "shop", "type": "module", "private": true }',
  )
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', join(folder, filename)], {
    cwd: project,
  })
  writeFileSync(join(project, 'use.ts'), program)
  const options =
    '--checkers 1 --strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --target es2023'
  const libraries = ['--module', 'nodenext', '--lib', 'es2023,dom,dom.asynciterable', '--types', '']
  await run(process.execPath, [compiler, ...options.split(' '), ...libraries, 'use.ts'], {
    cwd: project,
  }).catch(({ stdout: said }: { stdout: string }) => expect(said).toBe(''))
  client = (await import(pathToFileURL(join(project, 'use.js')).href)) as Program
})
afterAll(() => service.close())

describe('the typed client, installed from its archive in a strict project', () => {
  test('creates, patches, lists over pages, uploads, deletes and names its errors', async () => {
    await givenProduct(shop, { name: 'Olive soap' })
    const seen = await client.use(service.urls.api, shop.key, shop.workspaceId)
    expect(seen).toEqual(['4', 'Olive soap,Rose balm', 'dot.png', 'true', 'not_found'])
  })

  test('streams a chat, whose words are its answer', async () => {
    const now = service.now()
    const move = { credits: 10, reason: 'For a chat', reference: unique('call'), now }
    await service.db.transaction().execute((trx) => adjustCredits(trx, shop.workspaceId, move))
    const { id } = await givenProduct(shop, { description: 'Rich care for dry skin.' })
    const { token } = await givenCustomer({ service, workspace: { id: shop.workspaceId } })
    const { words, whole } = await client.chat(
      service.urls.api,
      shop.key,
      shop.workspaceId,
      id,
      token,
    )
    expect(whole).toContain('Rich care for dry skin.')
    expect(words.trim()).toBe(whole.trim())
  })

  test('tries again with the same Idempotency-Key, so that one product is made', async () => {
    const keys: unknown[] = []
    const answers = [503, 429, 0]
    const flaky = createServer((request: IncomingMessage, response: ServerResponse) => {
      keys.push(request.headers['idempotency-key'])
      const status = answers.shift()
      if (status === 0) return request.socket.destroy()
      if (status === undefined)
        return response.setHeader('Content-Type', 'application/json').end('{"id":"tag_1"}')
      response.writeHead(status, { 'Retry-After': '0' }).end('{}')
    })
    await once(flaky.listen(0, '127.0.0.1'), 'listening')
    const baseUrl = `http://127.0.0.1:${(flaky.address() as AddressInfo).port}`
    const vitrine = client.createClient({ baseUrl, key: 'any', workspaceId: 'ws_1' })
    expect(await vitrine['create_tag']!({ body: { name: 'Night' } })).toEqual({ id: 'tag_1' })
    expect(keys).toHaveLength(4)
    expect(new Set(keys).size).toBe(1)
    // A create without such a key is sent once.
    answers.push(503)
    await expect(vitrine['create_webhook']!({ body: {} })).rejects.toMatchObject({ status: 503 })
    expect(keys).toHaveLength(5)
    flaky.closeAllConnections()
    await once(flaky.close(), 'close')
  })

  test('verifies what a webhook is told, and nothing else', async () => {
    const secret = `whsec_${Buffer.from('a secret of 32 bytes, or nearly so').toString('base64')}`
    const body = '{"type":"product.changed"}'
    const now = new Date()
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign('msg_1', now, body),
    }
    expect(await client.verifyWebhook(secret, headers, body)).toEqual({ type: 'product.changed' })
    await expect(client.verifyWebhook(secret, headers, `${body} `)).rejects.toThrow('No signature')
    const later = now.getTime() + 301_000
    await expect(client.verifyWebhook(secret, headers, body, later)).rejects.toThrow('too old')
  })
})
