import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sweepBalanceAlerts } from '../../src/domain/credits/balance_alerts.ts'
import type { components } from '../../src/generated/types.ts'
import { recordChanges, upserts } from '../../src/queries/catalogue/feed.ts'
import {
  givenCollection,
  givenMediaRow,
  givenProduct,
  productBody,
  givenShop,
  givenTag,
  outcomeOf,
  type Shop,
} from '../kit/catalogue.ts'
import { createDatabase, isDistributed, type TestDatabase } from '../kit/database.ts'
import { isSignedBy, startWebhookReceiver } from '../kit/peers/webhook_receiver.ts'
import { all, tally } from '../kit/races.ts'
import { whileRefused } from '../upkeep/refused_rows.ts'
import { startService, type TestService } from '../kit/service.ts'
import { givenGuest } from '../kit/visitors.ts'
import {
  createWebhook,
  type Delivery,
  getWebhook,
  listDeliveries,
  productEvents,
  toLoopback,
} from './webhook_calls.ts'

const hour = 3600_000

let database: TestDatabase
let service: TestService
let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>
let shop: Shop
beforeAll(async () => {
  database = await createDatabase()
  service = await startService({ databaseUrl: database.url, ...toLoopback })
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

const givenWebhook = (
  path = '/ok',
  events: readonly string[] = productEvents,
  url = receiver.url(path),
) => createWebhook(shop, url, events)
const get = (webhook: { id: string }) => getWebhook(shop, webhook)
const deliveriesOf = (webhook: { id: string }) => listDeliveries(shop, webhook)
const deliver = () => service.app.webhooks.flush()

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
    const answer = await shop.api.post(shop.at('webhooks')).send({ url, events: productEvents })
    const [status, code, fields] = outcomeOf(answer)
    expect([status, code, Object.keys(fields)]).toEqual([400, 'invalid_input', ['url']])
    expect((await shop.api.get(shop.at('webhooks'))).body).toEqual({ webhooks: [] })
  })

  test('refuses http to this machine unless the setting allows it', async () => {
    const strict = await startService({ databaseUrl: database.url })
    const body = { url: receiver.url('/ok'), events: productEvents }
    const answer = await strict.api(shop.key).post(shop.at('webhooks')).send(body)
    expect(outcomeOf(answer)).toEqual([
      400,
      'invalid_input',
      { url: 'Give an https URL of a public host on port 443, without a user name or a fragment.' },
    ])
    await strict.close()
  })

  test('makes ten of twelve concurrent ones', async () => {
    const body = { url: receiver.url('/ok'), events: productEvents }
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
    await deliver()
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
    await deliver()
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

  test('tells of each product that runs out, however that is written', async () => {
    const stocked = (stock: number) => givenProduct(shop, { stock })
    const [patched, batched, taken, planned, left, deleted, out] = await Promise.all(
      [2, 2, 2, 2, 2, 2, 0].map(stocked),
    )
    const at = (path: string) => shop.api.post(shop.at(path))
    await givenWebhook('/out', ['product.out_of_stock'])
    await shop.api
      .patch(shop.at(`products/${patched!.id}`))
      .send({ stock: 0 })
      .expect(200)
    const rows = [
      { action: 'patch', id: batched!.id, data: { stock: 0 } },
      { action: 'patch', id: taken!.id, data: { stock: { add: -2 } } },
      { action: 'patch', id: left!.id, data: { stock: 1 } },
      { action: 'patch', id: out!.id, data: { stock: 0, brand: 'Another' } },
      { action: 'delete', id: deleted!.id },
      { action: 'create', data: { ...productBody(), stock: 0 } },
    ]
    const { counts } = (await at('products/batch').send({ rows }).expect(200)).body
    expect(counts).toMatchObject({ created: 1, updated: 4, deleted: 1 })
    const set = (await at('change-sets').send({
      rows: [
        { action: 'patch', id: planned!.id, data: { stock: 0 } },
        { action: 'patch', id: out!.id, data: { stock: 3 } },
      ],
    })) as { body: { id: string } }
    await at(`change-sets/${set.body.id}/apply`).expect(200)
    // It was out before, and is again.
    await at(`change-sets/${set.body.id}/undo`).expect(200)
    await deliver()
    const told = receiver.at('/out').map(({ message }) => message.data.id)
    expect(told.toSorted()).toEqual(
      [patched!, batched!, taken!, planned!, out!].map(({ id }) => id).toSorted(),
    )
  })

  test('tells what happened after the webhook was made, and equal things once', async () => {
    const product = await givenProduct(shop)
    await givenWebhook()
    const twice = upserts('PRODUCT', [product.id, product.id])
    await service.db
      .transaction()
      .execute((trx) => recordChanges(trx, shop.workspaceId, twice, service.now()))
    await deliver()
    expect(receiver.received.map(({ message }) => message.data)).toEqual([
      expect.objectContaining({ id: product.id, cursor: expect.stringMatching(/^c3-/) as string }),
    ])
  })

  test.skipIf(isDistributed()).each([
    ['told what happens', 'webhooks', 'update', 'new.id'],
    ['sent what is due', 'webhook_deliveries', 'update', 'new.webhook_id'],
  ] as const)(
    'reaches the others while one webhook cannot be %s',
    async (_what, table, write, id) => {
      const webhook = await givenWebhook('/bad')
      await givenWebhook('/good')
      const rows = `${id} = '${webhook.id}'`
      await whileRefused(service, { table, write, rows }, async () => {
        await givenProduct(shop)
        await deliver()
        expect(receiver.at('/good')).toHaveLength(1)
        expect(receiver.at('/bad')).toEqual([])
      })
      await deliver()
      expect(receiver.at('/bad')).toHaveLength(1)
    },
  )

  test('is signed by both secrets for 24 hours after a rotation, then by the new one', async () => {
    const { id, secret } = await givenWebhook()
    const rotated = await shop.api
      .post(shop.at(`webhooks/${id}/secret`))
      .send({})
      .expect(200)
    const { secret: next } = rotated.body as components['schemas']['WebhookWithSecret']
    expect(next).not.toBe(secret)
    const send = async () => {
      await givenProduct(shop)
      await deliver()
      const message = receiver.at('/ok').at(-1)!
      return [secret, next].map((one) => isSignedBy(one, message))
    }
    expect(await send()).toEqual([true, true])
    service.advance(24 * hour)
    const again = await shop.api.get(shop.at(`webhooks/${id}`)).expect(200)
    expect(again.body).not.toHaveProperty('secret')
    await givenProduct(shop)
    await deliver()
    const message = receiver.at('/ok').at(-1)!
    expect(message.headers['webhook-signature']).not.toContain(' ')
    service.advance(-24 * hour)
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
    await deliver()
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
    await deliver()
    const [{ id }] = (await deliveriesOf(webhook)) as [Delivery]
    const path = shop.at(`webhooks/${webhook.id}/deliveries/${id}/resend`)
    await shop.api.post(path).send({}).expect(200)
    await deliver()
    const [first, second] = receiver.at('/ok')
    expect(second!.body).toBe(first!.body)
    expect(second!.headers['webhook-id']).toBe(id)
    expect((await deliveriesOf(webhook))[0]).toMatchObject({ status: 'DELIVERED', attempts: 2 })
  })

  test('knows the deliveries of its own webhook alone', async () => {
    const [one, two] = [await givenWebhook(), await givenWebhook('/other')]
    await givenProduct(shop)
    await deliver()
    const [{ id }] = (await deliveriesOf(one)) as [Delivery]
    const path = shop.at(`webhooks/${two.id}/deliveries/${id}/resend`)
    const answer = await shop.api.post(path).send({})
    expect(outcomeOf(answer).slice(0, 2)).toEqual([404, 'not_found'])
  })
})
