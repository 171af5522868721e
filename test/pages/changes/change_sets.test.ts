import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { components } from '../../../src/generated/types.ts'
import { lockSet, updateSet } from '../../../src/queries/change_sets/change_sets.ts'
import { queueSet } from '../../../src/queries/change_sets/queue.ts'
import {
  givenProduct,
  givenShop,
  type Product,
  productBody,
  type Shop,
} from '../../kit/catalogue.ts'
import type { TestService } from '../../kit/service.ts'
import {
  choose,
  expectAccessibleInBothSchemes,
  expectFitsPhone,
  type Page,
  startPages,
  type TestBrowser,
} from '../browser.ts'

type Schemas = components['schemas']

let service: TestService
let browser: TestBrowser
let shop: Shop
beforeAll(async () => {
  ;({ service, browser } = await startPages())
})
afterAll(() => browser.close())
beforeEach(async () => {
  shop = await givenShop(service)
})

async function open(path: string, expectedStatuses: number[] = []) {
  const page = await browser.open({ cookie: shop.person.cookie, expectedStatuses })
  await page.goto(`/w/${shop.workspaceId}/${path}`)
  return page
}

async function givenSet(rows: Schemas['ProductRow'][], title = 'Stocktaking') {
  const answer = await shop.api.post(shop.at('change-sets')).send({ title, rows }).expect(200)
  return answer.body as Schemas['ChangeSet']
}

const productOf = async (id: string) =>
  (await shop.api.get(shop.at(`products/${id}`)).expect(200)).body as Product

/** The names in the table of a plan, with what happens to them. */
const planned = (page: Page) =>
  page
    .getByRole('table', { name: 'Products' })
    .locator('tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) =>
        ['.clamp', '.pill', '.changes']
          .map((part) => (row.querySelector(part) as unknown as { innerText: string }).innerText)
          .map((text) => text.replace(/\s+/g, ' '))
          .join(' | '),
      ),
    )

