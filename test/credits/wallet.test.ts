import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { UsageEvent } from '../../src/queries/credits/usage_events.ts'
import {
  adjustCredits,
  reserveCredits,
  sweepReservations,
} from '../../src/domain/credits/wallet.ts'
import { createDatabase, isDistributed } from '../kit/database.ts'
import { givenScene, type Scene } from '../every_operation/fixtures.ts'
import { startService, type TestService, unique } from '../kit/service.ts'
import { failuresOf, whileRefused } from '../upkeep/refused_rows.ts'
import { entriesOf, givenWallet, tally, write } from '../kit/wallets.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const attempt = async (work: () => Promise<unknown>) => tally(await Promise.allSettled([work()]))
const empty = { balance: 0, reserved: 0, available: 0, inDebt: false }

describe('get_wallet', () => {
  let scene: Scene
  const read = () => service.api(scene.key).get(`/v1/workspaces/${scene.workspace.id}/wallet`)
  beforeAll(async () => {
    scene = await givenScene(service)
  })

  test('shows an empty wallet for a new workspace', async () => {
    const { status, body } = await read()
    expect(status).toBe(200)
    expect(body).toEqual({ ...empty, updatedAt: scene.workspace.createdAt })
  })

  test('shows balance, reserved and available credits', async () => {
    const { id: workspaceId } = scene.workspace
    const move = { reference: 'a', now: service.now() }
    await write(service, async (trx) => {
      await adjustCredits(trx, workspaceId, { ...move, credits: 10, reason: 'Hello' })
      await reserveCredits(trx, workspaceId, { ...move, credits: 4, seconds: 300 })
    })
    const { body } = await read()
    const updatedAt = service.now().toISOString()
    expect(body).toEqual({ balance: 10, reserved: 4, available: 6, inDebt: false, updatedAt })
  })
})

describe('list_wallet_entries', () => {
  test('pages through the ledger, newest first, with the balance after each entry', async () => {
    const wallet = await givenWallet(service)
    for (const [index, credits] of [100, -30, 5].entries())
      await wallet.adjust(credits, `number ${index + 1}`)
    const list = async (query: string) => {
      const path = `/v1/workspaces/${wallet.workspaceId}/wallet/entries${query}`
      const { status, body } = await service.api(wallet.key).get(path)
      expect(status).toBe(200)
      return body as { entries: Record<string, unknown>[]; pagination: unknown }
    }
    const { entries, pagination } = await list('?pageSize=2')
    expect(entries).toEqual([
      {
        id: expect.stringMatching(/^ent_/) as string,
        type: 'ADJUSTMENT',
        credits: 5,
        balanceAfter: 75,
        reference: 'number 3',
        reason: 'A reason',
        createdAt: service.now().toISOString(),
      },
      expect.objectContaining({ credits: -30, balanceAfter: 70 }),
    ])
    expect(pagination).toMatchObject({ page: 1, limit: 2, total: 3, totalPages: 2 })
    const last = await list('?pageSize=2&page=2')
    expect(last.entries.map(({ balanceAfter }) => balanceAfter)).toEqual([100])
    expect((await list('?page=9')).entries).toEqual([])
    expect((await list('?page=9')).pagination).toMatchObject({ total: 3, hasNextPage: false })
  })
})

