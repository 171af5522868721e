import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  editable,
  givenProduct,
  givenShop,
  givenTag,
  type Product,
  type Shop,
} from '../kit/catalogue.ts'
import { givenMember } from '../every_operation/fixtures.ts'
import type { Person, TestService } from '../kit/service.ts'
import { holdRequests, onePixel, type Page, startPages, type TestBrowser } from './browser.ts'

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

const read = async (path: string) => (await shop.api.get(shop.at(path)).expect(200)).body as unknown

async function open(path: string, expectedStatuses: number[] = []) {
  const page = await browser.open({ cookie: shop.person.cookie, expectedStatuses })
  await page.goto(`/w/${shop.workspaceId}/${path}`)
  return page
}

async function endSessions() {
  await service.db
    .deleteFrom('dashboard_sessions')
    .where('account_id', '=', shop.person.accountId)
    .execute()
}

/** Reloads a page that asks whether to leave, and leaves. */
async function reloadAnyway(page: Page) {
  page.once('dialog', (dialog) => void dialog.accept())
  await page.reload()
}

const changeBehind = (product: Product, change: Partial<Product>) =>
  shop.api
    .put(shop.at(`products/${product.id}`))
    .send({ ...editable(product), ...change })
    .expect(200)

describe('a save', () => {
  test('waits for the uploads of its pictures', async () => {
    const page = await open('products/new')
    const arrive = await holdRequests(page, '**/media/upload', 'POST')
    await page.getByLabel('Name').fill('Balm')
    await page.getByLabel('Brand').fill('Ana')
    const picture = { name: 'rose.png', mimeType: 'image/png', buffer: onePixel }
    await page.locator('input[type=file]').setInputFiles(picture)
    await page.getByRole('progressbar', { name: 'Uploading rose.png' }).waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Waiting for one picture…').waitFor()
    arrive()
    await page.getByRole('heading', { name: 'Balm', level: 1 }).waitFor()
    const { products } = (await read('products')) as { products: Product[] }
    expect(products[0]?.images.map(({ fileName }) => fileName)).toEqual(['rose.png'])
  })

  test('is not made while one of its pictures could not be uploaded', async () => {
    const { id } = await givenProduct(shop, { name: 'Balm' })
    const page = await open(`products/${id}`, [400])
    const arrive = await holdRequests(page, '**/media/upload', 'POST')
    const text = { name: 'fake.png', mimeType: 'image/png', buffer: Buffer.from('no image') }
    await page.getByLabel('Brand').fill('Ana')
    await page.locator('input[type=file]').setInputFiles(text)
    await page.getByRole('button', { name: 'Save' }).click()
    arrive()
    await page.getByText('Not saved: a picture could not be uploaded.').waitFor()
    expect(await read(`products/${id}`)).toMatchObject({ brand: 'A brand' })
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    expect(await read(`products/${id}`)).toMatchObject({ brand: 'Ana' })
  })

  test('refuses an emptied number at its field, and says a failure where the person looks', async () => {
    const page = await open('website', [400])
    const daily = page.getByLabel('Daily answers per guest')
    await daily.fill('')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('[name="accessPolicy.guestDailyRequests"][aria-invalid=true]').waitFor()
    expect(await page.getByText('Check the marked fields.').isVisible()).toBe(true)
    expect(await read('website')).toMatchObject({ accessPolicy: { guestDailyRequests: 5 } })
    await daily.fill('7')

    await page.getByLabel('Social links').fill('https://a.example/ana\n\nnot an address')
    await page.getByRole('button', { name: 'Save' }).click()
    await page
      .getByText('“not an address”: Must be an address that starts with http:// or https://.')
      .waitFor()
    expect(await page.getByText('socialLinks').count()).toBe(0)
    const place = (await page.getByRole('alert').boundingBox())!
    expect(place.y + place.height).toBeLessThanOrEqual(page.viewportSize()!.height)
  })

  test('is confirmed beside its button, which no toast covers', async () => {
    const { id } = await givenProduct(shop, { name: 'Balm' })
    const page = await open(`products/${id}`)
    await page.getByLabel('Brand').fill('Ana')
    const save = page.getByRole('button', { name: 'Save' })
    await save.click()
    await page.locator('.save-bar').getByText('Saved', { exact: true }).waitFor()
    await page.getByLabel('Brand').fill('Bea')
    // Looked at now: a click would wait until nothing covers the button.
    const { x, y, width, height } = (await save.boundingBox())!
    const middle = `${x + width / 2}, ${y + height / 2}`
    const onTop = `document.elementFromPoint(${middle})?.closest('button')?.textContent`
    expect(await page.evaluate(onTop)).toBe('Save')
    await save.click()
    await expect.poll(() => read(`products/${id}`)).toMatchObject({ brand: 'Bea' })
  })
})

