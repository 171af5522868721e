import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { removeProcess } from '../../../src/db/builds.ts'
import { connect } from '../../../src/db/connect.ts'
import { contract, migrate } from '../../../src/db/migrate.ts'
import type { Migrations } from '../../../src/db/migration.ts'
import { migrations } from '../../../src/generated/migrations.ts'
import { createDatabase, type TestDatabase } from '../../kit/database.ts'

const environment = 'development'
const contraction = { steps: [], endsBuildBefore: true }
/** A release that adds something and later takes away what it replaces. */
const next: Migrations = { ...migrations, '9001_next': { steps: [] }, '9002_alone': contraction }

let database: TestDatabase
let db: Kysely<unknown>
let close: () => Promise<void>
beforeEach(async () => {
  database = await createDatabase()
  // The sessions of tests that have just ended their own are gone from this new database.
  const connection = connect(database.url, { max: 1 })
  db = connection.db as unknown as Kysely<unknown>
  close = () => connection.close()
})
afterEach(async () => {
  await close()
  await database.drop()
})

/** Starts a service of a build; returns what the operator was told. */
async function start(build: Migrations, processId = 'newer'): Promise<string[]> {
  const lines: string[] = []
  const report = (line: string) => void lines.push(line)
  await migrate(db, { environment, migrations: build, processId, report })
  return lines
}

async function added(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from service_migrations where name > '9'
    union select name from service_expansions where name > '9' order by name`.execute(db)
  return rows.map(({ name }) => name)
}

describe('a contraction', () => {
  test('waits for a start after the one that applied what comes before it', async () => {
    const later = { ...next, '9003_later': { steps: [] } }
    await start(later)
    expect(await added()).toEqual(['9001_next', '9003_later'])
    await start(later)
    expect(await added()).toEqual(Object.keys(later).filter((name) => name > '9'))
  })

  test('runs in a start of the release after, which adds something of its own', async () => {
    await start(next, 'build before')
    await start({ ...next, '9003_later': { steps: [] }, '9004_later_alone': contraction })
    expect(await added()).toEqual(['9001_next', '9002_alone', '9003_later'])
  })

  test('waits while a service of an older build lives, until it stops', async () => {
    await start(migrations, 'older')
    await start(next)
    const [line] = await start(next)
    const build = Object.keys(migrations).at(-1)!
    expect(line).toContain(
      `9002_alone waits until this is gone: the build ${build}, running since `,
    )
    expect(await added()).toEqual(['9001_next'])
    await removeProcess(db, 'older')
    await start(next)
    expect(await added()).toEqual(['9001_next', '9002_alone'])
  })

  test('forgets a service that was killed ten minutes ago', async () => {
    await start(migrations, 'older')
    await start(next)
    await sql`update service_processes set seen_at = seen_at - interval '10 minutes'
      where id = 'older'`.execute(db)
    await start(next)
    expect(await added()).toEqual(['9001_next', '9002_alone'])
  })

  test('waits while sessions without a name may be of a release that does not tell of itself', async () => {
    const url = new URL(database.url)
    url.searchParams.delete('host')
    const session = new pg.Client({ connectionString: url.href })
    await session.connect()
    await start(next)
    expect(await start(next)).toEqual([
      '9002_alone waits until this is gone: a session without a name from 127.0.0.1',
    ])
    await session.end()
    const ended = sql`select from pg_stat_activity
      where datname = current_database() and application_name = ''
        and backend_type = 'client backend'`
    await expect.poll(async () => (await ended.execute(db)).rows).toEqual([])
    expect(await start(next)).toEqual([])
    expect(await added()).toEqual(['9001_next', '9002_alone'])
  })

  test('runs on an operator’s word once its build has started, by force beside an older one', async () => {
    const withForce = (force: boolean) => contract(db, { environment, migrations: next, force })
    await start(migrations, 'older')
    await expect(withForce(true)).rejects.toThrow('Start this build first: 1 migrations')
    await start(next)
    await expect(withForce(false)).rejects.toThrow('An older build may still use the database')
    expect(await withForce(true)).toEqual(['9002_alone'])
    expect(await withForce(false)).toEqual([])
  })
})

describe('a build', () => {
  test('starts again on a database that a newer one has expanded', async () => {
    await start(migrations, 'older')
    await start(next)
    await start(migrations, 'older')
    expect(await added()).toEqual(['9001_next'])
  })

  test('is refused a database whose contraction it does not know', async () => {
    await start(next)
    await start(next)
    await expect(start(migrations)).rejects.toThrow(
      'The database is newer than this service: it has the migration 9002_alone, which this ' +
        'build does not know. Start the newer build, or use another database.',
    )
  })

  test('is refused a database whose contraction has only begun', async () => {
    await start(next)
    const killed = { name: 'killed', run: () => Promise.reject(new Error('killed')) }
    const interrupted = { ...next, '9002_alone': { ...contraction, steps: [killed] } }
    await expect(start(interrupted)).rejects.toThrow('continues at the next start: killed')
    await expect(start(migrations)).rejects.toThrow('it has the migration 9002_alone begun')
    await start(next)
    expect(await added()).toEqual(['9001_next', '9002_alone'])
  })
})