describe('a reservation', () => {
  test('holds credits until settled, and then charges them once', async () => {
    const wallet = await givenWallet(service, 10)
    const { id } = await wallet.reserve(4, 'call 1')
    expect(await wallet.read()).toEqual({ balance: 10, reserved: 4, available: 6, inDebt: false })
    const entry = await wallet.settle(id)
    expect(entry).toMatchObject({ type: 'USAGE', credits: -4, balanceAfter: 6 })
    expect(entry).toMatchObject({ reference: 'call 1', reason: 'chat.product' })
    expect(await wallet.settle(id)).toEqual(entry)
    expect(await wallet.read()).toEqual({ balance: 6, reserved: 0, available: 6, inDebt: false })
    expect(await wallet.release(id)).toBe(false)
    expect(await wallet.broken()).toEqual([])
  })

  test('frees its credits when released, and cannot be settled afterwards', async () => {
    const wallet = await givenWallet(service, 10)
    const { id } = await wallet.reserve(4)
    expect([await wallet.release(id), await wallet.release(id)]).toEqual([true, false])
    expect(await attempt(() => wallet.settle(id))).toEqual({ unavailable: 1 })
    expect(await wallet.read()).toMatchObject({ balance: 10, reserved: 0 })
  })

  test('is unique per reference', async () => {
    const wallet = await givenWallet(service, 10)
    const [first, second] = [await wallet.reserve(4, 'same'), await wallet.reserve(4, 'same')]
    expect(second.id).toBe(first.id)
    expect(await wallet.read()).toMatchObject({ reserved: 4 })
    expect(await attempt(() => wallet.reserve(5, 'same'))).toEqual({ duplicate: 1 })
    await wallet.settle(first.id)
    expect(await attempt(() => wallet.reserve(4, 'same'))).toEqual({ duplicate: 1 })
  })

  test('is refused beyond the available credits, exactly', async () => {
    const wallet = await givenWallet(service, 10)
    await wallet.reserve(4)
    expect(await attempt(() => wallet.reserve(7))).toEqual({ insufficient_credits: 1 })
    expect(await attempt(() => wallet.reserve(6))).toEqual({ done: 1 })
    expect(await wallet.read()).toMatchObject({ reserved: 10, available: 0 })
    expect(await wallet.broken()).toEqual([])
  })

  test('is refused in debt, until there are enough credits', async () => {
    const wallet = await givenWallet(service, 10)
    await wallet.adjust(-15)
    expect(await wallet.read()).toEqual({ balance: -5, reserved: 0, available: -5, inDebt: true })
    expect(await attempt(() => wallet.reserve(1))).toEqual({ wallet_in_debt: 1 })
    await wallet.adjust(5)
    expect(await attempt(() => wallet.reserve(1))).toEqual({ insufficient_credits: 1 })
    await wallet.adjust(1)
    expect(await attempt(() => wallet.reserve(1))).toEqual({ done: 1 })
  })

  test('made before the wallet went into debt still settles', async () => {
    const wallet = await givenWallet(service, 10)
    const { id } = await wallet.reserve(4)
    await wallet.adjust(-10)
    await wallet.settle(id)
    expect(await wallet.read()).toEqual({ balance: -4, reserved: 0, available: -4, inDebt: true })
  })

  test('expires to the millisecond', async () => {
    const wallet = await givenWallet(service, 10)
    const { id } = await wallet.reserve(10, 'slow', 300)
    service.advance(299_999)
    expect(await wallet.read()).toMatchObject({ reserved: 10, available: 0 })
    expect(await attempt(() => wallet.reserve(1))).toEqual({ insufficient_credits: 1 })
    service.advance(1)
    expect(await wallet.read()).toMatchObject({ reserved: 0, available: 10 })
    expect(await attempt(() => wallet.settle(id))).toEqual({ unavailable: 1 })
    await wallet.reserve(10)
    expect(await wallet.read()).toMatchObject({ balance: 10, reserved: 10 })
    expect(await wallet.broken()).toEqual([])
  })

  test('that was abandoned is cleaned up by the sweep and recorded as failed', async () => {
    const wallet = await givenWallet(service, 10)
    const usage: UsageEvent = {
      actorType: 'GUEST',
      userId: null,
      eventName: 'chat.product',
      creditDelta: -4,
      endpoint: 'chat_about_product',
      modelKey: 'local',
    }
    await write(service, (trx) =>
      reserveCredits(trx, wallet.workspaceId, {
        credits: 4,
        reference: 'crashed',
        now: service.now(),
        seconds: 300,
        usage,
      }),
    )
    await sweepReservations(service.db, service.now())
    expect(await wallet.read()).toMatchObject({ reserved: 4 })
    service.advance(300_000)
    await sweepReservations(service.db, service.now())
    await sweepReservations(service.db, service.now())
    const events = await service.db
      .selectFrom('usage_events')
      .select(['event_name', 'status', 'credit_delta', 'model_key'])
      .where('workspace_id', '=', wallet.workspaceId)
      .where('event_name', '=', 'chat.product')
      .execute()
    const failed = { event_name: 'chat.product', status: 'FAILED', credit_delta: 0 }
    expect(events).toEqual([{ ...failed, model_key: 'local' }])
    expect(await wallet.broken()).toEqual([])
  })
})

