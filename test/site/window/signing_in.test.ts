import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { adjustCredits } from '../../../src/domain/credits/wallet.ts'
import { givenProduct } from '../../kit/catalogue.ts'
import { startService, type TestService, unique } from '../../kit/service.ts'
import { solvedChallenge } from '../../kit/solved_challenge.ts'
import { write } from '../../kit/wallets.ts'
import { cookiesOf, givenOpenShop, type OpenShop, signIn } from './shop_pages.ts'

let service: TestService
let shop: OpenShop
beforeAll(async () => {
  service = await startService()
  shop = await givenOpenShop(service)
  for (const name of ['Rose balm', 'Rose soap', 'Olive soap']) await givenProduct(shop, { name })
  await shop.design({ accessPolicy: { challenge: 'OFF' } })
})
afterAll(() => service.close())

const newAddress = () => `${unique('visitor')}@example.com`
const secret = ['Rose', 'soap', 'href="/products', 'href="/collections']

describe('signing in to a shop', () => {
  test('mails a code, takes it once and leads back to where the visitor was', async () => {
    const email = newAddress()
    const asked = await shop.send('/sign-in', {
      step: 'code',
      name: 'Ece Demir',
      email,
      to: '/products',
    })
    expect([asked.status, asked.headers.location]).toEqual([303, '/sign-in?to=%2Fproducts'])
    const mailed = { Cookie: cookiesOf(asked) }
    const form = await shop.visit('/sign-in?to=%2Fproducts', mailed)
    expect(form.status).toBe(200)
    expect(form.text).toContain(`We have emailed a code to ${email}.`)
    expect(form.text).toContain('name="to" value="/products"')
    const code = await service.codeFor(email)
    const wrong = code === '000000' ? '000001' : '000000'
    const refused = await shop.send('/sign-in', { step: 'session', code: wrong }, mailed)
    expect(refused.status).toBe(401)
    expect(refused.text).toContain('The code is wrong, expired or used.')
    expect(refused.text).toMatch(new RegExp(`<input id="code"[^>]* value="${wrong}"`))
    const spaced = `${code.slice(0, 3)} ${code.slice(3)}`
    const step = { step: 'session', code: spaced, to: '/products' }
    const signed = await shop.send('/sign-in', step, mailed)
    expect([signed.status, signed.headers.location]).toEqual([303, '/products'])
    const [session] = (signed.headers['set-cookie'] as unknown as string[]).filter((cookie) =>
      cookie.startsWith('vitrine_customer='),
    )
    expect(session).toMatch(
      /^vitrine_customer=wsv_dev_[\w-]{49}; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/,
    )
    expect((await shop.send('/sign-in', step, mailed)).status).toBe(401)
    const account = await shop.visit('/account', { Cookie: cookiesOf(signed) })
    expect(account.text).toContain(`You are signed in as ${email}.`)
    expect(account.headers['cache-control']).toBe('no-store')
  })

  test('leads only to pages of the shop', async () => {
    for (const to of ['//evil.example', '/\\evil.example', 'https://evil.example', '/a\r\nb: c']) {
      const form = await shop.visit(`/sign-in?to=${encodeURIComponent(to)}`)
      expect(form.text).toContain('name="to" value="/"')
      const email = newAddress()
      const asked = await shop.send('/sign-in', { step: 'code', name: 'Ece', email, to })
      expect(asked.headers.location).toBe('/sign-in')
    }
  })

  test('says at the field what is wrong', async () => {
    const { status, text } = await shop.send('/sign-in', {
      step: 'code',
      name: 'Ece "<b>',
      email: 'ece+1@example.com',
    })
    expect(status).toBe(400)
    expect(text).toContain('id="email-fault"')
    expect(text).toContain('value="Ece &quot;&lt;b&gt;"')
  })

  test('refuses forms of other sites', async () => {
    const forms: [string, object][] = [
      ['/sign-in', { step: 'code', name: 'Ece', email: newAddress() }],
      ['/feedback', { message: 'From elsewhere' }],
    ]
    for (const [path, form] of forms)
      for (const Origin of ['https://evil.example', 'null', service.config.dashboardUrl]) {
        const refused = await shop.send(path, form, { Origin })
        expect([path, Origin, refused.status]).toEqual([path, Origin, 403])
        expect(cookiesOf(refused)).toBe('')
      }
    const customer = await signIn(service, shop, newAddress())
    const away = { ...customer, Origin: 'https://evil.example' }
    expect((await shop.send('/account', { step: 'signOut' }, away)).status).toBe(403)
    expect((await shop.visit('/account', customer)).status).toBe(200)
  })

  test('asks for the challenge where the policy does', async () => {
    await shop.design({ accessPolicy: { challenge: 'GUESTS' } })
    const email = newAddress()
    const form = { step: 'code', name: 'Ece', email }
    const page = await shop.visit('/sign-in')
    expect(page.text).toContain('data-live="challenge"')
    expect(page.text).toContain('Signing in needs JavaScript')
    expect((await shop.send('/sign-in', form)).status).toBe(403)
    const challengeToken = await solvedChallenge(service, shop.workspaceId, 'sign_in')
    expect((await shop.send('/sign-in', { ...form, challengeToken })).status).toBe(303)
    const again = { ...form, email: newAddress(), challengeToken }
    expect((await shop.send('/sign-in', again)).status).toBe(403)
    await shop.design({ accessPolicy: { challenge: 'OFF' } })
    expect((await shop.visit('/sign-in')).text).not.toContain('data-live')
  })

  test('mails in the language of the shop', async () => {
    await shop.design({ language: 'tr' })
    const email = newAddress()
    await shop.send('/sign-in', { step: 'code', name: 'Ece', email }, { 'Accept-Language': 'en' })
    const mails = await service.mailsTo(email)
    expect(mails.map(({ subject }) => subject)).toEqual(['A workspace giriş kodunuz'])
    await shop.design({ language: 'en' })
  })
})

