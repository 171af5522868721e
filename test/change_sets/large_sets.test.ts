import type { Transaction } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { connect } from '../../src/db/connect.ts'
import type { Database } from '../../src/db/schema.ts'
import type { components } from '../../src/generated/types.ts'
import { claimSet } from '../../src/queries/change_sets/queue.ts'
import { createDatabase, isDistributed, type TestDatabase } from '../kit/database.ts'
import { givenMediaRow } from '../kit/catalogue.ts'
import { holdTransaction, queueBehind, waitersOn } from '../kit/held_transactions.ts'
import { startService, type TestService } from '../kit/service.ts'
import { justBefore, statementsOf } from '../kit/statements.ts'
import { type ChangeSet, type FileCalls, givenImporter } from './file_calls.ts'

type Schemas = components['schemas']

let database: TestDatabase
let service: TestService
let importer: Awaited<ReturnType<typeof givenImporter>>
let shop: FileCalls
let id: string
/** The picture of one of the products. */
let imageId: string
beforeAll(async () => {
  database = await createDatabase()
  service = await startService({ databaseUrl: database.url })
  importer = await givenImporter(service)
})
/** A plan that creates many products. */
beforeEach(async () => {
  shop = await importer.inWorkspace()
  imageId = (await givenMediaRow({ service, workspaceId: shop.workspaceId })).id
  const lines = Array.from(
    { length: rows },
    (_, row) => `L-${row},${nameOf(row)},Ana,L-${row},5,${row === 7 ? imageId : ''}`,
  )
  const head = 'sku,name,brand,barcode,stock,images'
  const { uploadId } = await shop.upload([head, ...lines].join('\n'))
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
const progress = async () => (await shop.get<ChangeSet>(`change-sets/${id}`)).progress
const productsTotal = async () =>
  (await shop.get<Schemas['ProductList']>('products?pageSize=1')).pagination.total
const queued = async () =>
  (await service.db.selectFrom('change_set_queue').select('attempts').execute()).map(
    ({ attempts }) => attempts,
  )

/** The first statement about a set that is claimed. */
const looking = 'from "change_sets" as "s"'
/** What a set that needs no step is taken out of the queue by. */
const unqueueing = '"change_set_id" = $2 and "attempts" = $3'
/** What some planned rows are written by. */
const planning = 'set action = plan.action'
/** What rows that are not needed any more are deleted by, some at a time. */
const deleting = 'delete from change_set_rows'
const beginning = 'as "begunAt"'
const applying = 'insert into products (id'
/** One of the last statements of a step. */
const recording =
  'insert into activities (workspace_id, id, created_at, actor_type, user_id, connection_id,'
const tookTooLong = '57014'
const tooManyConnections = '53300'
const metInDeadlock = '40P01'
const diskFull = '53100'
const readOnly = '25006'
const shutDown = '57P01'

const fault = (code: string) => Object.assign(new Error('The statement failed.'), { code })
const failing = (code: string) => () => Promise.reject(fault(code))
/** As when the system ends the process behind it for want of memory. */
const loseConnection = async () => {
  await service.connection.pool.query(`select pg_terminate_backend(pid, 5000) from pg_stat_activity
    where datname = current_database() and state = 'idle in transaction'`)
  // The client has noticed by then: the next statement does not get the server's farewell, as in a shutdown.
  await service.connection.pool.query('select')
}
/** What a step may do to the database: take too long, or too much room, or end its connection. */
const ownFaults = [
  failing(tookTooLong),
  loseConnection,
  failing('53400'),
  failing('53200'),
  failing(tookTooLong),
]

/** Lets the background try once, when the last lease is over; something happens before a statement. */
const failOnce = (
  words: string,
  happening: () => Promise<unknown>,
  ask = () => Promise.resolve({}),
) =>
  justBefore(words, happening, async () => {
    service.advance(15_000)
    await ask()
    await flush()
  })

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
    // Who waits for a picture waits for its count alone.
    const ordered = sent.filter((text) => /insert into product_slugs|for no key update/.test(text))
    expect(ordered.map((text) => text.includes('product_slugs'))).toEqual([true, false])
    expect(sent).toContain('set local statement_timeout = 60000')
    expect([await now(), await productsTotal()]).toEqual([['APPLIED', null], rows])
    await shop.post(`change-sets/${id}/undo`)
    await flush()
    expect([await now(), await productsTotal()]).toEqual([['UNDONE', null], 0])
  })

  test('has done all its rows when a step has ended, and none when it has begun', async () => {
    for (const step of ['apply', 'undo']) {
      const begun = await shop.post<ChangeSet>(`change-sets/${id}/${step}`)
      expect(begun.progress).toEqual({ done: 0, total: rows })
      await flush()
      expect(await progress()).toEqual({ done: rows, total: rows })
    }
  })

  test.skipIf(isDistributed())('has the planner know of the products it has written', async () => {
    const { pool } = service.connection
    await pool.query('alter table products set (autovacuum_enabled = false)')
    await shop.post(`change-sets/${id}/apply`)
    await flush()
    const { rows: known } = await pool.query<{ workspaces: string[] }>(
      `select most_common_vals::text::text[] as workspaces from pg_stats
        where tablename = 'products' and attname = 'workspace_id'`,
    )
    expect(known[0]?.workspaces).toContain(shop.workspaceId)
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

  test('that met another write in a deadlock is written again at once', async () => {
    await failOnce('insert into product_slugs', failing(metInDeadlock), () =>
      shop.step(id, 'apply'),
    )
    expect([await now(), await productsTotal(), await queued()]).toEqual([
      ['APPLIED', null],
      rows,
      [],
    ])
  })

  test('that breaks off by its own fault again and again is given up, and nothing is written', async () => {
    const ask = (step: string) => () => shop.step(id, step)
    const [first, ...others] = ownFaults
    await failOnce(applying, first!, ask('apply'))
    for (const [index, fails] of others.entries()) {
      expect([await now(), await queued()]).toEqual([['APPLYING', null], [index + 1]])
      await failOnce(applying, fails)
    }
    expect([await now(), await queued()]).toEqual([['PLANNED', givenUp], []])
    expect(await productsTotal()).toBe(0)
    await shop.step(id, 'apply')
    await flush()
    expect([await now(), await productsTotal()]).toEqual([['APPLIED', null], rows])
    await failOnce(recording, first!, ask('undo'))
    for (const fails of others) await failOnce(recording, fails)
    expect([await now(), await queued()]).toEqual([['APPLIED', givenUp], []])
    expect(await productsTotal()).toBe(rows)
  })

  test('that ends its process again and again is given up', async () => {
    await failOnce(applying, failing(tookTooLong), () => shop.step(id, 'apply'))
    const later = new Date(service.now().getTime() + 15_000)
    for (let attempt = 2; attempt <= 5; attempt++) {
      const claimed = await claimSet(service.db, 'write', { now: later, until: later, lately: [] })
      expect(claimed).toEqual({
        workspaceId: shop.workspaceId,
        id,
        attempts: attempt,
        until: later,
      })
    }
    service.advance(15_000)
    await flush()
    expect([await now(), await queued()]).toEqual([['PLANNED', givenUp], []])
    expect(await progress()).toEqual({ done: rows, total: rows })
  })

  test('is tried until the database can be reached again', async () => {
    const fails = failing(tooManyConnections)
    await failOnce(beginning, fails, () => shop.step(id, 'apply'))
    for (let attempt = 1; attempt < 7; attempt++) await failOnce(beginning, fails)
    expect(await now()).toEqual(['APPLYING', null])
    service.advance(15_000)
    await flush()
    expect([await now(), await productsTotal()]).toEqual([['APPLIED', null], rows])
  })

  test('is tried until the database takes writes again, also if it stops in the middle of a step', async () => {
    await failOnce(applying, failing(diskFull), () => shop.step(id, 'apply'))
    for (const code of [readOnly, shutDown, diskFull, readOnly, shutDown])
      await failOnce(applying, failing(code))
    expect([await now(), await queued()]).toEqual([['APPLYING', null], [0]])
    service.advance(15_000)
    await flush()
    expect([await now(), await productsTotal()]).toEqual([['APPLIED', null], rows])
  })

  test('is not the worse for a look at it that takes too long', async () => {
    await failOnce(applying, failing(tookTooLong), () => shop.step(id, 'apply'))
    for (let look = 0; look < 6; look++) {
      await failOnce(looking, failing(tookTooLong))
      expect([await now(), await queued()]).toEqual([['APPLYING', null], [1]])
    }
    service.advance(15_000)
    await flush()
    expect([await now(), await productsTotal()]).toEqual([['APPLIED', null], rows])
  })

  test('is planned again also while a process that was overtaken finds the plan before finished', async () => {
    const other = await startService({ databaseUrl: database.url })
    onTestFinished(() => other.close())
    const overtake = async () => {
      // The lease of the first has ended by then.
      other.advance(service.now().getTime() - other.now().getTime() + 15_000)
      await other.app.changeSets.flush()
    }
    await failOnce(planning, failing(tookTooLong), () => shop.step(id, 'plan'))
    service.advance(15_000)
    await justBefore(looking, overtake, () =>
      justBefore(unqueueing, () => shop.step(id, 'plan'), flush),
    )
    await flush()
    expect([await now(), await queued()]).toEqual([['PLANNED', null], []])
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

describe('the rows of a large set', () => {
  const held = async () => {
    const { count } = await service.db
      .selectFrom('change_set_rows')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('workspace_id', '=', shop.workspaceId)
      .where('change_set_id', '=', id)
      .executeTakeFirstOrThrow()
    return count
  }
  const listed = async () =>
    (await shop.get<Schemas['ChangeSetRowList']>(`change-sets/${id}/rows`)).pagination.total

  test('that is cancelled are hidden at once, and deleted by a thousand', async () => {
    expect([await held(), await listed()]).toEqual([rows, rows])
    let meanwhile: number[] = []
    const sent = await statementsOf(service, () =>
      justBefore(
        deleting,
        async () => (meanwhile = [await held(), await listed()]),
        async () => {
          await shop.step(id, 'cancel')
          await flush()
        },
      ),
    )
    expect(sent.filter((text) => text.includes(deleting))).toHaveLength(2)
    expect([meanwhile, await held(), await queued()]).toEqual([[rows, 0], 0, []])
  })

  test('of a selection are hidden when it is planned again, and deleted before', async () => {
    await shop.step(id, 'apply')
    await flush()
    const select = { where: { stock: 'IN' }, change: { stock: { add: 1 } } }
    id = (await shop.post<ChangeSet>('change-sets', { select })).id
    await flush()
    const { products } = await shop.get<Schemas['ProductList']>('products?pageSize=1')
    await shop.write([{ action: 'patch', id: products[0]!.id, data: { stock: 0 } }])
    expect([await held(), await listed()]).toEqual([rows, rows])
    let meanwhile: number[] = []
    await justBefore(
      deleting,
      async () => (meanwhile = [await held(), await listed()]),
      async () => {
        await shop.step(id, 'plan')
        await flush()
      },
    )
    const { state, counts } = await shop.get<ChangeSet>(`change-sets/${id}`)
    expect([meanwhile, await listed(), state]).toEqual([[rows, 0], rows - 1, 'PLANNED'])
    expect(counts).toMatchObject({ rows: rows - 1, updates: rows - 1, errors: 0 })
  })
})

describe('a large set that is being planned', () => {
  test('is stepped on when the rows at hand are done, as long as a call may wait', async () => {
    const holder = await holdTransaction(database.url, (trx) =>
      trx.selectFrom('change_sets').select('id').where('id', '=', id).forUpdate().execute(),
    )
    const cancel = () => service.api(importer.key).post(shop.at(`change-sets/${id}/cancel`))
    const [answer] = await queueBehind(holder, [cancel], { on: service })
    expect([answer!.status, await now()]).toEqual([200, ['CANCELLED', null]])
  })

  test('is refused as busy, and goes on, where these take longer', async () => {
    const refusals: Schemas['ApiError'][] = []
    await justBefore(
      planning,
      async () => {
        for (const step of ['cancel', 'plan']) refusals.push(await shop.step(id, step, {}, 409))
      },
      async () => {
        await shop.step(id, 'plan')
        await flush()
      },
    )
    const busy = 'This change set is being written right now. Wait until that is done.'
    expect(refusals.map(({ code, message }) => [code, message])).toEqual([
      ['change_set_state', busy],
      ['change_set_state', busy],
    ])
    expect(await now()).toEqual(['PLANNED', null])
  })
})

test('a statement of the background has its own limit', async () => {
  const hasty = connect(database.url, { backgroundMilliseconds: 20, max: 1 })
  const { workspaceId } = shop
  const lock = (trx: Transaction<Database>) =>
    trx.selectFrom('workspaces').where('id', '=', workspaceId).forUpdate().execute()
  const holder = await holdTransaction(database.url, lock)
  const inBackground = hasty.background.transaction().execute(lock)
  await expect(inBackground).rejects.toMatchObject({ code: tookTooLong })
  // A call that is given the same connection may wait.
  const inCall = hasty.db.transaction().execute(lock)
  while ((await waitersOn(service)) === 0);
  await holder.rollback()
  expect(await inCall).toHaveLength(1)
  await hasty.close()
})
