import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertProducts } from '../../../scripts/upgrade/catalogue.ts'
import { connect, type Connection } from '../../../src/db/connect.ts'
import { migrate } from '../../../src/db/migrate.ts'
import type { Migrations } from '../../../src/db/migration.ts'
import { migrations } from '../../../src/generated/migrations.ts'
import { createProduct } from '../../../src/queries/catalogue/new_products.ts'
import { recount } from '../../../src/queries/upkeep/recount.ts'
import { productBody } from '../../kit/catalogue.ts'
import { createEmptyDatabase, type TestDatabase } from '../../kit/database.ts'
import { restoreRelease } from '../../kit/release_dump.ts'
import { firstReleaseOn, type FirstRelease } from './first_release.ts'

const environment = 'development'
const isContraction = (name: string) => 'endsBuildBefore' in migrations[name]!
const expansions = Object.keys(migrations).filter((name) => !isContraction(name))
const contractions = Object.keys(migrations).filter(isContraction)

/** This build, killed when a step has done its work. */
function killedAfter(name: string, step: string): Migrations {
  const migration = migrations[name]!
  if (!('steps' in migration)) throw new Error(`${name} has no steps.`)
  const steps = migration.steps.map((each) => ({
    ...each,
    run: async (context: Parameters<typeof each.run>[0]) => {
      await each.run(context)
      if (each.name === step) throw new Error('killed')
    },
  }))
  expect(steps.map((each) => each.name)).toContain(step)
  return { ...migrations, [name]: { ...migration, steps } }
}

const kills: [migration: string, step: string][] = [
  ['0020_workspace_keys', 'fill product_tags'],
  ['0020_workspace_keys', 'products_workspace_slug_key'],
  ['0021_usage_months', 'events'],
  ['0035_catalogue_document', 'tags of products'],
  ['0055_tags_for_the_build_before', 'follow the build before'],
]

describe('an upgrade from the first release', () => {
  let database: TestDatabase
  let connection: Connection
  let db: Kysely<unknown>
  let older: FirstRelease
  let workspaceId: string
  let tagId: string
  beforeAll(async () => {
    database = await createEmptyDatabase()
    await restoreRelease(database.url)
    connection = connect(database.url, { max: 4, patient: true, baseUrl: 'http://localhost:3000' })
    db = connection.db as unknown as Kysely<unknown>
    const { rows } = await sql<{ workspaceId: string; tagId: string }>`
      select workspace_id as "workspaceId", min(id) as "tagId" from tags group by 1 order by 1
      limit 1`.execute(db)
    ;({ workspaceId, tagId } = rows[0]!)
    const pool = new pg.Pool({ connectionString: database.url, max: 1 })
    for (const batch of ['first', 'second'])
      await insertProducts(pool, { id: workspaceId, tagId, productIds: [] }, 1000, batch)
    await pool.end()
    older = firstReleaseOn(database.url, { workspaceId, tagId })
  })
  afterAll(async () => {
    await connection.close()
    await database.drop()
  })

  async function miscounts(): Promise<string[]> {
    const lines: string[] = []
    await recount(connection.db, (line) => lines.push(line))
    return lines
  }

  async function recorded(table: string): Promise<string[]> {
    const { rows } = await sql<{ name: string }>`
      select name from ${sql.table(table)} order by name`.execute(db)
    return rows.map(({ name }) => name)
  }

  test('fails none of its statements while this build starts and is killed', async () => {
    const clients = [older.tradeOn(), older.tradeOn()]
    for (const [name, step] of kills) {
      const killed = {
        environment,
        migrations: killedAfter(name, step),
        processId: 'newer',
      } as const
      await expect(migrate(db, killed)).rejects.toThrow('continues at the next start: killed')
      await older.trade(1)
    }
    await migrate(db, { environment, processId: 'newer' })
    await older.trade(5)
    for (const client of clients) expect(await client.stop()).toBeGreaterThan(0)
    expect(await miscounts()).toEqual([])
  })

  test('lets both builds write, and the older one start again', async () => {
    const client = older.tradeOn()
    for (let count = 0; count < 20; count++)
      await connection.db
        .transaction()
        .execute((trx) =>
          createProduct(trx, workspaceId, productBody({ tagIds: [tagId] }), new Date()),
        )
    await client.stop()
    expect(await miscounts()).toEqual([])
    // What the release compares with its own list before it starts.
    expect(await recorded('service_migrations')).toEqual(
      expansions.filter((name) => name <= '0018_administration_folding'),
    )
  })

  test('contracts at a start that finds no session of it, and counts right then', async () => {
    const lines: string[] = []
    const start = () =>
      migrate(db, { environment, processId: 'newer', report: (line) => lines.push(line) })
    await start()
    expect(lines).toEqual([
      expect.stringMatching(
        /^0024_workspace_keys_alone waits until this is gone: .*without a name/,
      ),
    ])
    await older.close()
    const ended = sql`select from pg_stat_activity where datname = current_database()
      and application_name = '' and backend_type = 'client backend'`
    await expect.poll(async () => (await ended.execute(db)).rows).toEqual([])
    await start()
    const required = await recorded('service_migrations')
    expect(required.filter(isContraction)).toEqual(contractions)
    expect(await miscounts()).toEqual([])
  })
})