describe('the account of a customer', () => {
  test('shows and changes their profile, and signs out', async () => {
    const email = newAddress()
    const customer = await signIn(service, shop, email)
    const saved = await shop.send(
      '/account',
      { step: 'save', name: 'Ece Kaya', phone: '+90 (555) 123-45-67', language: 'tr' },
      customer,
    )
    expect([saved.status, saved.headers.location]).toEqual([303, '/account?saved'])
    const { text } = await shop.visit('/account?saved', customer)
    expect(text).toContain('value="Ece Kaya"')
    expect(text).toContain('value="+905551234567"')
    expect(text).toContain('<option value="tr" selected>Türkçe</option>')
    expect(text).toContain('Saved.')
    const wrong = { step: 'save', name: 'Ece Kaya', phone: '12', language: 'tr' }
    const refused = await shop.send('/account', wrong, customer)
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('id="phone-fault"')
    const out = await shop.send('/account', { step: 'signOut' }, customer)
    expect([out.status, out.headers.location]).toEqual([303, '/'])
    expect(cookiesOf(out)).toBe('vitrine_customer=; vitrine_guest=')
    expect(out.headers['clear-site-data']).toBe('"cache", "storage"')
    const gone = await shop.visit('/account', customer)
    expect([gone.status, gone.headers.location]).toEqual([303, '/sign-in?to=%2Faccount'])
  })

  test('lists their conversations, shows and forgets one, and deletes everything', async () => {
    const customer = await signIn(service, shop, newAddress())
    const gift = { credits: 5, reason: 'A gift', reference: unique('gift'), now: service.now() }
    await write(service, (trx) => adjustCredits(trx, shop.workspaceId, gift))
    const [product] = (await shop.api.get(shop.at('products'))).body.products
    for (const message of ['Is it <b>soft</b>?', 'Is it described?']) {
      await shop.call('chat/product', { message, productId: product.id }, customer)
      service.advance(60_000)
    }
    const { text } = await shop.visit('/account', customer)
    expect(text).toContain('Is it &lt;b&gt;soft&lt;/b&gt;?')
    const [latest, first] = [...text.matchAll(/name="threadId" value="([^"]+)"/g)].map(
      ([, id]) => id,
    )
    const shown = await shop.send('/account', { step: 'conversation', threadId: first }, customer)
    expect(shown.text).toContain('<li class="you"><p>Is it &lt;b&gt;soft&lt;/b&gt;?</p></li>')
    const gone = await shop.send('/account', { step: 'forget', threadId: latest }, customer)
    expect(gone.headers.location).toBe('/account')
    expect((await shop.visit('/account', customer)).text).not.toContain('Is it described?')
    const stranger = await signIn(service, shop, newAddress())
    const foreign = await shop.send('/account', { step: 'conversation', threadId: first }, stranger)
    expect(foreign.text).not.toContain('class="you"')
    const deleted = await shop.send('/account', { step: 'delete' }, customer)
    const forgotten = 'vitrine_customer=; vitrine_guest='
    expect([deleted.headers.location, cookiesOf(deleted)]).toEqual(['/', forgotten])
    expect(deleted.headers['clear-site-data']).toBe('"cache", "storage"')
    expect((await shop.visit('/account', customer)).status).toBe(303)
  })

  test('takes what they said as a guest along when they leave', async () => {
    const gift = { credits: 5, reason: 'A gift', reference: unique('gift'), now: service.now() }
    await write(service, (trx) => adjustCredits(trx, shop.workspaceId, gift))
    const [product] = (await shop.api.get(shop.at('products'))).body.products
    const bootstrap = `/v1/workspaces/${shop.workspaceId}/experience/bootstrap`
    for (const step of ['signOut', 'delete']) {
      const guest = cookiesOf(await shop.visit(bootstrap))
      const question = { message: 'Is it described?', productId: product.id }
      const { threadId } = (await shop.call('chat/product', question, { Cookie: guest })).body
      const thread = `/v1/workspaces/${shop.workspaceId}/experience/threads/${threadId}`
      expect((await shop.visit(thread, { Cookie: guest })).status).toBe(200)
      const { Cookie } = await signIn(service, shop, newAddress())
      const left = await shop.send('/account', { step }, { Cookie: `${Cookie}; ${guest}` })
      const expired = (left.headers['set-cookie'] as unknown as string[]).map(
        (cookie) => /^(vitrine_\w+)=; Max-Age=0; Path=\//.exec(cookie)?.[1],
      )
      expect([step, expired]).toEqual([step, ['vitrine_customer', 'vitrine_guest']])
      const next = await shop.visit(thread, { Cookie: cookiesOf(left) })
      expect([step, next.status, next.text.includes('described')]).toEqual([step, 401, false])
    }
  })

  test('is drawn whatever conditions the browser sends', async () => {
    const { Cookie } = await signIn(service, shop, newAddress())
    for (const name of ['If-None-Match', 'If-Match']) {
      const page = await shop.visit('/account', { Cookie, [name]: '*' })
      expect([name, page.status]).toEqual([name, 200])
    }
    const saved = { step: 'save', name: 'Ece', language: 'en' }
    const { status } = await shop.send('/account', saved, { Cookie, 'If-Match': '"another"' })
    expect(status).toBe(303)
  })

  test('of one shop is nobody in another', async () => {
    const other = await givenOpenShop(service)
    await other.design({ accessPolicy: { visibility: 'SIGN_IN', challenge: 'OFF' } })
    const customer = await signIn(service, shop, newAddress())
    expect((await other.visit('/account', customer)).status).toBe(401)
    expect((await other.visit('/products', customer)).status).toBe(401)
    const save = { step: 'save', name: 'Thief', phone: '', language: 'en' }
    const asked = await other.send('/account', save, customer)
    expect(asked.status).toBe(401)
    expect(asked.text).toContain('name="to" value="/account"')
  })
})