describe('a session that ends', () => {
  test('is renewed over the page, and the interrupted save goes through', async () => {
    const { id } = await givenProduct(shop, { name: 'Balm' })
    const page = await open(`products/${id}`, [401])
    await page.getByLabel('Description').fill('Typed for an hour')
    await endSessions()
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    expect(await dialog.getByLabel('Email address').inputValue()).toBe(shop.person.email)
    await dialog.getByRole('button', { name: 'Send me a code' }).click()
    await dialog.getByLabel('Code').waitFor()
    await dialog.getByLabel('Code').fill(await service.codeFor(shop.person.email))
    await page.getByText('Saved', { exact: true }).waitFor()
    expect(await read(`products/${id}`)).toMatchObject({ description: 'Typed for an hour' })
  })
})

describe('what is typed', () => {
  test('survives a reload until it is saved', async () => {
    const { id } = await givenProduct(shop, { name: 'Balm' })
    const page = await open(`products/${id}`)
    const description = page.getByLabel('Description')
    await description.fill('Half a sentence')
    await reloadAnyway(page)
    await page.getByText('What you had typed is back').waitFor()
    expect(await description.inputValue()).toBe('Half a sentence')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    await page.reload()
    await expect.poll(() => description.inputValue()).toBe('Half a sentence')
    expect(await page.getByText('What you had typed is back').count()).toBe(0)
  })

  test('is shown beside what was saved meanwhile, and to nobody else', async () => {
    const product = await givenProduct(shop, { name: 'Balm', description: 'Old' })
    const page = await open(`products/${product.id}`)
    const description = page.getByLabel('Description')
    await description.fill('Mine')
    await changeBehind(product, { description: 'Theirs' })
    await reloadAnyway(page)
    const dialog = page.getByRole('dialog', { name: 'This was changed in the meantime' })
    await dialog.getByText('Mine').waitFor()
    await dialog.getByRole('button', { name: 'Go on' }).click()
    expect(await description.inputValue()).toBe('Theirs')

    await page.goto('/account')
    await page.getByLabel('Name').fill('A secret')
    const other = await service.givenPerson()
    const [name = '', value = ''] = other.cookie.split('=')
    await page.context().addCookies([{ name, value, url: service.config.dashboardUrl }])
    await reloadAnyway(page)
    await page.getByText(other.email).waitFor()
    expect(await page.getByLabel('Name').inputValue()).toBe('A person')
  })
})