describe('the page of a change set', () => {
  test('shows its plan, applies it without the problems, and undoes it', async () => {
    const balm = await givenProduct(shop, { name: 'Balm', stock: 3 })
    const soap = await givenProduct(shop, { name: 'Soap' })
    const before = await productOf(balm.id)
    const { id } = await givenSet([
      { action: 'patch', id: balm.id, data: { stock: { add: 10 }, status: 'INACTIVE' } },
      { action: 'patch', id: soap.id, data: { stock: -4, name: '' } },
      { action: 'delete', id: soap.id },
      { action: 'patch', sku: 'none', data: { stock: 1 } },
      { action: 'create', data: { ...productBody({ name: 'Lily' }), sku: 'L-1', barcode: '7' } },
    ])
    const page = await open('changes')
    await page.getByText('1 new, 1 changed, 1 deleted, 2 with problems').waitFor()
    await page.getByRole('link', { name: 'Stocktaking' }).click()
    await page.getByRole('heading', { name: 'Stocktaking', level: 1 }).waitFor()
    await expect
      .poll(() => planned(page))
      .toEqual([
        'Balm | Change | Stock 3 → 13 Status Active → Inactive',
        'Soap | Problem | Name Must not be empty. Stock At least 0.',
        'Soap | Deletion | ',
        'Without a name | Problem | SKU There is no such product.',
        'Lily | New | Name Lily Brand A brand SKU L-1 Barcode 7 Stock 3 Status Active Description Described. Details for the assistant Informed.',
      ])
    await expectAccessibleInBothSchemes(page)
    await expectFitsPhone(page)
    await page.getByRole('button', { name: 'Show the 2 problems' }).click()
    await expect.poll(async () => (await planned(page)).length).toBe(2)
    await page.reload()
    await choose(page.getByLabel('Show'), 'Only changes')
    await expect.poll(async () => (await planned(page)).length).toBe(3)

    await page.getByRole('button', { name: 'Apply' }).click()
    const skip = page.getByRole('dialog', { name: 'Leave 2 rows out?' })
    await skip.getByText('3 other products change.').waitFor()
    await skip.getByRole('button', { name: 'Apply the others' }).click()
    await page.getByText('Applied', { exact: true }).first().waitFor()
    expect(await productOf(balm.id)).toMatchObject({ stock: 13, status: 'INACTIVE' })
    await page.getByRole('button', { name: 'Undo' }).click()
    const undo = page.getByRole('dialog', { name: 'Undo the change of 3 products?' })
    await expectAccessibleInBothSchemes(page)
    await undo.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone', { exact: true }).first().waitFor()
    expect(await productOf(balm.id)).toEqual(before)
    await page.getByRole('link', { name: '‹ Changes' }).click()
    await page.getByRole('row', { name: 'Stocktaking' }).getByText('Undone').waitFor()
    expect((await shop.api.get(shop.at(`change-sets/${id}`))).body).toMatchObject({
      state: 'UNDONE',
      undoneBy: { type: 'OWNER' },
    })
  })

  test('names products that changed since the plan, and plans again', async () => {
    const { id } = await givenProduct(shop, { name: 'Balm', stock: 3 })
    const set = await givenSet([{ action: 'patch', id, data: { stock: { add: 10 } } }])
    const page = await open(`changes/${set.id}`, [409])
    await page.getByRole('button', { name: 'Apply' }).waitFor()
    const rename = shop.api.patch(shop.at(`products/${id}`)).send({ stock: 5 })
    await rename.expect(200)
    await page.getByRole('button', { name: 'Apply' }).click()
    const refusal = page.getByRole('alert')
    await refusal.getByText('The catalogue has changed since the plan.').waitFor()
    await refusal.getByRole('link', { name: 'Balm' }).waitFor()
    await expectAccessibleInBothSchemes(page)
    await refusal.getByRole('button', { name: 'Plan again' }).click()
    await expect.poll(() => planned(page)).toEqual(['Balm | Change | Stock 5 → 15'])
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    expect(await productOf(id)).toMatchObject({ stock: 15 })
  })

  test('discards a plan, and shows what another tab has done with it', async () => {
    const { id } = await givenProduct(shop, { name: 'Balm' })
    const set = await givenSet([{ action: 'delete', id }], 'Clearance')
    const [page, other] = [await open(`changes/${set.id}`, [409]), await open(`changes/${set.id}`)]
    await page.getByRole('button', { name: 'Apply' }).waitFor()
    await other.getByRole('button', { name: 'Discard' }).click()
    await other.getByText('Cancelled').first().waitFor()
    expect(await other.getByRole('button', { name: 'Apply' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByRole('alert').getByText('CANCELLED').waitFor()
    await page.getByText('Cancelled', { exact: true }).waitFor()
    expect((await productOf(id)).name).toBe('Balm')
  })

  test('follows a step in the background', async () => {
    const rows: Schemas['ProductRow'][] = Array.from({ length: 1000 }, () => ({
      action: 'create',
      data: { ...productBody() },
    }))
    const { id } = await givenSet(rows)
    await shop.api.post(shop.at(`change-sets/${id}/apply`)).expect(200)
    await givenProduct(shop)
    const select = { where: { stock: 'IN' }, change: { stock: 0 } }
    const planning = await shop.api.post(shop.at('change-sets')).send({ title: 'All', select })
    const page = await open(`changes/${(planning.body as Schemas['ChangeSet']).id}`)
    await page.getByText('1,001 changed').waitFor()
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    const left = await shop.api.get(shop.at('products?stock=IN&pageSize=1'))
    expect(left.body).toMatchObject({ pagination: { total: 0 } })
  })

  test('discards a change that waits to be applied, and says where it is being written', async () => {
    const { id } = await givenProduct(shop, { name: 'Balm' })
    const set = await givenSet([{ action: 'delete', id }], 'Clearance')
    const key = { workspaceId: shop.workspaceId, id: set.id }
    // As it is between two attempts, for longer than this test.
    await updateSet(service.db, key, { state: 'APPLYING' })
    await queueSet(service.db, key, 'write', new Date(service.now().getTime() + 3_600_000))
    const page = await open(`changes/${set.id}`, [409])
    const discard = page.getByRole('button', { name: 'Discard' })
    await discard.waitFor()
    const writer = await service.db.startTransaction().execute()
    await lockSet(writer, key, service.now())
    await discard.click()
    await page
      .getByRole('alert')
      .getByText('This change set is being written right now. Wait until that is done.')
      .waitFor()
    await writer.rollback().execute()
    await discard.click()
    await page.getByText('Cancelled', { exact: true }).first().waitFor()
    expect(await discard.count()).toBe(0)
    expect((await productOf(id)).name).toBe('Balm')
  })

  test('speaks Turkish, also in what is wrong', async () => {
    const account = { name: 'Ana', phone: null, language: 'tr' }
    await service.dashboard(shop.person).put('/api/account').send(account).expect(200)
    const { id } = await givenProduct(shop, { name: 'Balm' })
    const set = await givenSet([
      { action: 'patch', id, data: { stock: -1 } },
      { action: 'patch', sku: 'none', data: { stock: 1 } },
    ])
    const page = await open(`changes/${set.id}`)
    await page.getByText('2 sorunlu').waitFor()
    await page.getByText('En az 0.').waitFor()
    await page.getByText('Böyle bir ürün yok.').waitFor()
    expect(await page.getByRole('button', { name: 'Uygula' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Yeniden planla' }).waitFor()
  })
})
