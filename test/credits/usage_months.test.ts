import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { connect, type Connection } from '../../src/db/connect.ts'
import type { components } from '../../src/generated/types.ts'
import { insertUsageEvent } from '../../src/queries/credits/usage_events.ts'
import { makeUsageMonths } from '../../src/queries/credits/usage_months.ts'
import { givenScene, type Scene } from '../every_operation/fixtures.ts'
import { createDatabase, type TestDatabase } from '../kit/database.ts'
import { startService, type TestService } from '../kit/service.ts'
import { statementsOf } from '../kit/statements.ts'
import { miscountedUsage } from './counted_usage.ts'

type Schemas = components['schemas']

const visit = { actorType: 'GUEST', userId: null, eventName: 'visit' } as const

async function monthsOf({ db }: Pick<Connection, 'db'>, year: number): Promise<string[]> {
  const { rows } = await sql<{ month: string }>`
    select substr(c.relname, 14) as month from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'usage_events'::regclass and c.relname like ${`%${year}%`}
    order by 1`.execute(db)
  return rows.map(({ month }) => month)
}

async function countOf({ db }: Pick<Connection, 'db'>, workspaceId: string): Promise<number> {
  const { count } = await db
    .selectFrom('usage_events')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return count
}

/** How many sessions of the database wait for an advisory lock. */
async function waitingFor({ db }: Pick<Connection, 'db'>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`.execute(db)
  return rows[0]!.count
}

describe('a month of usage events', () => {
  let database: TestDatabase
  const opened: Connection[] = []
  const open = (url = database.url, max = 12) => {
    const connection = connect(url, { max })
    opened.push(connection)
    return connection
  }
  beforeAll(async () => {
    database = await createDatabase()
  })
  afterEach(async () => {
    for (const connection of opened.splice(0)) await connection.close()
  })
  afterAll(() => database.drop())

  test('is made by its first event, in UTC', async () => {
    const { db } = open()
    const edges = [
      '2031-04-30T23:59:59.999Z',
      '2031-05-01T00:00:00.000Z',
      '2031-05-31T23:59:59.999Z',
    ]
    for (const moment of edges) await insertUsageEvent(db, 'ws_utc', visit, new Date(moment))
    expect(await monthsOf({ db }, 2031)).toEqual(['2031_04', '2031_05'])
    const { rows } = await sql`
      select left(tableoid::regclass::text, 20) as month, count(*) as events from usage_events
      where workspace_id = 'ws_utc' group by 1 order by 1`.execute(db)
    expect(rows).toEqual([
      { month: 'usage_events_2031_04', events: 1 },
      { month: 'usage_events_2031_05', events: 2 },
    ])
  })

  test('is made once by many processes at the same time', async () => {
    const processes = [1, 2, 3, 4].map(() => open())
    const moments = [0, 1, 2, 3, 4, 5].map((month) => new Date(Date.UTC(2032, month, 15)))
    await Promise.all(
      processes.flatMap(({ db }) =>
        moments.flatMap((moment) =>
          [1, 2].map(() => insertUsageEvent(db, 'ws_many', visit, moment)),
        ),
      ),
    )
    expect(await monthsOf(processes[0]!, 2032)).toHaveLength(6)
    expect(await countOf(processes[0]!, 'ws_many')).toBe(48)
    expect(await miscountedUsage(processes[0]!.db)).toEqual([])
  })

  test('is used by others once the transaction that makes it has ended', async () => {
    const [maker, other] = [open(), open()]
    const moment = new Date('2041-06-15T00:00:00Z')
    await insertUsageEvent(maker.db, 'ws_late', visit, moment)
    // What it holds while it makes a month, and for a moment after others can see that.
    const making = await maker.db.startTransaction().execute()
    await sql`select pg_advisory_xact_lock(7318112047)`.execute(making)
    const inserted = insertUsageEvent(other.db, 'ws_late', visit, moment)
    await expect.poll(() => waitingFor(maker)).toBe(1)
    expect(await countOf(maker, 'ws_late')).toBe(1)
    await making.commit().execute()
    await inserted
    expect(await countOf(maker, 'ws_late')).toBe(2)
  })

  test('is made for transactions that hold every connection and are open until then', async () => {
    const { db } = open(database.url, 2)
    const moment = new Date('2033-03-03T00:00:00Z')
    const transactions = await Promise.all([1, 2].map(() => db.startTransaction().execute()))
    await Promise.all(transactions.map((trx) => insertUsageEvent(trx, 'ws_held', visit, moment)))
    await transactions[0]!.commit().execute()
    await transactions[1]!.rollback().execute()
    expect(await monthsOf({ db }, 2033)).toEqual(['2033_03'])
    expect(await countOf({ db }, 'ws_held')).toBe(1)
    expect(await miscountedUsage(db)).toEqual([])
  })

  test('is made while a transaction that has written and read events stays open', async () => {
    const [reader, writer] = [open(), open()]
    await reader.db.transaction().execute(async (trx) => {
      await insertUsageEvent(trx, 'ws_open', visit, new Date('2034-01-01T00:00:00Z'))
      await countOf({ db: trx }, 'ws_open')
      await insertUsageEvent(writer.db, 'ws_open', visit, new Date('2034-02-01T00:00:00Z'))
    })
    expect(await countOf(reader, 'ws_open')).toBe(2)
  })

  test('is made for a role that may not create tables', async () => {
    const owner = open()
    const role = `writer_${randomBytes(6).toString('hex')}`
    // The nodes of a distributed database know one password.
    const url = new URL(database.url)
    url.username = role
    const password = sql.lit(url.password)
    await sql`create role ${sql.ref(role)} login password ${password}`.execute(owner.db)
    try {
      await sql`grant select, insert, update, delete on all tables in schema public
        to ${sql.ref(role)}`.execute(owner.db)
      const { db } = open(url.href)
      await expect(sql`create table made (id int)`.execute(db)).rejects.toThrow('permission denied')
      const moment = new Date('2035-07-01T00:00:00Z')
      for (const trial of [1, 2]) {
        await insertUsageEvent(db, 'ws_role', visit, moment)
        expect(await countOf({ db }, 'ws_role')).toBe(trial)
      }
      expect(await monthsOf(owner, 2035)).toEqual(['2035_07'])
    } finally {
      await sql`drop owned by ${sql.ref(role)}`.execute(owner.db)
      await sql`drop role ${sql.ref(role)}`.execute(owner.db)
    }
  })

  test('is made ahead by housekeeping, for the current and the next three', async () => {
    const connection = open()
    await makeUsageMonths(connection.db, new Date('2036-11-30T23:59:59Z'))
    expect(await monthsOf(connection, 2036)).toEqual(['2036_11', '2036_12'])
    expect(await monthsOf(connection, 2037)).toEqual(['2037_01', '2037_02'])
  })

  test('has one index, the key, which answers the filters of the list', async () => {
    const { db } = open()
    const { rows } = await sql`
      select indexdef from pg_indexes where tablename = 'usage_events'`.execute(db)
    expect(rows).toEqual([
      {
        indexdef:
          'CREATE UNIQUE INDEX usage_events_key ON ONLY public.usage_events USING btree ' +
          '(workspace_id, created_at, id) INCLUDE (actor_type, event_name)',
      },
    ])
  })
})

describe('a month that is dropped', () => {
  let service: TestService
  let scene: Scene
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())
  beforeEach(async () => {
    scene = await givenScene(service)
  })

  const record = (moment: string) =>
    insertUsageEvent(service.db, scene.workspace.id, visit, new Date(moment))
  async function read<T>(path: string): Promise<T> {
    const { body } = await service
      .api(scene.key)
      .get(`/v1/workspaces/${scene.workspace.id}/${path}`)
      .expect(200)
    return body as T
  }

  test('takes its events from the list and nothing from the reports', async () => {
    for (const day of ['2030-01-30', '2030-01-31', '2030-02-01', '2030-03-05'])
      await record(`${day}T12:00:00Z`)
    const reports = () =>
      Promise.all([
        read<Schemas['UsageReport']>('usage?from=2030-01-01&to=2030-03-31'),
        read<Schemas['UsageReport']>('usage?from=2030-01-01&to=2030-01-31'),
      ])
    const before = await reports()
    expect(before.map(({ totals }) => totals.events)).toEqual([4, 2])
    await sql`drop table usage_events_2030_01`.execute(service.db)
    expect(await reports()).toEqual(before)
    const list = await read<Schemas['UsageEventList']>('usage/events?from=2030-01-01&to=2030-03-31')
    expect(list.pagination.total).toBe(2)
    expect(list.events.map(({ createdAt }) => createdAt.slice(0, 10))).toEqual([
      '2030-03-05',
      '2030-02-01',
    ])
  })

  test('is made again for the next event of it', async () => {
    await record('2031-01-30T12:00:00Z')
    await sql`drop table usage_events_2031_01`.execute(service.db)
    await record('2031-01-31T12:00:00Z')
    const list = await read<Schemas['UsageEventList']>('usage/events?from=2031-01-31&to=2031-01-31')
    expect(list.pagination.total).toBe(1)
  })

  test('costs no statement of a call whose month exists', async () => {
    await record('2030-06-01T00:00:00Z')
    const statements = await statementsOf(service, () => record('2030-06-30T00:00:00Z'))
    expect(statements).toHaveLength(1)
  })
})
