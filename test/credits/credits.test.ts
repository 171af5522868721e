import request from 'supertest'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { stripePayments } from '../../src/adapters/payments.ts'
import { givenMember, givenScene, type Scene } from '../every_operation/fixtures.ts'
import { openCheckout, paidEvent, sendEvent } from './payment_events.ts'
import { startService, type TestService } from '../kit/service.ts'
import { startStripe, type StripeServer } from '../kit/peers/stripe_server.ts'
import { entriesOf } from '../kit/wallets.ts'

let service: TestService
let scene: Scene
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())
beforeEach(async () => {
  scene = await givenScene(service)
})

const entries = () => entriesOf(service, scene.workspace.id)
const buy = (pack: 500 | 1000 | 5000 = 500) =>
  openCheckout(service, scene.owner, scene.workspace.id, pack)
const development = (id: string, action: 'pay' | 'refund', body?: object) => {
  const call = service.dashboard(scene.owner).post(`/api/development/checkout/${id}/${action}`)
  return body ? call.send(body) : call
}

describe('list_packs', () => {
  test('shows the three packs with their prices', async () => {
    const path = `/api/workspaces/${scene.workspace.id}/packs`
    const { status, body } = await service.dashboard(scene.owner).get(path)
    expect([status, body]).toEqual([
      200,
      {
        packs: [
          { credits: 500, price: 10, currency: 'USD' },
          { credits: 1000, price: 20, currency: 'USD' },
          { credits: 5000, price: 100, currency: 'USD' },
        ],
      },
    ])
  })
})

describe('create_checkout', () => {
  const path = () => `/api/workspaces/${scene.workspace.id}/checkout`

  test('returns the checkout page, and adds no credits', async () => {
    const { status, body } = await service.dashboard(scene.owner).post(path()).send({ pack: 500 })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^chk_/) as string,
      url: `${service.config.dashboardUrl}/checkout/${body.id}`,
    })
    expect(await entries()).toEqual([])
  })

  test('is open to a billing member', async () => {
    const person = await service.givenPerson()
    await givenMember(scene, person, 'billing')
    await service.dashboard(person).post(path()).send({ pack: 1000 }).expect(201)
  })

  test('refuses a pack that is not sold', async () => {
    const { status, body } = await service.dashboard(scene.owner).post(path()).send({ pack: 501 })
    expect([status, Object.keys(body.fieldErrors as object)]).toEqual([400, ['pack']])
  })
})

describe('pay_development_checkout', () => {
  test('adds the credits through the webhook, once', async () => {
    const { id } = await buy(1000)
    const { status, body } = await development(id, 'pay')
    expect(status).toBe(200)
    const time = service.now().toISOString()
    expect(body).toEqual({
      id,
      status: 'PAID',
      credits: 1000,
      refundedCredits: 0,
      price: 20,
      currency: 'USD',
      createdAt: time,
      paidAt: time,
    })
    await development(id, 'pay').expect(200)
    expect(await entries()).toEqual(['PURCHASE 1000 = 1000'])
    const events = await service.db
      .selectFrom('payment_events')
      .select(['type', 'outcome'])
      .where('checkout_id', '=', id)
      .orderBy('outcome')
      .execute()
    const type = 'checkout.session.completed'
    expect(events).toEqual([
      { type, outcome: 'CREDITED' },
      { type, outcome: 'IGNORED' },
    ])
  })

  test('works after the clock has advanced', async () => {
    service.advance(3600_000)
    await development((await buy()).id, 'pay').expect(200)
    expect(await entries()).toEqual(['PURCHASE 500 = 500'])
  })

  test('does not find the checkout of a workspace where the member is staff', async () => {
    const { id } = await buy()
    const person = await service.givenPerson()
    await givenMember(scene, person, 'staff')
    const answer = await service.dashboard(person).post(`/api/development/checkout/${id}/pay`)
    expect([answer.status, answer.body.code]).toEqual([404, 'not_found'])
  })
})

describe('refund_development_checkout', () => {
  test('refunds the given credits, then all the rest', async () => {
    const { id } = await buy()
    await development(id, 'pay').expect(200)
    const { body } = await development(id, 'refund', { credits: 199 })
    expect(body).toMatchObject({ status: 'PAID', refundedCredits: 199 })
    expect((await development(id, 'refund')).body).toMatchObject({ refundedCredits: 500 })
    expect((await development(id, 'refund', {})).body).toMatchObject({ refundedCredits: 500 })
    expect(await entries()).toEqual(['PURCHASE 500 = 500', 'REFUND -199 = 301', 'REFUND -301 = 0'])
  })

  test('refuses more than remains', async () => {
    const { id } = await buy()
    await development(id, 'pay').expect(200)
    await development(id, 'refund', { credits: 200 }).expect(200)
    const { status, body } = await development(id, 'refund', { credits: 301 })
    const sentence = 'At most 300 credits can be refunded.'
    expect([status, body.fieldErrors]).toEqual([400, { credits: sentence }])
  })

  test('may come before the payment', async () => {
    const { id } = await buy()
    const { body } = await development(id, 'refund', { credits: 200 })
    expect(body).toMatchObject({ status: 'OPEN', refundedCredits: 0 })
    await development(id, 'pay').expect(200)
    expect(await entries()).toEqual(['PURCHASE 500 = 500', 'REFUND -200 = 300'])
  })
})