describe('a shop for customers', () => {
  test('shows its catalogue to those who have signed in, and to nobody else', async () => {
    const [product] = (await shop.api.get(shop.at('products'))).body.products
    await shop.design({ accessPolicy: { visibility: 'SIGN_IN' } })
    const paths = ['/', '/products', `/p/${product.slug}`, '/search?q=rose', '/products.json']
    for (const path of [...paths, '/sign-in', '/account', '/feedback', '/widget.js']) {
      const page = await shop.visit(path)
      expect([path, page.status]).toEqual([path, path === '/sign-in' ? 200 : 401])
      expect(page.headers['cache-control']).toBe('no-store')
      expect(page.text).toContain('Email address')
      // The form leads back to what was asked for.
      const text = page.text.replace(`name="to" value="${path}"`, '')
      for (const word of secret)
        expect([path, word, text.includes(word)]).toEqual([path, word, false])
    }
    const customer = await signIn(service, shop, newAddress())
    for (const path of paths) {
      const page = await shop.visit(path, customer)
      expect([path, page.status]).toEqual([path, 200])
      expect(page.headers['cache-control']).toBe('no-store')
      expect(page.headers['x-robots-tag']).toBe('noindex')
      expect(page.headers.etag).toBeUndefined()
    }
    expect((await shop.visit('/products', customer)).text).toContain('Rose balm')
    await shop.send('/account', { step: 'signOut' }, customer)
    expect((await shop.visit('/products', customer)).status).toBe(401)
    await shop.design({ accessPolicy: { visibility: 'PUBLIC' } })
  })

  test('reads no conversation to a guest of the days when it was for all', async () => {
    const gift = { credits: 5, reason: 'A gift', reference: unique('gift'), now: service.now() }
    await write(service, (trx) => adjustCredits(trx, shop.workspaceId, gift))
    const [product] = (await shop.api.get(shop.at('products'))).body.products
    const calls = `/v1/workspaces/${shop.workspaceId}/experience`
    const guest = { Cookie: cookiesOf(await shop.visit(`${calls}/bootstrap`)) }
    const question = { message: 'Is it a balm?', productId: product.id }
    const { threadId } = (await shop.call('chat/product', question, guest)).body
    const codeOf = async () => {
      const { status, body } = await shop.visit(`${calls}/threads/${threadId}`, guest)
      return [status, body.code]
    }
    expect(await codeOf()).toEqual([200, undefined])
    for (const visibility of ['SIGN_IN', 'CLOSED']) {
      await shop.design({ accessPolicy: { visibility } })
      expect([visibility, ...(await codeOf())]).toEqual([visibility, 401, 'unauthenticated'])
    }
    await shop.design({ accessPolicy: { visibility: 'PUBLIC' } })
  })
})

