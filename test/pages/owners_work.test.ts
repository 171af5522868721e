import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { adjustCredits } from '../../src/domain/credits/wallet.ts'
import { recordUnanswered } from '../../src/queries/assistant/unanswered_questions.ts'
import { insertUsageEvent } from '../../src/queries/credits/usage_events.ts'
import {
  givenCollection,
  givenProduct,
  givenShop,
  type Media,
  type Product,
  type Shop,
} from '../kit/catalogue.ts'
import { type TestService, unique } from '../kit/service.ts'
import { write } from '../kit/wallets.ts'
import {
  choose,
  expectAccessible,
  expectAccessibleInBothSchemes,
  onePixel,
  type Page,
  startPages,
  type TestBrowser,
} from './browser.ts'

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

async function open(path: string) {
  const page = await browser.open({ cookie: shop.person.cookie })
  await page.goto(path.startsWith('/') ? path : `/w/${shop.workspaceId}/${path}`)
  return page
}

const read = async (path: string) => (await shop.api.get(shop.at(path)).expect(200)).body as unknown
const figure = (page: Page, label: string) => page.locator('a.figure', { hasText: label })

async function giveCredits(credits: number) {
  const gift = { credits, reason: 'A gift', reference: unique('gift'), now: service.now() }
  await write(service, (trx) => adjustCredits(trx, shop.workspaceId, gift))
}

async function givenPicture(): Promise<string> {
  const upload = shop.api.post(shop.at('media/upload')).attach('files', onePixel, 'rose.png')
  const { media } = (await upload.expect(200)).body as { media: Media[] }
  return media[0]!.id
}

describe('the home page', () => {
  test('shows the week, what is out of stock, a low balance and what to answer, each with the way there', async () => {
    const { workspaceId } = shop
    const product = await givenProduct(shop, { name: 'Balm', stock: 0 })
    // The page asks for today by the browser's clock.
    const now = new Date()
    const asked = { workspaceId, productId: product.id, message: 'Does it contain zinc?' }
    await write(service, (trx) => recordUnanswered(trx, asked, now))
    const record = (actorType: 'GUEST' | 'TRIAL', eventName: 'visit' | 'chat.product') =>
      insertUsageEvent(service.db, workspaceId, { actorType, userId: null, eventName }, now)
    await record('GUEST', 'visit')
    await record('GUEST', 'visit')
    await record('GUEST', 'chat.product')
    await record('TRIAL', 'chat.product')
    await giveCredits(40)
    const path = `/api/workspaces/${workspaceId}/balance-alert`
    await service.dashboard(shop.person).put(path).send({ below: 50 }).expect(200)

    const page = await open('home')
    const banner = page.getByRole('region', { name: 'Credits are running low' })
    await banner.getByText('40 credits are left.').waitFor()
    const week = page.getByRole('region', { name: 'The last seven days' })
    const shown = (label: string) => week.locator('.figure', { hasText: label }).innerText()
    await week.getByText('Visits').waitFor()
    expect(await shown('Visits')).toMatch(/^Visits\s+2\s+0 before/)
    expect(await shown('Questions')).toMatch(/^Questions\s+1\s/)
    expect(await shown('Answered')).toMatch(/^Answered\s+100%\s/)
    expect(await figure(page, 'Sold out for visitors').innerText()).toMatch(/1$/)
    expect(await figure(page, 'Credits available').innerText()).toMatch(/40$/)
    await page.getByRole('link', { name: 'Open the API reference' }).waitFor()
    await expectAccessibleInBothSchemes(page)
    await page.getByRole('link', { name: 'Unanswered questions 1' }).waitFor()
    const waiting = page.getByRole('region', { name: 'One question I could not answer' })
    await waiting.getByText('Does it contain zinc?').waitFor()
    await waiting.getByRole('button', { name: 'Answer' }).click()
    await waiting.getByRole('textbox', { name: 'Reply' }).fill('It contains no zinc.')
    await waiting.getByRole('button', { name: 'Save the reply' }).click()
    await waiting.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Unanswered questions', exact: true }).waitFor()
    await giveCredits(-40)
    await banner.getByRole('link', { name: 'Buy credits' }).click()
    await banner.getByText('The assistant cannot answer').waitFor()
    await page.getByRole('button', { name: 'Buy credits: 500' }).waitFor()
  })
})

