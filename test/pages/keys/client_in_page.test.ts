import { once } from 'node:events'
import { mkdtempSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { buildClient } from '../../../scripts/client/build.ts'
import { adjustCredits } from '../../../src/domain/credits/wallet.ts'
import { givenProduct, givenShop, type Shop } from '../../kit/catalogue.ts'
import { type TestService, unique } from '../../kit/service.ts'
import { givenCustomer } from '../../kit/visitors.ts'
import { startPages, type TestBrowser } from '../browser.ts'

let service: TestService
let browser: TestBrowser
let shop: Shop
let host: Server
let folder: string
beforeAll(async () => {
  ;({ service, browser } = await startPages())
  shop = await givenShop(service)
  const now = service.now()
  const move = { credits: 10, reason: 'For a chat', reference: unique('call'), now }
  await service.db.transaction().execute((trx) => adjustCredits(trx, shop.workspaceId, move))
  folder = await buildClient(join(mkdtempSync(join(inject('scratchFolder'), 'client-')), 'built'))
  // A host of files: the client as it was built, and a page.
  host = createServer(({ url = '' }, response) => {
    const [, file] = /^\/client\/(\w+\.js)$/.exec(url) ?? []
    if (file !== undefined)
      return response
        .setHeader('Content-Type', 'text/javascript')
        .end(readFileSync(join(folder, file)))
    response.setHeader('Content-Type', 'text/html; charset=utf-8').end(page)
  })
  await once(host.listen(0, '127.0.0.1'), 'listening')
})
afterAll(async () => {
  // First: it may hold a connection on which nothing was ever asked.
  await browser.close()
  await once(host.close(), 'close')
})

const page = `<!doctype html><link rel="icon" href="data:," /><pre></pre><script type="module">
  import { createClient, VitrineError } from '/client/index.js'
  const { token, productId, ...options } = JSON.parse(decodeURIComponent(location.hash.slice(1)))
  const vitrine = createClient({ ...options, headers: () => ({ 'X-Visitor-Token': token }) })
  const names = []
  for await (const { name } of vitrine.rows('list_published_products', { query: { pageSize: 1 } }))
    names.push(name)
  let words = ''
  let whole = ''
  const body = { message: 'Is it for dry skin?', productId }
  for await (const event of vitrine.stream('chat_about_product', { body })) {
    if (event.type === 'words') words += event.text
    if (event.type === 'again') words = ''
    if (event.type === 'answer') whole = event.answer.response
  }
  const refusal = await vitrine.get_published_product({ path: { productId: 'none' } }).catch((error) => error)
  const named = refusal instanceof VitrineError && refusal.requestId !== null ? refusal.code : 'no refusal'
  document.querySelector('pre').textContent = JSON.stringify({ names, words, whole, named })
</script>`

test('the typed client lists, chats and names its errors in a page without a backend', async () => {
  const { id } = await givenProduct(shop, {
    name: 'Rose balm',
    description: 'Rich care for dry skin.',
  })
  await givenProduct(shop, { name: 'Olive soap' })
  const { token } = await givenCustomer({ service, workspace: { id: shop.workspaceId } })
  const origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`
  const { body } = await service
    .dashboard(shop.person)
    .post(`/api/workspaces/${shop.workspaceId}/publishable-keys`)
    .send({ name: 'Pages', origins: [origin] })
    .expect(201)
  const { workspaceId } = shop
  const options = { baseUrl: service.urls.api, key: body.key as string, workspaceId, token }
  const opened = await browser.open({ origin, elsewhere: [origin], expectedStatuses: [404] })
  await opened.goto(`/#${encodeURIComponent(JSON.stringify({ ...options, productId: id }))}`)
  const printed = opened.locator('pre', { hasText: '{' })
  const { names, words, whole, named } = JSON.parse((await printed.textContent())!) as Record<
    'names' | 'words' | 'whole' | 'named',
    string
  >
  expect([names, named]).toEqual([['Olive soap', 'Rose balm'], 'not_found'])
  expect(whole).toContain('Rich care for dry skin.')
  expect(words.trim()).toBe(whole.trim())
})
