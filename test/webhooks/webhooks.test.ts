import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createWebhookPost } from '../../src/adapters/webhook_post.ts'
import { sweepBalanceAlerts } from '../../src/domain/credits/balance_alerts.ts'
import type { components } from '../../src/generated/types.ts'
import { recordChanges, upserts } from '../../src/queries/catalogue/feed.ts'
import { claimDelivery } from '../../src/queries/webhooks/deliveries.ts'
import {
  givenCollection,
  givenMediaRow,
  givenProduct,
  givenShop,
  givenTag,
  outcomeOf,
  type Shop,
} from '../kit/catalogue.ts'
import { createDatabase, type TestDatabase } from '../kit/database.ts'
import { isSignedBy, startWebhookReceiver } from '../kit/peers/webhook_receiver.ts'
import { all, tally } from '../kit/races.ts'
import { startService, type TestService } from '../kit/service.ts'
import { givenGuest } from '../kit/visitors.ts'

type Webhook = components['schemas']['Webhook']
type Secret = components['schemas']['WebhookWithSecret']
type Delivery = components['schemas']['WebhookDelivery']

const [hour, day] = [3600_000, 24 * 3600_000]
const env = { WEBHOOK_LOOPBACK: 'true' }
/** Shorter than in the service: a receiver that hangs is given up sooner. */
const webhookPost = createWebhookPost({ timeLimitMilliseconds: 500 }, { loopback: true })

let database: TestDatabase
let service: TestService
let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>
let shop: Shop
beforeAll(async () => {
  database = await createDatabase()
  service = await startService({ databaseUrl: database.url, env, webhookPost })
})
afterAll(async () => {
  await service.close()
  await database.drop()
})
beforeEach(async () => {
  receiver = await startWebhookReceiver()
  shop = await givenShop(service)
  return () => receiver.close()
})

const eventTypes = [
  'product.changed',
  'product.deleted',
  'collection.changed',
  'collection.deleted',
  'media.changed',
  'media.deleted',
  'tag.changed',
  'tag.deleted',
  'website.changed',
  'product.out_of_stock',
  'feedback.created',
  'wallet.low',
  'change_set.applied',
  'change_set.waiting',
]
const every = ['product.changed', 'product.deleted'] as const

async function givenWebhook(
  path = '/ok',
  events: readonly string[] = every,
  url = receiver.url(path),
): Promise<Secret> {
  const answer = await shop.api.post(shop.at('webhooks')).send({ url, events })
  expect(answer.body).not.toHaveProperty('code')
  return answer.body as Secret
}

const get = async ({ id }: { id: string }) =>
  (await shop.api.get(shop.at(`webhooks/${id}`)).expect(200)).body as Webhook

const deliveriesOf = async ({ id }: { id: string }) =>
  (await shop.api.get(shop.at(`webhooks/${id}/deliveries`)).expect(200)).body
    .deliveries as Delivery[]

const settle = () => service.app.webhooks.flush()

