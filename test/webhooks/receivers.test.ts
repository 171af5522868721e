import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createWebhookPost } from '../../src/adapters/webhook_post.ts'
import { claimDelivery } from '../../src/queries/webhooks/deliveries.ts'
import { deleteWebhook, lockWebhook } from '../../src/queries/webhooks/webhooks.ts'
import { givenProduct, givenShop, type Shop } from '../kit/catalogue.ts'
import { createDatabase, type TestDatabase } from '../kit/database.ts'
import { holdTransaction, waitersOn } from '../kit/held_transactions.ts'
import { startWebhookReceiver } from '../kit/peers/webhook_receiver.ts'
import { startService, type TestService } from '../kit/service.ts'
import {
  createWebhook,
  getWebhook,
  listDeliveries,
  productEvents,
  toHanging,
  toLoopback,
} from './webhook_calls.ts'

const [hour, day] = [3600_000, 24 * 3600_000]

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

const givenWebhook = (
  path = '/ok',
  events: readonly string[] = productEvents,
  url = receiver.url(path),
) => createWebhook(shop, url, events)
const get = (webhook: { id: string }) => getWebhook(shop, webhook)
const deliveriesOf = (webhook: { id: string }) => listDeliveries(shop, webhook)
const deliver = () => service.app.webhooks.flush()

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
    await deliver()
    const [failed] = await deliveriesOf(webhook)
    expect(failed).toMatchObject({
      status: 'PENDING',
      attempts: 1,
      responseStatus: status,
      error,
      nextAttemptAt: new Date(service.now().getTime() + 5000).toISOString(),
    })
    expect((await get(webhook)).failingSince).toBe(service.now().toISOString())
    await deliver()
    expect(receiver.received).toHaveLength(1)
    receiver.answer('/bad', (own) => own.writeHead(200).end())
    service.advance(5000)
    await deliver()
    const [delivered] = await deliveriesOf(webhook)
    expect(delivered).toMatchObject({ id: failed!.id, status: 'DELIVERED', attempts: 2 })
    const ids = receiver.at('/bad').map(({ headers }) => headers['webhook-id'])
    expect(ids).toEqual([failed!.id, failed!.id])
    expect(receiver.at('/ok')).toEqual([])
    expect((await get(webhook)).failingSince).toBeNull()
  })

  test('because it hangs or is not there says so', async () => {
    const hasty = await startService(toHanging)
    const asking = await givenShop(hasty)
    receiver.answer('/hang', () => undefined)
    const hanging = await createWebhook(asking, receiver.url('/hang'), productEvents)
    const absent = await createWebhook(asking, 'http://127.0.0.1:9/', productEvents)
    await givenProduct(asking)
    await hasty.app.webhooks.flush()
    const errors = [hanging, absent].map(
      async (webhook) => (await listDeliveries(asking, webhook))[0]!.error,
    )
    expect(await Promise.all(errors)).toEqual([
      'The host took too long to answer.',
      'The host could not be reached.',
    ])
    await hasty.close()
  })

  test('holds up neither writes nor other receivers', async () => {
    const held: (() => void)[] = []
    receiver.answer('/hang', (own) => held.push(() => own.writeHead(200).end()))
    await givenWebhook('/hang')
    await givenWebhook('/ok')
    const other = await givenShop(service)
    const url = receiver.url('/other')
    await other.api.post(other.at('webhooks')).send({ url, events: productEvents }).expect(200)
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
    const delivered = deliver()
    await Promise.all([here, there])
    // The write is answered while the receiver still hangs.
    await givenProduct(shop)
    expect(receiver.at('/hang').length).toBeGreaterThan(0)
    receiver.answer('/hang', (own) => own.writeHead(200).end())
    for (const release of held) release()
    await delivered
  })

  test('can be deleted while its failure is written', async () => {
    const { id } = await givenWebhook('/bad')
    const asked = new Promise<() => void>((resolve) => {
      receiver.answer('/bad', (own) => resolve(() => own.writeHead(500).end()))
    })
    await givenProduct(shop)
    const delivered = deliver()
    const fail = await asked
    const { workspaceId } = shop
    const deletion = await holdTransaction(database.url, (trx) => lockWebhook(trx, workspaceId, id))
    fail()
    while ((await waitersOn(service)) === 0);
    await deleteWebhook(deletion.trx, workspaceId, id)
    await deletion.commit()
    await delivered
    const lost = service.logged().filter((line) => 'deliveryId' in line && 'err' in line)
    expect(lost).toEqual([])
  })

  test('for three days is disabled, its owner is mailed, and it can be enabled again', async () => {
    const began = service.now()
    const { id } = await givenWebhook('/bad')
    receiver.answer('/bad', (own) => own.writeHead(503).end())
    await givenProduct(shop)
    for (let step = 0; step < 40 && (await get({ id })).status === 'ACTIVE'; step++) {
      await deliver()
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
    await deliver()
    expect(receiver.at('/bad')).toHaveLength(attempts)
    receiver.answer('/bad', (own) => own.writeHead(204).end())
    const enabled = await shop.api
      .put(shop.at(`webhooks/${id}`))
      .send({ status: 'ACTIVE' })
      .expect(200)
    expect(enabled.body).toMatchObject({ status: 'ACTIVE', failingSince: null })
    const product = await givenProduct(shop)
    await deliver()
    const after = receiver.at('/bad').slice(attempts)
    expect(after.map(({ message }) => message.data.id)).toEqual([product.id])
  })
})

describe('two services', () => {
  test('deliver each message once', async () => {
    const other = await startService({ databaseUrl: database.url, ...toLoopback })
    await givenWebhook()
    for (let i = 0; i < 20; i++) await givenProduct(shop)
    await Promise.all([
      deliver(),
      other.app.webhooks.flush(),
      deliver(),
      other.app.webhooks.flush(),
    ])
    await other.close()
    await deliver()
    const ids = receiver.at('/ok').map(({ headers }) => headers['webhook-id'])
    expect(ids).toHaveLength(20)
    expect(new Set(ids).size).toBe(20)
  })

  test('take over what one had claimed when it was killed', async () => {
    const webhook = await givenWebhook('/late')
    receiver.answer('/late', (own) => own.writeHead(500).end())
    await givenProduct(shop)
    await deliver()
    receiver.answer('/late', (own) => own.writeHead(204).end())
    service.advance(5000)
    const place = { workspaceId: shop.workspaceId, webhookId: webhook.id }
    const now = service.now()
    const leaseEnd = new Date(now.getTime() + 60_000)
    // What a process does before it sends; it is killed then.
    const claimed = await claimDelivery(service.db, place, { now, leaseEnd })
    expect(claimed).toBeDefined()
    await deliver()
    expect(receiver.at('/late')).toHaveLength(1)
    service.advance(60_000)
    await deliver()
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
