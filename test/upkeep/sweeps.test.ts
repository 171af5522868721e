import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { diskMediaStore } from '../../src/adapters/media_store.ts'
import { newId } from '../../src/core/ids.ts'
import { createSweep } from '../../src/domain/upkeep/sweep.ts'
import { deleteExpired } from '../../src/queries/upkeep/expiry.ts'
import {
  deleteOldFetches,
  deleteOldSets,
  deleteUnusedSources,
} from '../../src/queries/upkeep/retention.ts'
import { createLog } from '../../src/core/log.ts'
import { createDatabase, isDistributed, type TestDatabase } from '../kit/database.ts'
import { holdTransaction, waitersOn } from '../kit/held_transactions.ts'
import { startService, type TestService, unique } from '../kit/service.ts'
import { statementsOf } from '../kit/statements.ts'
import { failuresOf, whileRefused } from './refused_rows.ts'

const day = 24 * 3600_000

let database: TestDatabase
let service: TestService
beforeAll(async () => {
  database = await createDatabase()
  service = await startService({ databaseUrl: database.url })
})
afterAll(async () => {
  await service.close()
  await database.drop()
})

const refused = ['This row is refused.']
const ago = (days: number) => new Date(service.now().getTime() - days * day)

/** The values of a column, in order. */
async function left(table: string, column: string): Promise<string[]> {
  const { rows } = await sql<{ value: string }>`
    select ${sql.ref(column)}::text as value from ${sql.table(table)} order by 1`.execute(
    service.db,
  )
  return rows.map(({ value }) => value)
}

describe('a sweep', () => {
  test('passes over a step that an earlier one is still at, and does the others', async () => {
    const { db, config } = service
    const { id: workspaceId } = await service.givenWorkspace(await service.givenPerson())
    const domain = { id: newId('dom'), workspace_id: workspaceId, token: 'token' }
    const times = { created_at: ago(9), verified_at: ago(9), checked_at: ago(9) }
    const name = `${unique('www')}.example.org`
    await db
      .insertInto('site_domains')
      .values({ ...domain, ...times, name })
      .execute()
    let answer = () => undefined as void
    const answered = new Promise<void>((resolve) => (answer = resolve))
    let look = () => undefined as void
    const looking = new Promise<void>((resolve) => (look = resolve))
    const looks: string[] = []
    let lists = 0
    const store = diskMediaStore(`${config.dataDir}/swept`)
    const sweep = createSweep({
      db,
      config,
      log: createLog('silent'),
      clock: () => service.now(),
      mediaStore: { ...store, list: () => (lists++, store.list()) },
      lookUpTxt: async (record) => {
        looks.push(record)
        look()
        if (looks.length === 1) await answered
        return []
      },
    })
    const first = sweep()
    await looking
    await sweep()
    expect([looks, lists]).toEqual([[`_vitrine.${name}`], 1])
    answer()
    await first
    service.advance(2 * day)
    await sweep()
    expect([looks.length, lists]).toEqual([2, 3])
  })
})