describe('create_webhook', () => {
  test('answers the secret once, and never again', async () => {
    const webhook = await givenWebhook()
    expect(webhook).toEqual({
      id: expect.stringMatching(/^wh_/) as string,
      url: receiver.url('/ok'),
      events: ['product.changed', 'product.deleted'],
      description: '',
      status: 'ACTIVE',
      failingSince: null,
      createdAt: service.now().toISOString(),
      updatedAt: service.now().toISOString(),
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) as string,
    })
    const { secret, ...rest } = webhook
    expect(await get(webhook)).toEqual(rest)
    const listed = await shop.api.get(shop.at('webhooks')).expect(200)
    expect(listed.body).toEqual({ webhooks: [rest] })
    const { rows } = await service.connection.pool.query<{ dump: string }>(
      `select to_jsonb(webhooks)::text || encode(secret, 'escape') as dump from webhooks`,
    )
    for (const { dump } of rows) expect(dump).not.toContain(secret.slice(6))
  })

  test.each([
    'http://shop.example/hook',
    'https://shop.example:8443/hook',
    'https://user:password@shop.example/hook',
    'https://@shop.example/hook',
    'https://shop.example/hook#part',
    'https://127.0.0.1/hook',
    'https://2130706433/hook',
    'https://0x7f.1/hook',
    'https://[::1]/hook',
    'https://[::ffff:10.0.0.1]/hook',
    'https://10.0.0.1/hook',
    'https://169.254.169.254/latest',
    'https://localhost/hook',
    'https://shop.internal/hook',
    'https://shop/hook',
    'https://shop.example./hook',
    'http://127.0.0.1.shop.example/hook',
    'http://localhost@shop.example/hook',
    'http://10.0.0.1/hook',
    'ftp://shop.example/hook',
    'file:///etc/passwd',
    'not a url',
  ])('refuses %s', async (url) => {
    const answer = await shop.api.post(shop.at('webhooks')).send({ url, events: every })
    const [status, code, fields] = outcomeOf(answer)
    expect([status, code, Object.keys(fields)]).toEqual([400, 'invalid_input', ['url']])
    expect((await shop.api.get(shop.at('webhooks'))).body).toEqual({ webhooks: [] })
  })

  test('refuses http to this machine unless the setting allows it', async () => {
    const strict = await startService({ databaseUrl: database.url })
    const body = { url: receiver.url('/ok'), events: every }
    const answer = await strict.api(shop.key).post(shop.at('webhooks')).send(body)
    expect(outcomeOf(answer)).toEqual([
      400,
      'invalid_input',
      { url: 'The URL is not an https URL. Give an https URL of a public host on port 443.' },
    ])
    await strict.close()
  })

  test('makes ten of twelve concurrent ones', async () => {
    const body = { url: receiver.url('/ok'), events: every }
    const answers = await all(12, () => shop.api.post(shop.at('webhooks')).send(body))
    expect(tally(answers)).toEqual({ 200: 10, '400 invalid_input': 2 })
    const refusal = answers.find(({ status }) => status === 400)!
    const reason = 'A workspace has at most 10 webhooks. Delete one that is not needed first.'
    expect(outcomeOf(refusal)[2]).toEqual({ url: reason })
  })
})

