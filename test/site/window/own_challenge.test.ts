import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Challenge } from 'altcha-lib'
import { givenProduct } from '../../kit/catalogue.ts'
import { startService, type TestService, unique } from '../../kit/service.ts'
import { solutionOf } from '../../kit/solved_challenge.ts'
import { givenOpenShop, type OpenShop } from './shop_pages.ts'

let service: TestService
let shop: OpenShop
beforeAll(async () => {
  const env = {
    CHALLENGE_PROVIDER: 'turnstile',
    CHALLENGE_SITE_KEY: 'a-site-key',
    CHALLENGE_SECRET_KEY: 'a-secret-key',
  }
  service = await startService({ env })
  shop = await givenOpenShop(service)
})
afterAll(() => service.close())

const bootstrapPath = () => `/v1/workspaces/${shop.workspaceId}/experience/bootstrap`

test('a shop has our own challenge where the API has that of a third party', async () => {
  await givenProduct(shop)
  const { body: seen } = await shop.visit(bootstrapPath())
  expect(seen.challengeSiteKey).toBe(shop.workspaceId)
  const path = `/challenge?siteKey=${shop.workspaceId}&action=sign_in`
  const { status, body } = await shop.visit(path)
  expect(status).toBe(200)
  const challengeToken = await solutionOf(body as Challenge)
  const email = `${unique('visitor')}@example.com`
  const form = { step: 'code', name: 'Ece Demir', email }
  expect((await shop.send('/sign-in', form)).status).toBe(403)
  expect((await shop.send('/sign-in', { ...form, challengeToken })).status).toBe(303)
  expect(await service.codeFor(email)).toMatch(/^\d{6}$/)

  const headers = { 'X-Guest-Device-Id': unique('device') }
  const abroad = await shop.api.get(shop.at('experience/bootstrap')).set(headers).expect(200)
  expect(abroad.body.challengeSiteKey).toBe('a-site-key')
  await service.api().get(path).expect(404)
})