describe('a product', () => {
  test('shows its facts and collections, is duplicated, and is restored after a deletion', async () => {
    const image = await givenPicture()
    const product = await givenProduct(shop, { name: 'Balm', imageIds: [image], stock: 4 })
    const collection = await givenCollection(shop, { name: 'Gifts' })
    await givenProduct(shop, { name: 'Gone', status: 'DELETED' })
    const page = await open(`products/${product.id}`)
    const facts = page.getByRole('region', { name: 'Facts' })
    await facts.getByText(product.slug).waitFor()
    const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
    await facts
      .getByText(time.format(new Date(product.createdAt)))
      .first()
      .waitFor()
    await page.getByLabel('Gifts').check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    expect(await read(`collections/${collection.id}`)).toMatchObject({ productIds: [product.id] })

    await page.getByRole('link', { name: 'Duplicate' }).click()
    await page.getByRole('heading', { name: 'New product', level: 1 }).waitFor()
    expect(await page.getByLabel('Name').inputValue()).toBe('Balm (copy)')
    expect(await page.getByLabel('SKU').inputValue()).toBe('')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Balm (copy)', level: 1 }).waitFor()
    const copies = (await read('products?search=copy')) as { products: Product[] }
    expect(copies.products).toMatchObject([{ name: 'Balm (copy)', images: [{ id: image }] }])

    await page.getByRole('link', { name: 'Products', exact: true }).click()
    await page.getByRole('button', { name: 'Deleted products' }).click()
    await page.getByRole('heading', { name: 'Deleted products', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Gone' }).waitFor()
    expect(await page.getByRole('link', { name: 'Balm' }).count()).toBe(0)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Restore Gone' }).click()
    await page.getByText('One product changed').first().waitFor()
    expect(await read('products?search=Gone')).toMatchObject({ products: [{ status: 'ACTIVE' }] })

    await page.goto(`/w/${shop.workspaceId}/media`)
    await page.getByRole('button', { name: /^rose.png/ }).click()
    const uses = page.getByRole('dialog', { name: 'rose.png' })
    await uses.getByRole('link', { name: 'Balm', exact: true }).click()
    await page.getByRole('heading', { name: 'Balm', level: 1 }).waitFor()
  })

  test('takes pictures that are dropped anywhere, and other pages put them into the library', async () => {
    const { id } = await givenProduct(shop, { name: 'Balm' })
    const drop = (page: Page, name: string) =>
      page.evaluate<undefined>(`{
        const bytes = Uint8Array.from(atob('${onePixel.toString('base64')}'), (c) => c.charCodeAt(0))
        const dataTransfer = new DataTransfer()
        dataTransfer.items.add(new File([bytes], '${name}', { type: 'image/png' }))
        const drag = (type) => new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true })
        document.querySelector('h1').dispatchEvent(drag('dragover'))
        document.querySelector('h1').dispatchEvent(drag('drop'))
      }`)
    const page = await open('tags')
    await page.getByText('No tags yet').waitFor()
    await drop(page, 'lily.png')
    await page.getByText('lily.png was added to Media.').waitFor()
    await page.goto(`/w/${shop.workspaceId}/products/${id}`)
    await page.getByLabel('Name').waitFor()
    await drop(page, 'rose.png')
    await page.getByRole('img', { name: 'rose.png' }).waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    expect(await read(`products/${id}`)).toMatchObject({ images: [{ fileName: 'rose.png' }] })
    expect(await read('media?search=lily')).toMatchObject({ media: [{ usageCount: 0 }] })
  })
})

describe('the website page', () => {
  test('previews the shop’s own products in every template and font, and says where it lives', async () => {
    await givenProduct(shop, { name: 'Balm', imageIds: [await givenPicture()] })
    const closed = { accessPolicy: { visibility: 'CLOSED' } }
    await shop.api.put(shop.at('website')).send(closed).expect(200)
    const page = await open('website')
    const site = page.frameLocator('iframe[title=Preview]')
    await site.getByText('Balm').first().waitFor()
    await site.locator('.card img').first().waitFor()
    for (const [name, key] of [
      ['Boutique', 'boutique'],
      ['Textile', 'textile'],
    ] as const) {
      await choose(page.getByLabel('Template'), name)
      await site.locator(`body.t-${key}`).waitFor()
    }
    await page.getByLabel('Headline').fill('Words that are not stored')
    await site.getByRole('heading', { level: 1, name: 'Words that are not stored' }).waitFor()
    await choose(page.getByLabel('Font'), 'Playfair Display')
    await expect.poll(() => site.locator('style').textContent()).toContain("--head:'Playfair")
    await page.getByText(shop.workspaceId, { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Copy: First call' }).click()
    const snippet = await page.evaluate<string>('navigator.clipboard.readText()')
    expect(snippet).toContain(`${service.urls.api}/v1/workspaces/${shop.workspaceId}/experience`)
  })

  test('says that a closed workspace lets nobody in, with the way to open it', async () => {
    await shop.api.put(shop.at('workspace')).send({ isVisible: false }).expect(200)
    const page = await open('website')
    await page.getByText('The workspace is closed to visitors').waitFor()
    await page.getByRole('link', { name: 'Open it in its profile' }).click()
    await page.getByLabel('Open to visitors').check()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved').first().waitFor()
    await page.goto(`/w/${shop.workspaceId}/website`)
    await page.getByRole('heading', { name: 'Who can visit' }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(await page.getByText('The workspace is closed to visitors').count()).toBe(0)
  })
})

describe('the business pages', () => {
  test('print receipts, and keep the threshold of the mail', async () => {
    const page = await open('wallet')
    await page.getByRole('button', { name: 'Buy credits: 500' }).click()
    await page.getByRole('button', { name: 'Pay' }).click()
    await page.getByRole('link', { name: 'Back to the dashboard' }).click()
    await page.getByRole('button', { name: /^Open the receipt of/ }).click()
    const receipt = page.getByRole('dialog', { name: /Receipt$/ })
    await receipt.getByText('500 credits').waitFor()
    await receipt.getByText(shop.person.email).waitFor()
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('.sidebar').isVisible()).toBe(false)
    expect(await receipt.getByText('500 credits').isVisible()).toBe(true)
    expect(await receipt.getByText(shop.person.email).isVisible()).toBe(true)
    const sheets = (await page.pdf()).toString('latin1').match(/\/Type \/Page\b/g)
    expect(sheets).toHaveLength(1)
    await page.emulateMedia({ media: 'screen' })
    await page.keyboard.press('Escape')
    const alert = page.getByRole('region', { name: 'Low balance' })
    await alert.getByLabel('Tell me when the balance falls below').fill('600')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Home', exact: true }).click()
    await page.getByText('500 credits are left.').waitFor()
  })

  test('sign out elsewhere, send an invitation again, confirm a suspension, ask for a deletion', async () => {
    const email = `${unique('new')}@example.com`
    const members = `/api/workspaces/${shop.workspaceId}/members`
    const member = { email, role: 'staff' }
    await service.dashboard(shop.person).post(members).send(member).expect(201)
    const page = await open('members')
    await page.getByRole('button', { name: `Send again: the invitation to ${email}` }).click()
    await page.getByText(`${email} was invited.`).waitFor()
    expect(await service.mailsTo(email)).toHaveLength(2)
    await page.getByRole('button', { name: `Suspend ${shop.person.email}` }).click()
    const question = page.getByRole('dialog', { name: `Suspend ${shop.person.email}` })
    await question.getByText('It takes effect at once.').waitFor()
    await question.getByRole('button', { name: 'Cancel' }).click()

    await page.goto(`/w/${shop.workspaceId}/profile`)
    await page.getByRole('link', { name: 'Ask for deletion' }).click()
    await page.getByRole('heading', { name: 'Write to us' }).waitFor()
    const message = await page.getByLabel('Message').inputValue()
    expect(message).toBe(`Please delete the workspace A workspace (${shop.workspaceId}).`)
    expect(await page.getByLabel('Email address').inputValue()).toBe(shop.person.email)

    const other = await browser.open()
    await other.goto('/')
    await other.getByLabel('Email address').fill(shop.person.email)
    await other.keyboard.press('Enter')
    await other.getByLabel('Code').waitFor()
    await other.getByLabel('Code').fill(await service.codeFor(shop.person.email))
    await other.getByRole('heading', { name: 'A workspace', level: 1 }).waitFor()
    await page.goto('/account')
    await page.getByText('This browser').waitFor()
    await page.getByRole('button', { name: 'Sign out elsewhere' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out elsewhere' }).click()
    await page.getByText('One other browser was signed out.').waitFor()
    await expectAccessible(page)
    const sessions = service.db.selectFrom('dashboard_sessions').select('id')
    const { accountId } = shop.person
    expect(await sessions.where('account_id', '=', accountId).execute()).toHaveLength(1)
  })
})

describe('the integrations page', () => {
  test('has the address and every client’s instructions, connected or not', async () => {
    await service.givenAgent(shop.person, { name: 'Helper', scopes: ['products:read'] })
    const page = await open('/integrations')
    const address = `${service.urls.api}/mcp`
    const connect = page.getByRole('region', { name: 'Connect an agent' })
    await connect.getByText(address, { exact: true }).first().waitFor()
    for (const client of ['Claude Code', 'Cursor', 'VS Code', 'Codex']) {
      await connect.locator('summary', { hasText: client }).click()
      const way = connect.locator('details', { hasText: client })
      await way.getByRole('button', { name: 'Copy' }).click()
      expect(await page.evaluate<string>('navigator.clipboard.readText()')).toContain(address)
    }
    await connect.getByRole('link', { name: 'Open the API reference' }).waitFor()
    await expectAccessible(page)
  })
})