describe('a message', () => {
  test('says what happened, signed as Standard Webhooks say', async () => {
    const webhook = await givenWebhook()
    const product = await givenProduct(shop)
    await settle()
    const [received] = receiver.at('/ok')
    expect(received!.message).toEqual({
      type: 'product.changed',
      timestamp: service.now().toISOString(),
      data: {
        workspaceId: shop.workspaceId,
        kind: 'PRODUCT',
        id: product.id,
        cursor: expect.stringMatching(/^c1-/) as string,
      },
    })
    const [delivery] = await deliveriesOf(webhook)
    expect(received!.headers['webhook-id']).toBe(delivery!.id)
    expect(received!.headers['content-type']).toBe('application/json')
    expect(isSignedBy(webhook.secret, received!)).toBe(true)
    expect(isSignedBy(webhook.secret, { ...received!, body: `${received!.body} ` })).toBe(false)
    expect(delivery).toEqual({
      id: delivery!.id,
      type: 'product.changed',
      status: 'DELIVERED',
      attempts: 1,
      responseStatus: 204,
      error: null,
      createdAt: service.now().toISOString(),
      lastAttemptAt: service.now().toISOString(),
      nextAttemptAt: null,
    })
    const { cursor } = received!.message.data
    const changes = await shop.api.get(shop.at(`changes?after=${cursor}`)).expect(200)
    expect(changes.body.changes).toEqual([])
  })

  test('is sent for every kind of event, and for none that was not asked for', async () => {
    const events = eventTypes
    await givenWebhook('/all', events)
    await givenWebhook('/tags', ['tag.deleted'])
    const remove = (path: string) => shop.api.delete(shop.at(path)).expect(200)
    const product = await givenProduct(shop, { stock: 1 })
    await shop.api
      .patch(shop.at(`products/${product.id}`))
      .send({ stock: 0 })
      .expect(200)
    await remove(`products/${product.id}`)
    await remove(`collections/${(await givenCollection(shop)).id}`)
    await remove(`media/${(await givenMediaRow(shop)).id}`)
    await remove(`tags/${(await givenTag(shop)).id}`)
    await shop.api.put(shop.at('website')).send({ headline: 'New' }).expect(200)
    const guest = givenGuest({ service, workspace: { id: shop.workspaceId } })
    await shop.api
      .post(shop.at('experience/feedback'))
      .set(guest.headers)
      .send({ message: 'Lovely' })
      .expect(204)
    const path = `/api/workspaces/${shop.workspaceId}/balance-alert`
    await service.dashboard(shop.person).put(path).send({ below: 5 }).expect(200)
    await sweepBalanceAlerts(service.db, service.config.dashboardUrl, service.now())
    const sets = [
      ...upserts('CHANGE_SET_WAITING', ['cs_1']),
      ...upserts('CHANGE_SET_APPLIED', ['cs_1']),
    ]
    await service.db
      .transaction()
      .execute((trx) => recordChanges(trx, shop.workspaceId, sets, service.now()))
    await settle()
    const types = receiver.at('/all').map(({ message }) => message.type)
    expect([...new Set(types)].toSorted()).toEqual(events.toSorted())
    expect(receiver.at('/tags').map(({ message }) => message.type)).toEqual(['tag.deleted'])
    const kinds = Object.fromEntries(
      receiver.at('/all').map(({ message }) => [message.type, message.data.kind]),
    )
    expect(kinds).toMatchObject({
      'product.out_of_stock': 'PRODUCT',
      'feedback.created': 'FEEDBACK',
      'wallet.low': 'WALLET',
      'change_set.applied': 'CHANGE_SET',
    })
  })

  test('tells what happened after the webhook was made, and equal things once', async () => {
    const product = await givenProduct(shop)
    await givenWebhook()
    const twice = upserts('PRODUCT', [product.id, product.id])
    await service.db
      .transaction()
      .execute((trx) => recordChanges(trx, shop.workspaceId, twice, service.now()))
    await settle()
    expect(receiver.received.map(({ message }) => message.data)).toEqual([
      expect.objectContaining({ id: product.id, cursor: expect.stringMatching(/^c3-/) as string }),
    ])
  })

  test('is signed by both secrets for 24 hours after a rotation, then by the new one', async () => {
    const { id, secret } = await givenWebhook()
    const rotated = await shop.api
      .post(shop.at(`webhooks/${id}/secret`))
      .send({})
      .expect(200)
    const { secret: next } = rotated.body as Secret
    expect(next).not.toBe(secret)
    const send = async () => {
      await givenProduct(shop)
      await settle()
      const message = receiver.at('/ok').at(-1)!
      return [secret, next].map((one) => isSignedBy(one, message))
    }
    expect(await send()).toEqual([true, true])
    service.advance(24 * hour)
    const again = await shop.api.get(shop.at(`webhooks/${id}`)).expect(200)
    expect(again.body).not.toHaveProperty('secret')
    await givenProduct(shop)
    await settle()
    const message = receiver.at('/ok').at(-1)!
    expect(message.headers['webhook-signature']).not.toContain(' ')
    service.advance(-24 * hour)
  })
})

