import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { afterEach, describe, expect, test } from 'vitest'
import { connect as connectAsService } from '../../../src/db/connect.ts'
import { migrate } from '../../../src/db/migrate.ts'
import { openLock } from '../../../src/db/sessions/held_lock.ts'
import { migrations } from '../../../src/generated/migrations.ts'
import { createDatabase, createEmptyDatabase, type TestDatabase } from '../../kit/database.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

function dropLater(database: TestDatabase): TestDatabase {
  cleanups.push(() => database.drop())
  return database
}

function connect({ url }: TestDatabase): Kysely<unknown> {
  const pool = new pg.Pool({ connectionString: url, max: 2 })
  // The pool ends before the server's sessions do; dropping the database may terminate the rest.
  pool.on('error', () => undefined)
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  cleanups.push(() => db.destroy())
  return db
}

async function appliedTo(db: Kysely<unknown>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from service_migrations
    union select name from service_expansions order by name`.execute(db)
  return rows.map((row) => row.name)
}

const first = { '0001_service': migrations['0001_service'] ?? { up: () => Promise.resolve() } }

describe('migrating', () => {
  test('by four concurrent processes applies each migration once', async () => {
    const database = dropLater(await createEmptyDatabase())
    const pools = [1, 2, 3, 4].map(() => connect(database))
    const runs: string[] = []
    const extended = {
      ...migrations,
      '9999_counted': { up: () => Promise.resolve(void runs.push('9999_counted')) },
    }
    const outcomes = await Promise.allSettled(
      pools.map((db) => migrate(db, { environment: 'development', migrations: extended })),
    )
    expect(outcomes.map(({ status }) => status)).toEqual(Array(4).fill('fulfilled'))
    expect(runs).toEqual(['9999_counted'])
    expect(await appliedTo(pools[0] ?? connect(database))).toEqual(Object.keys(extended))
  })

  test('is waited for without a transaction that an index would wait for', async () => {
    const database = dropLater(await createDatabase())
    const opened = connectAsService(database.url)
    cleanups.push(() => opened.close())
    const { db } = opened
    const locks = await Promise.all([1, 2].map(() => openLock(db, db, 1)))
    cleanups.push(() => Promise.all(locks.map((lock) => lock.release())))
    const [holder, waiter] = locks
    expect(await holder!.tryTake()).toBe(true)
    for (let turn = 0; turn < 2; turn++) {
      expect(await waiter!.tryTake()).toBe(false)
      const { rows } = await sql<{ state: string }>`select state from pg_stat_activity
        where datname = current_database() and application_name = 'vitrine lock'
        order by state`.execute(db)
      expect(rows).toEqual([{ state: 'idle' }, { state: 'idle in transaction' }])
    }
    await holder!.release()
    await expect.poll(() => waiter!.tryTake()).toBe(true)
  })

  test('a current database changes nothing', async () => {
    const db = connect(dropLater(await createDatabase()))
    const times = sql`select name, applied_at from service_migrations order by name`
    const before = await times.execute(db)
    await migrate(db, { environment: 'development' })
    expect((await times.execute(db)).rows).toEqual(before.rows)
    expect(before.rows).toHaveLength(Object.keys(migrations).length)
  })

  test('keeps the migrations before a failure and nothing of the failed one', async () => {
    const db = connect(dropLater(await createEmptyDatabase()))
    const failing = {
      up: async (trx: Kysely<unknown>) => {
        await sql`create table half (id int)`.execute(trx)
        await sql`select 1 / 0`.execute(trx)
      },
    }
    await expect(
      migrate(db, { environment: 'development', migrations: { ...first, '0002_half': failing } }),
    ).rejects.toThrow('Migration 0002_half failed and was rolled back: division by zero')
    expect(await appliedTo(db)).toEqual(['0001_service'])
    const half = await sql<{ name: string | null }>`select to_regclass('half') as name`.execute(db)
    expect(half.rows).toEqual([{ name: null }])
  })

  test('leaves no lock behind after a failure', async () => {
    const database = dropLater(await createEmptyDatabase())
    const failing = { up: () => Promise.reject(new Error('no')) }
    await expect(
      migrate(connect(database), {
        environment: 'development',
        migrations: { ...first, '0002_failing': failing },
      }),
    ).rejects.toThrow('Migration 0002_failing failed and was rolled back: no')
    const other = connect(database)
    await migrate(other, { environment: 'development', migrations: first })
    expect(await appliedTo(other)).toEqual(['0001_service'])
  })
})

describe('a database is refused', () => {
  test('if it belongs to the other environment, and is not migrated then', async () => {
    const db = connect(dropLater(await createEmptyDatabase()))
    await migrate(db, { environment: 'development', migrations: first })
    const later = { ...first, '0002_later': { up: () => Promise.resolve() } }
    await expect(migrate(db, { environment: 'production', migrations: later })).rejects.toThrow(
      'The database belongs to a development service and this one runs as production: ' +
        'set ENVIRONMENT or the database to match.',
    )
    expect(await appliedTo(db)).toEqual(['0001_service'])
    await migrate(db, { environment: 'development', migrations: later })
    expect(await appliedTo(db)).toEqual(['0001_service', '0002_later'])
  })

  test.each([
    ['is not UTF8', `encoding 'LATIN1' locale_provider libc locale 'C'`, /encoded as LATIN1/],
    ['does not fold Cyrillic', `locale_provider libc locale 'C'`, /does not fold the case/],
    [
      'has no trigrams of Chinese',
      `locale_provider builtin builtin_locale 'C.UTF-8' locale 'C'`,
      /makes no trigrams of Chinese or Japanese/,
    ],
  ])('if it %s', async (_, options, complaint) => {
    const db = connect(dropLater(await createEmptyDatabase(options)))
    await expect(migrate(db, { environment: 'development' })).rejects.toThrow(complaint)
  })
})
