import { afterAll, beforeAll, expect, test } from 'vitest'
import type { components } from '../../../src/generated/types.ts'
import { message, post as callTool, resultOf } from '../../kit/agents.ts'
import { givenProduct, givenShop, type Shop } from '../../kit/catalogue.ts'
import type { TestService } from '../../kit/service.ts'
import {
  expectAccessibleInBothSchemes,
  expectFitsPhone,
  startPages,
  type TestBrowser,
} from '../browser.ts'

type Schemas = components['schemas']

let service: TestService
let browser: TestBrowser
let shop: Shop
beforeAll(async () => {
  ;({ service, browser } = await startPages())
  shop = await givenShop(service)
})
afterAll(() => browser.close())

const stockOf = async (id: string) =>
  ((await shop.api.get(shop.at(`products/${id}`)).expect(200)).body as Schemas['Product']).stock

test('what agents do to many products waits for a person, who approves or refuses it', async () => {
  const { workspaceId } = shop
  const { token } = await service.givenAgent(shop.person, { name: 'Helper' })
  const call = async (name: string, given: object) => {
    const body = message('tools/call', { name, arguments: { workspaceId, ...given } })
    return resultOf(await callTool(service, body, { Authorization: `Bearer ${token}` }))
  }
  const { id } = await givenProduct(shop, { name: 'Balm', stock: 3 })
  const setStock = (stock: number) => ({
    data: { rows: [{ action: 'patch', id, data: { stock } }] },
  })
  const page = await browser.open({ cookie: shop.person.cookie })
  await page.goto('/integrations')
  const setting = page.getByLabel('Agents’ changes in A workspace need approval')
  expect(await setting.isChecked()).toBe(false)
  await page.getByText('It does not hold single changes').waitFor()
  await setting.check()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  await page.reload()
  await setting.and(page.locator(':checked')).waitFor()
  await expectAccessibleInBothSchemes(page)
  await expectFitsPhone(page)

  await call('write_products', setStock(40))
  const planned = await call('create_change_set', {
    data: { title: 'Restock', ...setStock(50).data },
  })
  const set = planned.structuredContent as Schemas['ChangeSet']
  await call('apply_change_set', { id: set.id })
  await page.goto(`/w/${workspaceId}/home`)
  const card = page.getByRole('region', { name: '2 changes wait for your approval' })
  await card.getByText('agent Helper · 1 changed').first().waitFor()
  const menu = page.getByRole('navigation', { name: 'Menu' })
  await menu.getByRole('link', { name: 'Changes 2' }).waitFor()
  await expectAccessibleInBothSchemes(page)
  await expectFitsPhone(page)
  const latest = page.getByRole('region', { name: 'Changed lately' })
  const entry = latest.getByRole('link', { name: 'Restock' }).first()
  expect(await entry.getAttribute('href')).toBe(`/w/${workspaceId}/changes/${set.id}`)
  await card.getByRole('link', { name: 'Several products, by Helper' }).click()
  await page.getByText('Helper wants to do this.').waitFor()
  await expectAccessibleInBothSchemes(page)
  await page.getByRole('button', { name: 'Refuse' }).click()
  await menu.getByRole('link', { name: 'Changes 1' }).waitFor()
  expect(await stockOf(id)).toBe(3)

  await menu.getByRole('link', { name: 'Changes 1' }).click()
  await page.getByRole('row', { name: 'Restock' }).getByText('Waiting for approval').waitFor()
  await page.getByRole('link', { name: 'Restock' }).click()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('button', { name: 'Undo' }).waitFor()
  await menu.getByRole('link', { name: 'Changes', exact: true }).waitFor()
  expect(await stockOf(id)).toBe(50)
})