describe('a receiver that fails', () => {
  test.each([
    ['refuses', 500, 'The host answered 500.'],
    ['redirects', 302, 'The host redirects (302), which is not followed.'],
  ])('because it %s is tried again after 5 seconds', async (_how, status, error) => {
    const webhook = await givenWebhook('/bad')
    receiver.answer('/bad', (own) =>
      own.writeHead(status, { location: receiver.url('/ok') }).end('no'),
    )
    await givenProduct(shop)
    await settle()
    const [failed] = await deliveriesOf(webhook)
    expect(failed).toMatchObject({
      status: 'PENDING',
      attempts: 1,
      responseStatus: status,
      error,
      nextAttemptAt: new Date(service.now().getTime() + 5000).toISOString(),
    })
    expect((await get(webhook)).failingSince).toBe(service.now().toISOString())
    await settle()
    expect(receiver.received).toHaveLength(1)
    receiver.answer('/bad', (own) => own.writeHead(200).end())
    service.advance(5000)
    await settle()
    const [delivered] = await deliveriesOf(webhook)
    expect(delivered).toMatchObject({ id: failed!.id, status: 'DELIVERED', attempts: 2 })
    const ids = receiver.at('/bad').map(({ headers }) => headers['webhook-id'])
    expect(ids).toEqual([failed!.id, failed!.id])
    expect(receiver.at('/ok')).toEqual([])
    expect((await get(webhook)).failingSince).toBeNull()
  })

  test('because it hangs or is not there says so', async () => {
    const hanging = await givenWebhook('/hang')
    receiver.answer('/hang', () => undefined)
    const absent = await givenWebhook('', every, 'http://127.0.0.1:9/')
    await givenProduct(shop)
    await settle()
    const errors = [(await deliveriesOf(hanging))[0]!.error, (await deliveriesOf(absent))[0]!.error]
    expect(errors).toEqual(['The host took too long to answer.', 'The host could not be reached.'])
  })

  test('holds up neither writes nor other receivers', async () => {
    let release: (() => void) | undefined
    receiver.answer('/hang', (own) => (release = () => own.writeHead(200).end()))
    await givenWebhook('/hang')
    await givenWebhook('/ok')
    const other = await givenShop(service)
    const url = receiver.url('/other')
    await other.api.post(other.at('webhooks')).send({ url, events: every }).expect(200)
    const arrived = (path: string) =>
      new Promise<void>((resolve) => {
        receiver.answer(path, (own) => {
          own.writeHead(204).end()
          resolve()
        })
      })
    const [here, there] = [arrived('/ok'), arrived('/other')]
    await givenProduct(shop)
    await givenProduct(other)
    const settled = settle()
    await Promise.all([here, there])
    // The write is answered while the receiver still hangs.
    await givenProduct(shop)
    expect(receiver.at('/hang').length).toBeGreaterThan(0)
    release!()
    await settled
  })

  test('for three days is disabled, its owner is mailed, and it can be enabled again', async () => {
    const began = service.now()
    const { id } = await givenWebhook('/bad')
    receiver.answer('/bad', (own) => own.writeHead(503).end())
    await givenProduct(shop)
    for (let step = 0; step < 40 && (await get({ id })).status === 'ACTIVE'; step++) {
      await settle()
      service.advance(2 * hour)
    }
    expect((await get({ id })).status).toBe('DISABLED')
    expect(service.now().getTime() - began.getTime()).toBeGreaterThanOrEqual(3 * day)
    const mails = await service.mailsTo(shop.person.email)
    expect(mails.map(({ subject }) => subject)).toEqual([
      expect.stringContaining('is disabled') as string,
    ])
    expect(mails[0]!.text).toContain('127.0.0.1')
    const [given] = await deliveriesOf({ id })
    expect(given).toMatchObject({ status: 'FAILED', nextAttemptAt: null, responseStatus: 503 })
    const attempts = receiver.at('/bad').length
    await givenProduct(shop)
    await settle()
    expect(receiver.at('/bad')).toHaveLength(attempts)
    receiver.answer('/bad', (own) => own.writeHead(204).end())
    const enabled = await shop.api
      .put(shop.at(`webhooks/${id}`))
      .send({ status: 'ACTIVE' })
      .expect(200)
    expect(enabled.body).toMatchObject({ status: 'ACTIVE', failingSince: null })
    const product = await givenProduct(shop)
    await settle()
    const after = receiver.at('/bad').slice(attempts)
    expect(after.map(({ message }) => message.data.id)).toEqual([product.id])
  })
})