test.skipIf(isDistributed())('a wallet that cannot be tidied keeps no other from it', async () => {
  const wallets = [await givenWallet(service, 9), await givenWallet(service, 9)]
  for (const wallet of wallets) await wallet.reserve(4)
  service.advance(300_000)
  const held = async () => {
    const reservations = service.db.selectFrom('reservations').where('status', '=', 'HELD')
    const rows = await reservations.select('workspace_id as id').execute()
    return rows.map(({ id }) => id).filter((id) => wallets.some((own) => own.workspaceId === id))
  }
  const sweep = () => sweepReservations(service.db, service.now())
  for (const [bad, good] of [wallets, wallets.toReversed()]) {
    const rows = `new.workspace_id = '${bad!.workspaceId}'`
    await whileRefused(service, { table: 'reservations', write: 'update', rows }, async () =>
      expect(await failuresOf(sweep)).toEqual(['This row is refused.']),
    )
    expect(await held()).toEqual([bad!.workspaceId])
    await sweep()
    expect(await held()).toEqual([])
    for (const wallet of [bad!, good!]) await wallet.reserve(4)
    service.advance(300_000)
  }
  expect(await wallets[0]!.broken()).toEqual([])
})

describe('a ledger entry', () => {
  test('is unique per reference', async () => {
    const wallet = await givenWallet(service)
    const [first, second] = [await wallet.adjust(7, 'same'), await wallet.adjust(7, 'same')]
    expect(second).toEqual(first)
    expect(await entriesOf(service, wallet.workspaceId)).toEqual(['ADJUSTMENT 7 = 7'])
  })

  // On a distributed database by its rights, which do not bind the superuser that tests connect as.
  test.skipIf(isDistributed())('cannot be changed or removed', async () => {
    const { workspaceId } = await givenWallet(service, 5)
    const appendOnly = /wallet_entries is append-only/
    const { db } = service
    await expect(sql`update wallet_entries set credits = 6`.execute(db)).rejects.toThrow(appendOnly)
    await expect(
      db.deleteFrom('wallet_entries').where('workspace_id', '=', workspaceId).execute(),
    ).rejects.toThrow(appendOnly)
    await expect(sql`truncate wallet_entries`.execute(db)).rejects.toThrow(appendOnly)
    expect(await entriesOf(service, workspaceId)).toEqual(['ADJUSTMENT 5 = 5'])
  })
})

describe('npm run audit:wallets', () => {
  const root = join(import.meta.dirname, '..', '..')
  beforeAll(() => {
    execFileSync(process.execPath, [join(root, 'scripts', 'build.mjs')])
  })
  const audit = (url: string) =>
    spawnSync(process.execPath, ['dist/audit_wallets.js'], {
      cwd: root,
      encoding: 'utf8',
      env: { DATABASE_URL: url },
    })

  /** A call of a shop's page that its budget of the day has given back. */
  async function givenSpending(own: TestService, workspaceId: string): Promise<void> {
    const day = own.now().toISOString().slice(0, 10)
    const spent = { credits: 2, reference: unique('call'), now: own.now(), seconds: 300 }
    const visitor = { id: 'guest', day, budget: 'pages' }
    await write(own, (trx) => reserveCredits(trx, workspaceId, { ...spent, visitor }))
    const counted = { workspace_id: workspaceId, visitor_id: 'pages', day, requests: 1 }
    await own.db.insertInto('visitor_quotas').values(counted).execute()
  }

  test('passes consistent wallets, and names each one that is not', async () => {
    const database = await createDatabase()
    const own = await startService({ databaseUrl: database.url })
    const [good, wrong, inconsistent, generous] = [
      await givenWallet(own, 5),
      await givenWallet(own, 5),
      await givenWallet(own, 5),
      await givenWallet(own, 5),
    ]
    const { status, stdout } = audit(database.url)
    expect([status, stdout]).toEqual([0, 'All wallets are consistent.\n'])

    const change = (workspaceId: string, values: { balance_credits: number } | object) =>
      own.db.updateTable('wallets').set(values).where('workspace_id', '=', workspaceId).execute()
    await change(wrong.workspaceId, { balance_credits: 6 })
    await change(inconsistent.workspaceId, { reserved_credits: 1 })
    await givenSpending(own, generous.workspaceId)
    const result = audit(database.url)
    expect(result.status).toBe(1)
    expect(result.stderr.trim().split('\n')).toEqual([
      `${wrong.workspaceId}: the balance is not the sum of the entries`,
      `${inconsistent.workspaceId}: reserved is not the sum of the held reservations`,
      `${generous.workspaceId}: a budget of the day has counted less than was spent of it`,
    ])
    expect(result.stderr).not.toContain(good.workspaceId)
    await own.close()
    await database.drop()
  })
})
