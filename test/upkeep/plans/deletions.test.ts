import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deleteSomeRows } from '../../../src/queries/change_sets/change_set_rows.ts'
import { deleteExpired } from '../../../src/queries/upkeep/expiry.ts'
import { deleteOldFetches, deleteOldSets } from '../../../src/queries/upkeep/retention.ts'
import { createDatabase, type TestDatabase } from '../../kit/database.ts'
import { mostRunsOf } from './plans.ts'
import { startService, type TestService } from '../../kit/service.ts'
import { valuedStatementsOf } from '../../kit/statements.ts'

/*
 * How a planner joins a list of rows depends on what it knows about their table, and about one that grew since it
 * was analysed it knows the wrong thing. A statement that may then read its list anew for each row takes minutes
 * for rows that take milliseconds.
 */

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

const old = () => new Date(service.now().getTime() - 60 * 24 * 3600_000)

const rowsOfSet = () =>
  sql`insert into change_set_rows (workspace_id, change_set_id, number, action)
    select 'ws', 'set', n, 'patch' from generate_series(1, 2500) n`.execute(service.db)

const deletions: Record<
  string,
  { table: string; given: () => Promise<unknown>; deletion: () => Promise<unknown> }
> = {
  'old change sets': {
    table: 'change_set_rows',
    async given() {
      await sql`insert into change_sets (workspace_id, id, title, state, source, counts, done, total,
          created_by, created_at)
        values ('ws', 'set', '', 'DRAFT', '{}', '{}', 0, 0, '{}', ${old()})`.execute(service.db)
      await rowsOfSet()
    },
    deletion: () => deleteOldSets(service.db, service.now()),
  },
  'the next rows of a change set': {
    table: 'change_set_rows',
    given: rowsOfSet,
    async deletion() {
      const set = { workspaceId: 'ws', id: 'set' }
      const step = () => service.db.transaction().execute((trx) => deleteSomeRows(trx, set))
      while (await step());
    },
  },
  'old rows of a workspace': {
    table: 'fetched_pictures',
    given: () =>
      sql`insert into fetched_pictures (workspace_id, upload_id, url_hash, fetched_at)
        select 'ws', 'upload', n::text::bytea, ${old()}
        from generate_series(1, 2500) n`.execute(service.db),
    deletion: () => deleteOldFetches(service.db, service.now()),
  },
  'codes that nobody used': {
    table: 'authorization_codes',
    async given() {
      const { grantId } = await service.givenAgent(await service.givenPerson())
      await sql`insert into authorization_codes
          (code_hash, grant_id, redirect_uri, code_challenge, expires_at)
        select n::text::bytea, ${grantId}, '', '', ${old()}
        from generate_series(1, 2500) n`.execute(service.db)
    },
    deletion: () => deleteExpired(service.db, service.now()),
  },
}

test.each(Object.entries(deletions))(
  'a deletion of %s reads nothing anew for each row',
  async (_what, { table, given, deletion }) => {
    await sql`alter table ${sql.table(table)} set (autovacuum_enabled = false)`.execute(service.db)
    await given()
    const sent = await valuedStatementsOf(service, deletion)
    const isOfTable = new RegExp(`^\\s*delete from "?${table}\\b`)
    const deletes = sent.filter(({ text }) => isOfTable.test(text))
    expect(deletes.length).toBeGreaterThan(0)
    expect((await sql`select from ${sql.table(table)}`.execute(service.db)).rows).toEqual([])
    await given()
    expect(await mostRunsOf(service, deletes[0]!)).toBe(1)
    await deletion()
  },
)