describe('test_webhook', () => {
  test('sends one webhook.test, also to a disabled one, and never again', async () => {
    const webhook = await givenWebhook('/test', ['tag.deleted'])
    const path = shop.at(`webhooks/${webhook.id}`)
    await shop.api.put(path).send({ status: 'DISABLED' }).expect(200)
    receiver.answer('/test', (own) => own.writeHead(500).end())
    const begun = await shop.api.post(`${path}/test`).send({}).expect(200)
    expect(begun.body).toMatchObject({ type: 'webhook.test', status: 'PENDING' })
    await settle()
    const [{ message }] = receiver.at('/test') as [(typeof receiver.received)[0]]
    expect(message.data).toEqual({
      workspaceId: shop.workspaceId,
      kind: 'WEBHOOK',
      id: webhook.id,
    })
    const [delivery] = await deliveriesOf(webhook)
    expect(delivery).toMatchObject({ status: 'FAILED', attempts: 1, nextAttemptAt: null })
    expect((await get(webhook)).failingSince).toBeNull()
  })
})

describe('resend_webhook_delivery', () => {
  test('sends the same message under the same id', async () => {
    const webhook = await givenWebhook()
    await givenProduct(shop)
    await settle()
    const [{ id }] = (await deliveriesOf(webhook)) as [Delivery]
    const path = shop.at(`webhooks/${webhook.id}/deliveries/${id}/resend`)
    await shop.api.post(path).send({}).expect(200)
    await settle()
    const [first, second] = receiver.at('/ok')
    expect(second!.body).toBe(first!.body)
    expect(second!.headers['webhook-id']).toBe(id)
    expect((await deliveriesOf(webhook))[0]).toMatchObject({ status: 'DELIVERED', attempts: 2 })
  })

  test('knows the deliveries of its own webhook alone', async () => {
    const [one, two] = [await givenWebhook(), await givenWebhook('/other')]
    await givenProduct(shop)
    await settle()
    const [{ id }] = (await deliveriesOf(one)) as [Delivery]
    const path = shop.at(`webhooks/${two.id}/deliveries/${id}/resend`)
    const answer = await shop.api.post(path).send({})
    expect(outcomeOf(answer).slice(0, 2)).toEqual([404, 'not_found'])
  })
})

describe('two services', () => {
  test('deliver each message once', async () => {
    const other = await startService({ databaseUrl: database.url, env, webhookPost })
    await givenWebhook()
    for (let i = 0; i < 20; i++) await givenProduct(shop)
    await Promise.all([settle(), other.app.webhooks.flush(), settle(), other.app.webhooks.flush()])
    await other.close()
    await settle()
    const ids = receiver.at('/ok').map(({ headers }) => headers['webhook-id'])
    expect(ids).toHaveLength(20)
    expect(new Set(ids).size).toBe(20)
  })

  test('take over what one had claimed when it was killed', async () => {
    const webhook = await givenWebhook('/late')
    receiver.answer('/late', (own) => own.writeHead(500).end())
    await givenProduct(shop)
    await settle()
    receiver.answer('/late', (own) => own.writeHead(204).end())
    service.advance(5000)
    const place = { workspaceId: shop.workspaceId, webhookId: webhook.id }
    const now = service.now()
    const leaseEnd = new Date(now.getTime() + 60_000)
    // What a process does before it sends; it is killed then.
    const claimed = await claimDelivery(service.db, place, { now, leaseEnd })
    expect(claimed).toBeDefined()
    await settle()
    expect(receiver.at('/late')).toHaveLength(1)
    service.advance(60_000)
    await settle()
    expect(receiver.at('/late')).toHaveLength(2)
    expect((await deliveriesOf(webhook))[0]).toMatchObject({ status: 'DELIVERED', attempts: 3 })
  })
})

test('a delivery to a name that leads to a private address is not attempted', async () => {
  const post = createWebhookPost(
    {
      resolve: () => Promise.resolve(['127.0.0.1']),
      connect: () => {
        throw new Error('It was connected to.')
      },
    },
    { loopback: false },
  )
  for (const url of ['https://shop.example/hook', receiver.url('/ok'), 'https://127.0.0.1/hook'])
    await expect(post({ url, headers: {}, body: '{}' })).rejects.toThrow(
      /could not be reached|not an https URL|no public address/,
    )
  expect(receiver.received).toEqual([])
})
