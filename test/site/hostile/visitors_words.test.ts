import { runInNewContext } from 'node:vm'
import { Parser } from 'htmlparser2'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { adjustCredits } from '../../../src/domain/credits/wallet.ts'
import { limits } from '../../../src/generated/limits.ts'
import { givenProduct, type Product } from '../../kit/catalogue.ts'
import { startService, type TestService, unique } from '../../kit/service.ts'
import { write } from '../../kit/wallets.ts'
import { filling, foreignIn, payloads, wordsOf } from '../window/hostile_shop.ts'
import { cookiesOf, givenOpenShop, type OpenShop, signIn } from '../window/shop_pages.ts'

/* What visitors write stands in their own pages, and would run with their own session there. */

let service: TestService
let shop: OpenShop
let product: Product
let customer: { Cookie: string }
beforeAll(async () => {
  service = await startService()
  shop = await givenOpenShop(service)
  const accessPolicy = { challenge: 'OFF', customerDailyRequests: 50, guestDailyRequests: 50 }
  await shop.design({ accessPolicy })
  product = await givenProduct(shop, { description: 'It is made for dry skin.' })
  customer = await signIn(service, shop, `${unique('visitor')}@example.com`)
})
afterAll(() => service.close())

/** What the fields of a page hold, by their names. */
function valuesIn(html: string): Record<string, string> {
  const values: Record<string, string> = {}
  let area: string | undefined
  const parser = new Parser({
    onopentag(tag, { name = '', value }) {
      if (tag === 'input' && value !== undefined) values[name] = value
      if (tag === 'option' && value !== undefined)
        values['options'] = `${values['options']} ${value}`
      if (tag !== 'textarea') return
      area = name
      values[area] = ''
    },
    ontext: (text) => void (area !== undefined && (values[area] += text)),
    onclosetag(tag) {
      if (tag !== 'textarea' || area === undefined) return
      // The parser leaves references in it; browsers do not.
      values[area] = wordsOf(values[area]!)
      area = undefined
    },
  })
  parser.write(html)
  parser.end()
  return values
}

/** Holds that a page shows these values in its fields, and is of our own drawing. */
function expectEchoed(html: string, values: Record<string, string>): void {
  expect([values, foreignIn(html)]).toEqual([values, []])
  expect(valuesIn(html)).toMatchObject(values)
}

describe('the account page', () => {
  const account = (form: object) => shop.send('/account', form, customer)
  const usual = { step: 'save', name: 'Ece Demir', phone: '', language: 'en' }

  test('shows the name of a customer as text', async () => {
    for (const name of filling(limits.PersonName.maxLength)) {
      const saved = await account({ ...usual, name })
      expect([name, saved.status, saved.headers['location']]).toEqual([name, 303, '/account?saved'])
      expectEchoed((await shop.visit('/account', customer)).text, { name })
    }
    await account(usual)
  })

  test('shows what it refuses as text', async () => {
    for (const text of payloads) {
      // Phone numbers are sent without what people put between the digits.
      const phone = text.trim().replace(/[\s().-]/g, '')
      const { status, text: html } = await account({ ...usual, phone: text, language: text })
      expect([text, status]).toEqual([text, 400])
      expectEchoed(html, { phone })
      expect(valuesIn(html)['options']).toContain(text.trim())
    }
  })

  test('shows the titles of conversations and what was said in them as text', async () => {
    const gift = { credits: 10, reason: 'A gift', reference: unique('gift'), now: service.now() }
    await write(service, (trx) => adjustCredits(trx, shop.workspaceId, gift))
    const question = { message: 'Is it made for dry skin?', productId: product.id }
    const asked = await shop.call('chat/product', question, customer)
    expect(asked.status).toBe(200)
    const { threadId } = asked.body as { threadId: string }
    const turns = payloads.map((text, index) => ({
      role: index % 2 === 0 ? 'visitor' : 'assistant',
      text,
    }))
    const change = (values: { turns: string } | { title: string }) =>
      service.db
        .updateTable('threads')
        .set(values)
        .where('workspace_id', '=', shop.workspaceId)
        .execute()
    await change({ turns: JSON.stringify(turns) })
    for (const title of filling(80)) {
      await change({ title })
      const { text } = await account({ step: 'conversation', threadId })
      expect([title, foreignIn(text)]).toEqual([title, []])
      const words = wordsOf(text)
      expect([title, ...payloads].filter((each) => !words.includes(each))).toEqual([])
    }
  })
})