describe('feedback', () => {
  test('reaches the owner, from guests and customers, without a script', async () => {
    const sent = await shop.send('/feedback', { message: 'What a lovely shop <b>' })
    expect([sent.status, sent.headers.location]).toEqual([303, '/feedback?sent'])
    const guest = cookiesOf(sent)
    expect(guest).toMatch(/^vitrine_guest=[\w-]{36}\.wsg_dev_[\w-]{49}$/)
    expect((await shop.visit('/feedback?sent')).text).toContain('Thank you.')
    const again = await shop.send('/feedback', { message: 'Once more' }, { Cookie: guest })
    expect([again.status, cookiesOf(again)]).toEqual([303, ''])
    const customer = await signIn(service, shop, newAddress())
    await shop.send('/feedback', { message: 'From a customer' }, customer)
    const { feedbacks } = (await shop.api.get(shop.at('feedback')).expect(200)).body
    expect(
      feedbacks.map(({ message, userId }: { message: string; userId: string | null }) => [
        message,
        userId !== null,
      ]),
    ).toEqual([
      ['From a customer', true],
      ['Once more', false],
      ['What a lovely shop <b>', false],
    ])
    const empty = await shop.send('/feedback', { message: '  ' })
    expect(empty.status).toBe(400)
    expect(empty.text).toContain('id="message-fault"')
  })

  test.each([
    ['en', 'At most 500 characters.'],
    ['tr', 'En çok 500 karakter.'],
  ])('says in %s how long it may be, and keeps what is longer', async (language, words) => {
    await shop.design({ language })
    const { text } = await shop.visit('/feedback')
    expect(text).toContain(`id="message-hint">${words}</p>`)
    expect(text).not.toMatch(/<textarea[^>]*maxlength/)
    const message = 'x'.repeat(501)
    const long = await shop.send('/feedback', { message })
    expect(long.status).toBe(400)
    expect(long.text).toContain(`<p class="fault" id="message-fault">${words}</p>`)
    expect(long.text).toContain(`aria-invalid="true">${message}</textarea>`)
    // The end of a line is one character, as in the browser.
    const lines = await shop.send('/feedback', { message: `${'x'.repeat(498)}\r\nx` })
    expect([lines.status, lines.headers.location]).toEqual([303, '/feedback?sent'])
    await shop.design({ language: 'en' })
  })
})