describe('two people at one product', () => {
  test('keep both changes, and choose between them only where they overlap', async () => {
    const product = await givenProduct(shop, { name: 'Balm', description: 'Old', stock: 3 })
    const page = await open(`products/${product.id}`, [409])
    await page.getByLabel('Stock').fill('8')
    await changeBehind(product, { description: 'Theirs' })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    const path = `products/${product.id}`
    expect(await read(path)).toMatchObject({ description: 'Theirs', stock: 8 })
    expect(await page.getByLabel('Description').inputValue()).toBe('Theirs')

    await page.getByLabel('Description').fill('Mine')
    await page.getByLabel('Stock').fill('9')
    await changeBehind(product, { description: 'Theirs again', stock: 8, brand: 'Bea' })
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog', { name: 'This was changed in the meantime' })
    const field = dialog.getByRole('group', { name: 'Description' })
    await field.getByText('Theirs again').waitFor()
    await dialog.getByText(/Changed by A person, with the key key-/).waitFor()
    expect(await field.getByLabel('Saved in the meantime').isChecked()).toBe(true)
    expect(await dialog.getByRole('group').count()).toBe(1)
    await field.getByLabel('Yours').check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    expect(await read(path)).toMatchObject({ description: 'Mine', stock: 9, brand: 'Bea' })
  })

  test('read who the other was, and in another tab oneself, even if both have one name', async () => {
    const product = await givenProduct(shop, { description: 'Old' })
    const colleague = await service.givenPerson()
    await givenMember({ service, workspace: { id: shop.workspaceId } }, colleague, 'staff')
    const page = await open(`products/${product.id}`, [409])
    const dialog = page.getByRole('dialog', { name: 'This was changed in the meantime' })
    const whoChanged = async (person: Person, description: string) => {
      await page.getByLabel('Description').fill('Mine')
      await service
        .dashboard(person)
        .patch(shop.at(`products/${product.id}`))
        .send({ description })
        .expect(200)
      await page.getByRole('button', { name: 'Save' }).click()
      const words = (await dialog.getByText('Changed by').innerText()).trim()
      await dialog.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Saved', { exact: true }).waitFor()
      return words
    }
    expect(await whoChanged(colleague, 'Theirs')).toBe('Changed by A person.')
    expect(await whoChanged(shop.person, 'Of the other tab')).toBe(
      'Changed by A person (you, elsewhere).',
    )
  })
})

describe('the way back to a list', () => {
  test('keeps its filters and its scroll position, and Discard leaves no trace in the history', async () => {
    const tag = await givenTag(shop, 'Vegan')
    for (let at = 0; at < 24; at++)
      await givenProduct(shop, { name: `Soap ${at}`, tagIds: [tag.id] })
    const page = await open(`products?search=Soap&sort=name`)
    const scrolled = () => page.evaluate<number>('Math.round(scrollY)')
    const link = page.getByRole('link', { name: 'Soap 9' })
    await link.scrollIntoViewIfNeeded()
    await expect.poll(scrolled).toBeGreaterThan(100)
    const position = await scrolled()
    await link.click()
    await page.getByRole('heading', { name: 'Soap 9', level: 1 }).waitFor()
    await page.getByRole('link', { name: '‹ Products' }).click()
    await link.waitFor()
    expect(new URL(page.url()).search).toBe('?search=Soap&sort=name')
    await expect.poll(scrolled).toBe(position)

    await link.click()
    await page.getByLabel('Brand').fill('Another')
    await page.goBack()
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await link.waitFor()
    await expect.poll(scrolled).toBe(position)
    await page.goForward()
    await page.getByRole('heading', { name: 'Soap 9', level: 1 }).waitFor()
    expect(await page.getByLabel('Brand').inputValue()).toBe('A brand')
  })
})

describe('the code of a sign-in', () => {
  test('can be typed after a reload, be sent again, and be one that came before', async () => {
    const email = shop.person.email
    const page = await browser.open()
    await page.goto('/')
    await page.getByLabel('Email address').fill(email)
    await page.keyboard.press('Enter')
    await page.getByLabel('Code').waitFor()
    await page.reload()
    await page.getByText(`a six-digit code or a link to ${email}.`).waitFor()
    await page.getByText(/Send again in \d+ s/).waitFor()
    await page.getByRole('button', { name: 'Use a different address' }).click()
    await page.getByLabel('Email address').fill(email)
    await page.getByRole('button', { name: 'I have a code' }).click()
    service.advance(61_000)
    await page.getByRole('button', { name: 'Send the mail again' }).click()
    await page.getByText('A new mail was sent.').waitFor({ state: 'attached' })
    await page.getByLabel('Code').fill(await service.codeFor(email))
    await page.getByRole('heading', { name: 'A workspace', level: 1 }).waitFor()
  })
})