describe('a form that is refused', () => {
  test('shows who wanted to sign in as text, and where to', async () => {
    for (const text of payloads) {
      const to = `/p/${text}`
      const form = { step: 'code', name: text, email: text, to }
      const { status, text: html } = await shop.send('/sign-in', form)
      expect([text, status]).toEqual([text, 400])
      // Not what leads out of the shop, and nothing that no address has.
      const isPath = /^[^\\\p{Cc}]*$/u.test(to)
      const said = text.trim()
      expectEchoed(html, { name: said, email: said, to: isPath ? to : '/' })
      const asked = await shop.visit(`/sign-in?to=${encodeURIComponent(to)}`)
      expectEchoed(asked.text, { to: isPath ? to : '/' })
    }
  })

  test('shows the address that a code was mailed to as text', async () => {
    const email = "a'b`c@example.com"
    const mailed = await shop.send('/sign-in', { step: 'code', name: 'Ece', email })
    const { text } = await shop.visit('/sign-in', { Cookie: cookiesOf(mailed) })
    expect(wordsOf(text)).toContain(`We have emailed a code to ${email}.`)
    expect(foreignIn(text)).toEqual([])
  })

  test('shows feedback as text', async () => {
    const { maxLength } = limits.FeedbackCreate.message
    for (const text of payloads) {
      const message = text.trim().padEnd(maxLength + 1, '.')
      const { status, text: html } = await shop.send('/feedback', { message })
      expect([text, status]).toEqual([text, 400])
      expectEchoed(html, { message })
    }
  })

  test('shows a report as text, and who wrote it', async () => {
    for (const text of payloads) {
      const { status, text: html } = await shop.send('/report', {
        name: text,
        email: text,
        message: text,
      })
      expect([text, status]).toEqual([text, 400])
      const said = text.trim()
      expectEchoed(html, { name: said, email: said, message: said })
    }
  })
})

describe('the script of the widget', () => {
  /** Runs it as a page of others does, and returns what it hands over and what has run. */
  async function run() {
    const { text } = await shop.visit('/widget.js')
    const styles: string[] = []
    const button = { textContent: '' }
    const host = { attachShadow: () => ({ append: () => undefined, adoptedStyleSheets: [] }) }
    const page = {
      document: {
        currentScript: { dataset: { product: product.slug } },
        createElement: (tag: string) => (tag === 'button' ? button : host),
        body: { append: () => undefined },
      },
      CSSStyleSheet: class {
        replaceSync = (style: string) => void styles.push(style)
      },
    }
    runInNewContext(text, page)
    const opening = JSON.parse(text.slice(text.lastIndexOf('(document,') + 10, -2)) as {
      name: string
      label: string
      colors: { brand: string }
    }
    return { text, opening, style: styles.join(), label: button.textContent, ran: 'ran' in page }
  }

  test('says the name of a shop as text', async () => {
    for (const name of filling(limits.WorkspaceUpdate.name.maxLength)) {
      await shop.api.put(shop.at('workspace')).send({ name }).expect(200)
      const { text, opening, label, ran } = await run()
      expect([opening.name, ran, text.includes('<')]).toEqual([name, false, false])
      expect([opening.label, label]).toEqual(['Ask about this product', 'Ask about this product'])
    }
  })

  test('takes no colour that is more than one', async () => {
    const { style } = await run()
    for (const primaryColor of payloads) {
      const theme = { primaryColor, accentColor: '#3355ff', font: 'Inter' }
      const { status } = await shop.api.put(shop.at('website')).send({ theme })
      expect([primaryColor, status]).toEqual([primaryColor, 400])
    }
    expect((await run()).style).toBe(style)
    expect(style).toMatch(/background:#[0-9a-f]{6};color:#[0-9a-f]{6};/)
  })
})