describe('what the shop answers of itself', () => {
  test('stands on the page of questions, for people and machines', async () => {
    const entries = [{ question: 'Is shipping free?', answer: 'From 50 euros on, <b>yes</b>.' }]
    await shop.api.put(shop.at('shop-knowledge')).send({ entries }).expect(200)
    const { text } = await shop.visit('/faq')
    expect(text).toContain(
      '<dt>Is shipping free?</dt><dd><p>From 50 euros on, &lt;b&gt;yes&lt;/b&gt;.</p>',
    )
    expect(text).toContain('"@type":"FAQPage"')
    expect((await shop.visit('/')).text).toContain('href="/faq"')
  })
})

describe('a report of a shop', () => {
  test('reaches the people who run the service, and not the shop, without a script', async () => {
    const report = { name: 'Ece Demir', email: newAddress(), message: 'It pretends to be a bank.' }
    const page = await shop.visit('/report')
    expect(page.text).toContain('<form class="form" method="post" action="/report">')
    for (const word of ['data-live', 'challengeToken', 'noscript'])
      expect(page.text).not.toContain(word)
    const wrong = await shop.send('/report', { ...report, email: 'ece' })
    expect([wrong.status, wrong.text.includes('id="email-fault"')]).toEqual([400, true])
    const longest = 'x'.repeat(1801)
    const long = await shop.send('/report', { ...report, message: longest })
    expect(long.status).toBe(400)
    expect(long.text).toContain('id="message-fault">At most 1,800 characters.</p>')
    expect(long.text).toContain(`${longest}</textarea>`)
    const sent = await shop.send('/report', report)
    expect([sent.status, sent.headers.location]).toEqual([303, '/report?sent'])
    expect((await shop.visit('/report?sent')).text).toContain('We will look at it.')
    const again = await shop.send('/report', { ...report, message: 'Once more.' })
    expect([again.status, again.text.includes('Once more.')]).toEqual([409, true])
    const away = { Origin: 'https://evil.example' }
    expect((await shop.send('/report', { ...report, email: newAddress() }, away)).status).toBe(403)
    const admin = service.admin(await service.givenStaff())
    const { contactRequests } = (await admin.get('/api/admin/contact-requests').expect(200)).body
    expect(contactRequests[0]).toMatchObject({
      name: 'Ece Demir',
      message: `${shop.url}\n${shop.workspaceId}\n\nIt pretends to be a bank.`,
    })
  })
})

describe('reading a shop', () => {
  test('sets no cookie, whoever reads', async () => {
    for (const path of ['/', '/products', '/sign-in', '/feedback', '/report', '/account'])
      expect(cookiesOf(await shop.visit(path))).toBe('')
  })
})
