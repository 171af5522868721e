import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { diskMediaStore } from '../../src/adapters/media_store.ts'
import { newId } from '../../src/core/ids.ts'
import { createLog } from '../../src/core/log.ts'
import { createSweep } from '../../src/domain/upkeep/sweep.ts'
import { appendTurns, insertThread } from '../../src/queries/assistant/threads.ts'
import {
  listUnanswered,
  recordUnanswered,
} from '../../src/queries/assistant/unanswered_questions.ts'
import { insertUsageEvent } from '../../src/queries/credits/usage_events.ts'
import { connectAgent } from '../kit/agent_flow.ts'
import { givenProduct, givenShop } from '../kit/catalogue.ts'
import { type Person, startService, type TestService, unique } from '../kit/service.ts'
import { statementsOf } from '../kit/statements.ts'
import { givenWallet, write } from '../kit/wallets.ts'

const day = 24 * 3600_000

let service: TestService
let owner: Person
let sweep: () => Promise<void>
beforeAll(async () => {
  service = await startService()
  const { db, config } = service
  const mediaStore = diskMediaStore(`${config.dataDir}/swept`)
  const log = createLog('warn', { write: (line) => void faults.push(line) })
  sweep = createSweep({
    db,
    lookUpTxt: () => Promise.resolve([]),
    mediaStore,
    log,
    clock: () => service.now(),
    config,
  })
})
afterAll(() => service.close())
/** What the sweep logged as failed. */
const faults: string[] = []
beforeEach(async () => {
  owner = await service.givenPerson()
})

/** Sweeps, after so many days. */
async function sweepAfter(days: number): Promise<void> {
  service.advance(days * day)
  await sweep()
  expect(faults).toEqual([])
}

