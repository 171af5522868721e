import { afterAll, beforeAll, expect, test } from 'vitest'
import { givenProduct } from '../../kit/catalogue.ts'
import { startService, type TestService } from '../../kit/service.ts'
import { givenOpenShop, type OpenShop } from './shop_pages.ts'

let service: TestService
let shop: OpenShop
beforeAll(async () => {
  service = await startService({ env: { RATE_LIMIT_PER_MINUTE: '120' } })
  shop = await givenOpenShop(service)
})
afterAll(() => service.close())

test('an address searches a shop sixty times a minute, and reads it as often as it likes', async () => {
  const statuses: number[] = []
  for (let count = 0; count < 61; count++)
    statuses.push((await shop.visit('/search?q=rose')).status)
  expect(statuses).toEqual([...Array.from({ length: 60 }, () => 200), 429])
  const refused = await shop.visit('/search?q=soap')
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '60'])
  expect(refused.text).toContain('There have been many searches from here.')
  expect((await shop.visit('/products')).status).toBe(200)
})

test('more clicks of an address lead on, but are not counted', async () => {
  const sales = [{ name: 'Shop', link: 'https://shop.example/rose' }]
  const { slug } = await givenProduct(shop, { name: 'Rose balm', sales })
  // Several people: nobody is believed so many clicks a second.
  const visitAs = (count: number) =>
    shop.visit(`/out/${slug}/0`, { 'User-Agent': `Browser ${count % 10}` })
  for (let count = 0; count < 62; count++) expect((await visitAs(count)).status).toBe(302)
  await service.app.figures.flush()
  const counted = await service.db
    .selectFrom('site_counts')
    .select('count')
    .where('workspace_id', '=', shop.workspaceId)
    .where('kind', '=', 'click')
    .execute()
  expect(counted).toEqual([{ count: 60 }])
})