describe.skipIf(isDistributed())('rows that cannot be deleted', () => {
  test('of one workspace hide none of another, and are tried once a sweep', async () => {
    await sql`insert into fetched_pictures (workspace_id, upload_id, url_hash, fetched_at)
      select 'ws_bad', 'up_1', n::text::bytea, ${ago(40)}::timestamptz
        from generate_series(1, 1500) n
      union all select 'ws_good', 'up_' || n, 'a', ${ago(40)} from generate_series(1, 1500) n
      `.execute(service.db)
    const rows = "old.workspace_id = 'ws_bad'"
    const sweep = () => deleteOldFetches(service.db, ago(31))
    await whileRefused(service, { table: 'fetched_pictures', write: 'delete', rows }, async () =>
      expect(await failuresOf(sweep)).toEqual(refused),
    )
    expect(new Set(await left('fetched_pictures', 'workspace_id'))).toEqual(new Set(['ws_bad']))
    await sweep()
    expect(await left('fetched_pictures', 'workspace_id')).toEqual([])
  })

  test('of one change set keep no other, whose rows go in batches', async () => {
    await sql`insert into change_sets (workspace_id, id, title, state, source, counts, done, total,
        created_by, created_at)
      select 'ws_' || id, id, '', 'DRAFT', '{}', '{}', 0, 0, '{}', at
      from (values ('bad', ${ago(60)}::timestamptz), ('heavy', ${ago(50)}::timestamptz))
        as given (id, at)`.execute(service.db)
    await sql`insert into change_set_rows (workspace_id, change_set_id, number, action)
      select 'ws_bad', 'bad', 1, 'patch' union all
      select 'ws_heavy', 'heavy', n, 'patch' from generate_series(1, 2500) n`.execute(service.db)
    const sweep = () => deleteOldSets(service.db, ago(31))
    const bad = { table: 'change_set_rows', write: 'delete', rows: "old.change_set_id = 'bad'" }
    const statements = await whileRefused(service, { ...bad, write: 'delete' }, () =>
      statementsOf(service, async () => expect(await failuresOf(sweep)).toEqual(refused)),
    )
    // One for the bad one.
    expect(
      statements.filter((text) => text.startsWith('delete from "change_set_rows"')),
    ).toHaveLength(4)
    expect(await left('change_sets', 'id')).toEqual(['bad'])
    expect(await left('change_set_rows', 'change_set_id')).toEqual(['bad'])
    await sweep()
    expect(await left('change_sets', 'id')).toEqual([])
  })

  /** Change sets of two months ago, of a row each or more. */
  async function givenOldSets(
    sets: { id: string; state: string; createdAt?: Date; plannedAt?: Date; rows?: number }[],
  ): Promise<void> {
    for (const { id, state, createdAt = ago(60), plannedAt = createdAt, rows = 1 } of sets) {
      await sql`insert into change_sets (workspace_id, id, title, state, source, counts, done, total,
          created_by, created_at, planned_at)
        values ('ws', ${id}, '', ${state}, '{}', '{}', 0, 0, '{}', ${createdAt}, ${plannedAt})
        `.execute(service.db)
      await sql`insert into change_set_rows (workspace_id, change_set_id, number, action)
        select 'ws', ${id}, n, 'patch' from generate_series(1, ${rows}::integer) n
        `.execute(service.db)
    }
  }

  test('of a change set are also those of a step that goes on, or that somebody has begun', async () => {
    const kept = [
      { id: 'applying', state: 'APPLYING' },
      { id: 'begun', state: 'APPLIED' },
      { id: 'lately', state: 'PLANNED', plannedAt: ago(30) },
      { id: 'planning', state: 'PLANNING' },
      { id: 'undoing', state: 'UNDOING' },
    ]
    await givenOldSets([...kept, { id: 'over', state: 'APPLIED' }, { id: 'up', state: 'PLANNED' }])
    const step = await holdTransaction(database.url, (trx) =>
      trx.selectFrom('change_sets').select('id').where('id', '=', 'begun').forUpdate().execute(),
    )
    await deleteOldSets(service.db, ago(31))
    await step.rollback()
    const ids = kept.map(({ id }) => id)
    expect(await left('change_sets', 'id')).toEqual(ids)
    expect(await left('change_set_rows', 'change_set_id')).toEqual(ids)
    await sql`update change_sets set state = 'UNDONE', planned_at = created_at`.execute(service.db)
    await deleteOldSets(service.db, ago(31))
    expect(await left('change_sets', 'id')).toEqual([])
  })

  test('of a thousand change sets keep no younger one', async () => {
    await sql`insert into change_sets (workspace_id, id, title, state, source, counts, done, total,
        created_by, created_at)
      select 'ws', id, '', 'APPLIED', '{}', '{}', 0, 0, '{}', ${ago(60)}
      from (select 'bad_' || n from generate_series(1, 1000) n) as given (id)`.execute(service.db)
    await sql`insert into change_set_rows (workspace_id, change_set_id, number, action)
      select 'ws', id, 1, 'patch' from change_sets`.execute(service.db)
    await givenOldSets([{ id: 'good', state: 'APPLIED', createdAt: ago(50) }])
    const sweep = () => deleteOldSets(service.db, ago(31))
    const rows = "old.change_set_id like 'bad%'"
    const bad = { table: 'change_set_rows', write: 'delete', rows } as const
    await whileRefused(service, bad, async () =>
      expect(new Set(await failuresOf(sweep))).toEqual(new Set(refused)),
    )
    const sets = await left('change_sets', 'id')
    expect([sets.length, sets.includes('good')]).toEqual([1000, false])
    for (const table of ['change_sets', 'change_set_rows'])
      await sql`delete from ${sql.table(table)}`.execute(service.db)
  })

  test('of a plan leave none that could be applied without the rows that are gone', async () => {
    await givenOldSets([{ id: 'half', state: 'PLANNED', rows: 1001 }])
    const sweep = () => deleteOldSets(service.db, ago(31))
    const bad = { table: 'change_set_rows', write: 'delete', rows: 'old.number = 1001' } as const
    await whileRefused(service, bad, async () => expect(await failuresOf(sweep)).toEqual(refused))
    expect(await left('change_set_rows', 'number')).toEqual(['1001'])
    expect(await left('change_sets', 'state')).toEqual(['CANCELLED'])
    await sweep()
    expect(await left('change_sets', 'id')).toEqual([])
  })

  test('are kept while another sweep is at its rows', async () => {
    await sql`insert into change_sets (workspace_id, id, title, state, source, counts, done, total,
        created_by, created_at)
      values ('ws', 'set', '', 'DRAFT', '{}', '{}', 0, 0, '{}', ${ago(60)})`.execute(service.db)
    await sql`insert into change_set_rows (workspace_id, change_set_id, number, action)
      select 'ws', 'set', n, 'patch' from generate_series(1, 1001) n`.execute(service.db)
    const other = await holdTransaction(database.url, (trx) =>
      sql`delete from change_set_rows where number <= 1000`.execute(trx),
    )
    const swept = deleteOldSets(service.db, ago(31))
    while ((await waitersOn(service)) === 0);
    await other.commit()
    await swept
    expect(await left('change_sets', 'id')).toEqual(['set'])
    expect(await left('change_set_rows', 'number')).toHaveLength(1)
    await deleteOldSets(service.db, ago(31))
    expect(await left('change_sets', 'id')).toEqual([])
  })

  test('of one table leave no salt and no visitor of a day that is over', async () => {
    const days = sql`(values (${ago(1)}::timestamptz), (${service.now()}::timestamptz)) as g (at)`
    await sql`insert into site_salts (day, salt)
      select (at at time zone 'UTC')::date, 'salt' from ${days}`.execute(service.db)
    await sql`insert into site_visitors (day, workspace_id, visitor)
      select (at at time zone 'UTC')::date, 'ws', n::text::bytea
      from ${days}, generate_series(1, 10001) n`.execute(service.db)
    await sql`insert into spent_challenges (fingerprint, expires_at)
      values ('old', ${ago(1)}::timestamptz)`.execute(service.db)
    const tables = ['access_tokens', 'spent_challenges']
    const sweep = () => deleteExpired(service.db, service.now())
    const statements = await whileRefused(
      service,
      { table: tables[1]!, write: 'delete', rows: 'true' },
      () => statementsOf(service, async () => expect(await failuresOf(sweep)).toEqual(refused)),
    )
    const today = service.now().toISOString().slice(0, 10)
    expect(await left('site_salts', 'day')).toEqual([today])
    expect(new Set(await left('site_visitors', 'day'))).toEqual(new Set([today]))
    expect(statements.filter((text) => text.includes('delete from "site_visitors"'))).toHaveLength(
      2,
    )
    expect(await left('spent_challenges', 'fingerprint')).toHaveLength(1)
    await sweep()
    expect(await left('spent_challenges', 'fingerprint')).toEqual([])
  })

  test('of one source keep no other', async () => {
    const ids = [newId('src'), newId('src')].toSorted()
    const source = { kind: 'AGENT', name: 'Unused', status: 'APPROVED' } as const
    for (const id of ids)
      await service.db
        .insertInto('integration_sources')
        .values({ ...source, id, identity: id, first_seen_at: ago(40) })
        .execute()
    const bad = { table: 'integration_sources', rows: `old.id = '${ids[0]}'` }
    await whileRefused(service, { ...bad, write: 'delete' }, async () =>
      expect(await failuresOf(() => deleteUnusedSources(service.db, ids, ago(30)))).toEqual(
        refused,
      ),
    )
    expect(await left('integration_sources', 'id')).toEqual([ids[0]])
    await deleteUnusedSources(service.db, ids, ago(30))
    expect(await left('integration_sources', 'id')).toEqual([])
  })
})