const idsOf = async (table: 'api_keys' | 'grants') => {
  const rows = await service.db
    .selectFrom(table)
    .select('id')
    .where('account_id', '=', owner.accountId)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

describe('a reservation', () => {
  test('goes 90 days after it was made, settled or released, and the ledger stays', async () => {
    // As of ninety days ago: the audit asks for the reservations of the last sixty.
    service.advance(-90 * day)
    const wallet = await givenWallet(service, 100)
    const [settled, released] = [await wallet.reserve(5), await wallet.reserve(7)]
    await wallet.settle(settled.id)
    await wallet.release(released.id)
    service.advance(90 * day)
    const held = await wallet.reserve(11)
    const left = async () => {
      const reservations = service.db.selectFrom('reservations').select('id')
      const rows = await reservations.where('workspace_id', '=', wallet.workspaceId).execute()
      return rows.map(({ id }) => id)
    }
    await sweepAfter(0)
    expect(await left()).toHaveLength(3)
    service.advance(1)
    await sweepAfter(0)
    expect(await left()).toEqual([held.id])
    expect(await wallet.read()).toMatchObject({ balance: 95, reserved: 11 })
    expect(await wallet.broken()).toEqual([])
  })
})

describe('a conversation', () => {
  test('goes 90 days after its last turn', async () => {
    const { id: workspaceId } = await service.givenWorkspace(owner)
    const address = (name: string) => ({
      workspaceId,
      visitorId: 'guest',
      tokenHash: Buffer.from(name),
    })
    const left = async () => {
      const threads = service.db.selectFrom('threads').select('token_hash')
      const rows = await threads.where('workspace_id', '=', workspaceId).execute()
      return rows.map(({ token_hash }) => token_hash.toString()).toSorted()
    }
    const turn = [{ role: 'visitor', text: 'Hello' }] as const
    const state = {
      seed: Buffer.from('seed'),
      kind: 'ROUTINE',
      productId: null,
      title: '',
    } as const
    for (const name of ['once', 'again'])
      await write(service, (trx) => insertThread(trx, address(name), state, turn, service.now()))
    await sweepAfter(60)
    await write(service, (trx) =>
      appendTurns(trx, address('again'), state, turn, { limit: 10, now: service.now() }),
    )
    await sweepAfter(30)
    expect(await left()).toEqual(['again', 'once'])
    service.advance(1)
    await sweepAfter(0)
    expect(await left()).toEqual(['again'])
    await sweepAfter(60)
    expect(await left()).toEqual([])
  })
})

describe('an unanswered question', () => {
  test('goes 90 days after it was asked last', async () => {
    const shop = await givenShop(service)
    const { workspaceId } = shop
    const { id: productId } = await givenProduct(shop)
    const asked = (message: string) =>
      write(service, (trx) =>
        recordUnanswered(trx, { workspaceId, productId, message }, service.now()),
      )
    const left = async () =>
      (
        await listUnanswered(service.db, workspaceId, { limit: 10, offset: 0, from: undefined })
      ).questions.map(({ text }) => text)
    await asked('Is it vegan?')
    await asked('Is it blue?')
    await sweepAfter(60)
    await asked('Is it blue?')
    await sweepAfter(30)
    expect(await left()).toEqual(['Is it blue?', 'Is it vegan?'])
    service.advance(1)
    await sweepAfter(0)
    expect(await left()).toEqual(['Is it blue?'])
  })
})

describe('a connection', () => {
  test('goes 90 days after it was revoked or expired, with what hangs on it', async () => {
    const [short, revoked] = [
      await service.givenKey(owner, { expiresInDays: 10 }),
      await service.givenKey(owner, { expiresInDays: 365 }),
    ]
    const { agent, accessToken } = await connectAgent(service, owner)
    await service.dashboard(owner).delete(`/api/keys/${revoked.id}`).expect(200)
    await agent.revoke(accessToken)
    const codes = async () =>
      (await service.db.selectFrom('authorization_codes').selectAll().execute()).length
    expect(await codes()).toBe(1)
    const [grant] = await idsOf('grants')
    await sweepAfter(1)
    // A used code is of no use once its grant has ended.
    expect(await codes()).toBe(0)
    await sweepAfter(89)
    expect(await idsOf('api_keys')).toEqual([short.id, revoked.id])
    expect(await idsOf('grants')).toEqual([grant])
    service.advance(1)
    await sweepAfter(0)
    expect(await idsOf('api_keys')).toEqual([short.id])
    expect(await idsOf('grants')).toEqual([])
    const live = await service.givenKey(owner)
    await sweepAfter(10)
    expect(await idsOf('api_keys')).toEqual([live.id])
  })
})

describe('a source', () => {
  const given = async (name: string, status: 'APPROVED' | 'BLOCKED' = 'APPROVED') => {
    const id = newId('src')
    const row = { id, kind: 'AGENT' as const, identity: unique(name), name, status }
    await service.db
      .insertInto('integration_sources')
      .values({ ...row, first_seen_at: service.now() })
      .execute()
    return id
  }

  test('without connections and clients goes 30 days after it was seen, unless it is blocked', async () => {
    const [unused, blocked] = [await given('unused'), await given('blocked', 'BLOCKED')]
    const { sourceId } = await service.givenAgent(owner)
    const left = async () => {
      const sources = service.db.selectFrom('integration_sources').select('id')
      const rows = await sources.where('id', 'in', [unused, blocked, sourceId]).execute()
      return rows.map(({ id }) => id).toSorted()
    }
    await sweepAfter(30)
    expect(await left()).toEqual([unused, blocked, sourceId].toSorted())
    service.advance(1)
    await sweepAfter(0)
    expect(await left()).toEqual([blocked, sourceId].toSorted())
  })

  test('that a new key needs meanwhile is kept or made again', async () => {
    const name = unique('Shop')
    for (let round = 0; round < 10; round++) {
      const { id } = await service.givenKey(owner, { name, expiresInDays: 1 })
      await service.db.deleteFrom('api_keys').where('id', '=', id).execute()
      service.advance(31 * day)
      const [key] = await Promise.all([service.givenKey(owner, { name }), sweep()])
      // A sweep that found the key at the last moment leaves the source to the next one.
      faults.length = 0
      await service.api(key.key).get('/v1/workspaces').expect(200)
    }
  })
})

describe('a mail that was given up', () => {
  test('goes 30 days later, in batches', async () => {
    await sql`
      insert into mails (id, recipient, subject, body, failed_at)
      select 'mail_failed_' || n, 'gone@example.com', '', '', ${service.now()}::timestamptz
      from generate_series(1, 2500) n`.execute(service.db)
    const left = async () =>
      (
        await service.db
          .selectFrom('mails')
          .select('id')
          .where('recipient', '=', 'gone@example.com')
          .execute()
      ).length
    await sweepAfter(30)
    expect(await left()).toBe(2500)
    service.advance(1)
    const statements = await statementsOf(service, sweep)
    expect(statements.filter((text) => /^\s+delete from "mails"/.test(text))).toHaveLength(3)
    expect(await left()).toBe(0)
  })
})

describe('usage events', () => {
  test('go with their month after fourteen months, and reports keep their numbers', async () => {
    const { id: workspaceId } = await service.givenWorkspace(owner)
    const now = service.now()
    const inMonth = (back: number) =>
      new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 10))
    for (const back of [0, 14, 15]) {
      const event = { actorType: 'GUEST', userId: null, eventName: 'visit' } as const
      await insertUsageEvent(service.db, workspaceId, event, inMonth(back))
    }
    await sweepAfter(0)
    const events = service.db.selectFrom('usage_events').select('created_at')
    const kept = await events
      .where('workspace_id', '=', workspaceId)
      .orderBy('created_at')
      .execute()
    expect(kept.map(({ created_at }) => created_at)).toEqual(
      [14, 0].map((back) => inMonth(back).toISOString()),
    )
    const date = (moment: Date) => moment.toISOString().slice(0, 10)
    const range = `from=${date(inMonth(15))}&to=${date(new Date(inMonth(15).getTime() + day))}`
    const at = `/v1/workspaces/${workspaceId}/usage`
    const report = await service.dashboard(owner).get(`${at}?${range}`).expect(200)
    expect(report.body.totals.events).toBe(1)
    const list = await service.dashboard(owner).get(`${at}/events?${range}`).expect(200)
    expect([list.body.events, list.body.pagination.total]).toEqual([[], 0])
  })
})
