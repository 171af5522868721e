import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { connect } from '../../src/db/connect.ts'
import type { components } from '../../src/generated/types.ts'
import { claimSet } from '../../src/queries/change_sets/queue.ts'
import { createDatabase, type TestDatabase } from '../kit/database.ts'
import { holdTransaction } from '../kit/held_transactions.ts'
import { startService, type TestService } from '../kit/service.ts'
import { justBefore, statementsOf } from '../kit/statements.ts'
import { type ChangeSet, type FileCalls, givenImporter } from './file_calls.ts'

type Schemas = components['schemas']

let database: TestDatabase
let service: TestService
let importer: Awaited<ReturnType<typeof givenImporter>>
let shop: FileCalls
let id: string
beforeAll(async () => {
  database = await createDatabase()
  service = await startService({ databaseUrl: database.url })
  importer = await givenImporter(service)
})
/** A plan that creates many products. */
beforeEach(async () => {
  shop = await importer.inWorkspace()
  const lines = Array.from({ length: rows }, (_, row) => `L-${row},${nameOf(row)},Ana,L-${row},5`)
  const { uploadId } = await shop.upload(['sku,name,brand,barcode,stock', ...lines].join('\n'))
  id = (await shop.post<ChangeSet>('change-sets', { uploadId })).id
  await flush()
})
afterAll(async () => {
  await service.close()
  await database.drop()
})

const rows = 1_100
const nameOf = (row: number) => `Large ${row} of ${shop.workspaceId}`
const flush = () => service.app.changeSets.flush()
const now = async () => {
  const { state, failure } = await shop.get<ChangeSet>(`change-sets/${id}`)
  return [state, failure]
}
const productsTotal = async () =>
  (await shop.get<Schemas['ProductList']>('products?pageSize=1')).pagination.total
const queued = async () =>
  (await service.db.selectFrom('change_set_queue').select('attempts').execute()).map(
    ({ attempts }) => attempts,
  )

const applying = 'insert into products (id'
/** One of the last statements of a step. */
const recording =
  'insert into activities (workspace_id, id, created_at, actor_type, user_id, connection_id,'
const tookTooLong = '57014'
const tooManyConnections = '53300'

const fault = (code: string) => Object.assign(new Error('The statement failed.'), { code })

/** Lets the background try once, when the last lease is over; a statement of the step ends with this SQLSTATE. */
const failOnce = (words: string, code: string, ask = () => Promise.resolve({})) =>
  justBefore(
    words,
    () => Promise.reject(fault(code)),
    async () => {
      service.advance(15_000)
      await ask()
      await flush()
    },
  )

const givenUp =
  'Nothing was changed: this was tried 5 times, and each time it took too long or broke off. ' +
  'Try again later, or in smaller parts.'

describe('a large set', () => {
  test('is written in statements of five hundred rows, with more time than those of calls', async () => {
    const sent = await statementsOf(service, async () => {
      await shop.post(`change-sets/${id}/apply`)
      await flush()
    })
    expect(sent.filter((text) => text.includes(applying))).toHaveLength(3)
    expect(sent).toContain('set local statement_timeout = 60000')
    expect([await now(), await productsTotal()]).toEqual([['APPLIED', null], rows])
    await shop.post(`change-sets/${id}/undo`)
    await flush()
    expect([await now(), await productsTotal()]).toEqual([['UNDONE', null], 0])
  })

  test('makes no other shop wait for an address while it is written', async () => {
    const other = await importer.inWorkspace()
    let answer: Schemas['Product'] | undefined
    await justBefore(
      recording,
      async () => (answer = await other.givenProduct({ name: nameOf(7) })),
      async () => {
        await shop.post(`change-sets/${id}/apply`)
        await flush()
      },
    )
    expect(await now()).toEqual(['APPLIED', null])
    const { products } = await shop.get<Schemas['ProductList']>('products?search=L-7')
    const own = products.find(({ sku }) => sku === 'L-7')!
    const slug = answer!.slug
    expect([slug, own.slug]).toEqual([
      `large-7-of-${shop.workspaceId.replace('_', '-')}`,
      `${slug}-${own.id.slice(-8)}`,
    ])
    await shop.post(`change-sets/${id}/undo`)
    await flush()
    expect([await now(), await productsTotal()]).toEqual([['UNDONE', null], 0])
  })

  test('that takes too long again and again is given up, and nothing is written', async () => {
    const ask = (step: string) => () => shop.step(id, step)
    await failOnce(applying, tookTooLong, ask('apply'))
    for (let attempt = 1; attempt < 5; attempt++) {
      expect([await now(), await queued()]).toEqual([['APPLYING', null], [attempt]])
      await failOnce(applying, tookTooLong)
    }
    expect([await now(), await queued()]).toEqual([['PLANNED', givenUp], []])
    expect(await productsTotal()).toBe(0)
    await shop.step(id, 'apply')
    await flush()
    expect([await now(), await productsTotal()]).toEqual([['APPLIED', null], rows])
    await failOnce(recording, tookTooLong, ask('undo'))
    for (let attempt = 1; attempt < 5; attempt++) await failOnce(recording, tookTooLong)
    expect([await now(), await queued()]).toEqual([['APPLIED', givenUp], []])
    expect(await productsTotal()).toBe(rows)
  })

  test('that ends its process again and again is given up', async () => {
    await failOnce(applying, tookTooLong, () => shop.step(id, 'apply'))
    const later = new Date(service.now().getTime() + 15_000)
    for (let attempt = 2; attempt <= 5; attempt++) {
      const claimed = await claimSet(service.db, 'write', { now: later, until: later, lately: [] })
      expect(claimed).toEqual({ workspaceId: shop.workspaceId, id, attempts: attempt })
    }
    service.advance(15_000)
    await flush()
    expect([await now(), await queued()]).toEqual([['PLANNED', givenUp], []])
  })

  test('is tried until an outage of the database is over', async () => {
    await failOnce(applying, tooManyConnections, () => shop.step(id, 'apply'))
    for (let attempt = 1; attempt < 7; attempt++) await failOnce(applying, tooManyConnections)
    expect(await now()).toEqual(['APPLYING', null])
    service.advance(15_000)
    await flush()
    expect([await now(), await productsTotal()]).toEqual([['APPLIED', null], rows])
  })

  test('is cancelled between two attempts, and not while it is written', async () => {
    let refused: Schemas['ApiError'] | undefined
    await justBefore(
      applying,
      async () => {
        refused = await shop.step(id, 'cancel', {}, 409)
        throw fault(tookTooLong)
      },
      async () => {
        await shop.step(id, 'apply')
        await flush()
      },
    )
    expect([refused?.code, await now()]).toEqual(['change_set_state', ['APPLYING', null]])
    await shop.step(id, 'cancel')
    service.advance(15_000)
    await flush()
    expect([await now(), await queued()]).toEqual([['CANCELLED', null], []])
    expect(await productsTotal()).toBe(0)
  })
})

test('a statement of the background has its own limit', async () => {
  const hasty = connect(database.url, { backgroundMilliseconds: 20 })
  const { workspaceId } = shop
  const locked = () =>
    hasty.background
      .transaction()
      .execute((trx) =>
        trx.selectFrom('workspaces').where('id', '=', workspaceId).forUpdate().execute(),
      )
  const holder = await holdTransaction(database.url, (trx) =>
    trx.selectFrom('workspaces').where('id', '=', workspaceId).forUpdate().execute(),
  )
  await expect(locked()).rejects.toMatchObject({ code: tookTooLong })
  await holder.rollback()
  expect(await locked()).toHaveLength(1)
  await hasty.close()
})
