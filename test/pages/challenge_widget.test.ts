import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import express from 'express'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { givenScene } from '../every_operation/fixtures.ts'
import { unique, type TestService } from '../kit/service.ts'
import { startPages, type TestBrowser } from './browser.ts'

const root = join(import.meta.dirname, '..', '..')
const guide = readFileSync(join(root, '.github', 'guides', 'visitors.md'), 'utf8')
const [, lines = ''] = /```html\n([^]*?)```/.exec(guide) ?? []
const packageFolder = join(root, 'node_modules', 'altcha')

let service: TestService
let browser: TestBrowser
beforeAll(async () => {
  ;({ service, browser } = await startPages())
})
afterAll(() => browser.close())

test("the guide's lines solve the challenge, and the sign-in code is mailed", async () => {
  const { key, workspace } = await givenScene(service)
  const at = `/v1/workspaces/${workspace.id}/experience`
  const device = { 'X-Guest-Device-Id': unique('device') }
  const bootstrap = await service.api(key).get(`${at}/bootstrap`).set(device).expect(200)
  const siteKey = String(bootstrap.body.challengeSiteKey)
  const answers: number[] = []
  const shop = express()
  shop.get('/', (_request, response) => response.type('html').send(pageFor(siteKey)))
  shop.get('/altcha.js', (_request, response) =>
    response.sendFile(join(packageFolder, 'dist', 'main', 'altcha.js')),
  )
  shop.post('/api/sign-in/code', express.json(), async (request, response) => {
    const { status } = await service
      .api(key)
      .post(`${at}/customer/otp/request`)
      .send(request.body as object)
    answers.push(status)
    response.status(status).json({})
  })
  const server = shop.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const page = await browser.open({ origin, elsewhere: [origin] })
  await page.goto(origin)
  const email = `${unique('shopper')}@example.com`
  await page.getByLabel('Name').fill('Ece Demir')
  await page.getByLabel('Email').fill(email)
  await page.locator('input[name=challengeToken][value]').waitFor({ state: 'attached' })
  const answered = page.waitForResponse('**/api/sign-in/code')
  await page.getByRole('button', { name: 'Mail me a code' }).click()
  await answered
  expect(answers).toEqual([202])
  expect(await service.codeFor(email)).toMatch(/^\d{6}$/)
  server.close()
})

test('the guide, the texts and the tested widget name one version', () => {
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as {
    version: string
  }
  expect(lines).toContain(`altcha@${version}/`)
  for (const language of ['en', 'tr']) {
    const file = join(root, 'src', 'texts', language, 'service.json')
    const texts = JSON.parse(readFileSync(file, 'utf8')) as { refusals: Record<string, string> }
    expect(texts.refusals.challengeRequired).toContain(`altcha ${version}`)
  }
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toMatch(
    new RegExp(`altcha\\s${version.replaceAll('.', '\\.')}`),
  )
})

/** The guide's lines with the addresses filled in; the widget comes from the package, not a CDN. */
function pageFor(siteKey: string): string {
  const filled = lines
    .replace(/src="[^"]*"/, 'src="/altcha.js"')
    .replace('VITRINE_URL', service.urls.api)
    .replace('SITE_KEY', siteKey)
  return `<!doctype html><html lang="en"><title>Shop</title>${filled}</html>`
}
