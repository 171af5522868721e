import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { migrate } from '../../src/db/migrate.ts'
import { migrations } from '../../src/generated/migrations.ts'

const file = join(import.meta.dirname, '..', 'upkeep', 'upgrades', 'release_1.0.json.gz')
const lastOfRelease = '0018_administration_folding'

/** Migrations that the release knew; they are frozen. */
const migrationsOfRelease = Object.fromEntries(
  Object.entries(migrations).filter(([name]) => name <= lastOfRelease),
)

/** The rows of each table, as `npm run dump:release` wrote them. */
export function readRelease(): Record<string, Record<string, unknown>[]> {
  return JSON.parse(gunzipSync(readFileSync(file)).toString()) as ReturnType<typeof readRelease>
}

/** Turns an empty database into one that the release has been running on. */
export async function restoreRelease(url: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  // The pool ends before the server's sessions do; dropping the database may terminate the rest.
  pool.on('error', () => undefined)
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  try {
    await migrate(db, { environment: 'development', migrations: migrationsOfRelease })
    await db.transaction().execute(async (trx) => {
      // Counters and wallets are in the dump: no trigger may count the rows again.
      await sql`set local session_replication_role = replica`.execute(trx)
      for (const table of ['row_counters', 'service_stamps'])
        await sql`delete from ${sql.table(table)}`.execute(trx)
      for (const [table, rows] of Object.entries(readRelease())) await fill(trx, table, rows)
    })
    await sql`analyze`.execute(db)
  } finally {
    await db.destroy()
  }
}

async function fill(db: Kysely<unknown>, table: string, rows: object[]): Promise<void> {
  const columns = await sql<{ name: string }>`
    select column_name as name from information_schema.columns
    where table_schema = 'public' and table_name = ${table} and is_generated = 'NEVER'`.execute(db)
  const names = sql.join(columns.rows.map(({ name }) => sql.ref(name)))
  await sql`
    insert into ${sql.table(table)} (${names})
    select ${names} from jsonb_populate_recordset(
      null::${sql.table(table)}, ${JSON.stringify(rows)}::jsonb)`.execute(db)
}