describe('a row that is used while its deletion waits for it', () => {
  /** Runs the deletion while another client renews a row, which it commits once that is waited for. */
  async function whileRenewed(renewal: RawBuilder<unknown>, deletion: () => Promise<void>) {
    const holder = await holdTransaction(database.url, (trx) => renewal.execute(trx))
    const deleted = deletion()
    while ((await waitersOn(service)) === 0);
    await holder.commit()
    await deleted
  }

  test('stays, in a table of workspaces and in one of the service', async () => {
    await sql`insert into fetched_pictures (workspace_id, upload_id, url_hash, fetched_at)
      values ('ws_1', 'up_1', 'used', ${ago(40)}::timestamptz),
        ('ws_1', 'up_1', 'unused', ${ago(40)}::timestamptz)`.execute(service.db)
    await whileRenewed(
      sql`update fetched_pictures set fetched_at = ${service.now()} where url_hash = 'used'`,
      () => deleteOldFetches(service.db, ago(31)),
    )
    expect(await left('fetched_pictures', 'url_hash')).toEqual([hexOf('used')])
    await sql`insert into spent_challenges (fingerprint, expires_at)
      values ('used', ${ago(1)}::timestamptz), ('unused', ${ago(1)}::timestamptz)`.execute(
      service.db,
    )
    const until = new Date(service.now().getTime() + day)
    await whileRenewed(
      sql`update spent_challenges set expires_at = ${until} where fingerprint = 'used'`,
      () => deleteExpired(service.db, service.now()),
    )
    expect(await left('spent_challenges', 'fingerprint')).toEqual([hexOf('used')])
  })
})

/** How the database shows bytes. */
const hexOf = (text: string) => `\\x${Buffer.from(text).toString('hex')}`