describe('the built-in checkout page', () => {
  const page = (path: string) => request(service.urls.dashboard).get(path).redirects(0)
  const submit = (path: string, origin = service.config.dashboardUrl) =>
    request(service.urls.dashboard).post(path).set('Origin', origin).redirects(0)

  test('shows the purchase, runs no scripts and cannot be framed', async () => {
    const { id } = await buy()
    const { status, text, headers } = await page(`/checkout/${id}`)
    expect(status).toBe(200)
    expect(text).toContain('<h1>Buy 500 AI credits</h1>')
    expect(text).toContain('Pay $10.00')
    expect(text).not.toContain('<script')
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    )
    // Otherwise browsers would send the form with an Origin of null.
    expect(headers['referrer-policy']).toBe('same-origin')
  })

  test('pays, and redirects to itself with a confirmation', async () => {
    const { id } = await buy()
    const payment = await submit(`/checkout/${id}/pay`)
    expect([payment.status, payment.headers.location]).toEqual([303, `/checkout/${id}`])
    expect((await page(`/checkout/${id}`)).text).toContain('Paid.')
    expect(await entries()).toEqual(['PURCHASE 500 = 500'])
  })

  test('cancels by returning to the dashboard, which adds no credits', async () => {
    const { id } = await buy()
    const cancellation = await submit(`/checkout/${id}/cancel`)
    const wallet = `/w/${scene.workspace.id}/wallet`
    const { status, headers } = cancellation
    expect([status, headers.location]).toEqual([303, `${wallet}?checkout=cancelled`])
    await page(`${wallet}?checkout=paid`)
    expect(await entries()).toEqual([])
  })

  test('refuses a form from another site', async () => {
    const { id } = await buy()
    for (const origin of ['https://site.example', 'null']) {
      const { status, body } = await submit(`/checkout/${id}/pay`, origin)
      expect([status, body.code]).toEqual([403, 'origin_refused'])
    }
    expect(await entries()).toEqual([])
  })

  test('is 404 for an unknown checkout', async () => {
    expect((await page('/checkout/chk_none')).status).toBe(404)
    expect((await submit('/checkout/chk_none/pay')).status).toBe(404)
  })
})

describe('with Stripe', () => {
  let stripe: StripeServer
  let shop: TestService
  const webhookSecret = 'whsec_a_secret_of_the_tests'
  beforeAll(async () => {
    stripe = await startStripe()
    const settings = { secretKey: 'sk_test_right', webhookSecret, api: stripe.address }
    const dashboardUrl = 'http://localhost:3001'
    shop = await startService({ payments: stripePayments({ ...settings, dashboardUrl }) })
  })
  afterAll(async () => {
    await shop.close()
    await stripe.close()
  })

  test('a checkout is a Stripe session that carries its owner', async () => {
    const { owner, workspace } = await givenScene(shop)
    const path = `/api/workspaces/${workspace.id}/checkout`
    const { status, body } = await shop.dashboard(owner).post(path).send({ pack: 5000 })
    expect(status).toBe(201)
    const session = stripe.sessions.at(-1)!
    expect(body.url).toBe(session.url)
    expect(session.headers).toMatchObject({
      authorization: 'Bearer sk_test_right',
      'idempotency-key': body.id,
      'content-type': 'application/x-www-form-urlencoded',
    })
    const metadata = { workspaceId: workspace.id, pack: '5000', checkoutId: body.id }
    expect(session.form).toEqual({
      mode: 'payment',
      client_reference_id: body.id,
      ...Object.fromEntries(
        Object.entries(metadata).flatMap(([name, value]) => [
          [`metadata[${name}]`, value],
          [`payment_intent_data[metadata][${name}]`, value],
        ]),
      ),
      'line_items[0][quantity]': '1',
      'line_items[0][price_data][currency]': 'usd',
      'line_items[0][price_data][unit_amount]': '10000',
      'line_items[0][price_data][product_data][name]': '5000 AI credits',
      success_url: `http://localhost:3001/w/${workspace.id}/wallet?checkout=paid`,
      cancel_url: `http://localhost:3001/w/${workspace.id}/wallet?checkout=cancelled`,
    })
  })

  test('only the session of a checkout can pay for it', async () => {
    const { owner, workspace } = await givenScene(shop)
    const checkout = await openCheckout(shop, owner, workspace.id, 500)
    const { id } = stripe.sessions.at(-1)!
    await sendEvent(shop, paidEvent(checkout, { id: 'cs_test_of_a_payment_link' }))
    expect(await entriesOf(shop, workspace.id)).toEqual([])
    await sendEvent(shop, paidEvent(checkout, { id }))
    expect(await entriesOf(shop, workspace.id)).toEqual(['PURCHASE 500 = 500'])
  })

  test('the development checkout cannot pay', async () => {
    const { owner, workspace } = await givenScene(shop)
    const { id } = await openCheckout(shop, owner, workspace.id, 500)
    for (const action of ['pay', 'refund']) {
      const answer = await shop.dashboard(owner).post(`/api/development/checkout/${id}/${action}`)
      expect([answer.status, answer.body.code]).toEqual([404, 'not_found'])
    }
    expect((await request(shop.urls.dashboard).get(`/checkout/${id}`)).status).toBe(404)
  })

  test.each([
    ['refuses the key', 401],
    ['fails', 500],
    ['closes the socket', 0],
  ])('a checkout is 503 if Stripe %s, with the reason only in the log', async (_what, status) => {
    const { owner, workspace } = await givenScene(shop)
    stripe.failWith(status)
    const path = `/api/workspaces/${workspace.id}/checkout`
    const answer = await shop.dashboard(owner).post(path).send({ pack: 500 })
    stripe.failWith(undefined)
    expect([answer.status, answer.body.code]).toEqual([503, 'unavailable'])
    expect(answer.text).not.toMatch(/stripe/i)
    const log = JSON.stringify(shop.logged())
    expect(log).toContain('The payment provider opened no checkout.')
    expect(log).not.toContain('sk_test_right')
  })
})
