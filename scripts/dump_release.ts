// The released schema with data in it, as a file: `npm run dump:release` starts the service on an
// empty database, plays a varied life on it and writes every row to test/upkeep/.
//
// Tests restore the file into the released migrations and migrate it to the schema of the day: this
// is what a customer's database goes through. The file was made by the release and is kept as it is.
// A later build writes rows of its own schema, so it refuses to replace the file; the build of the
// next release changes the name and the list of migrations below.
import { writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Kysely, sql } from 'kysely'
import { migrations } from '../src/generated/migrations.ts'
import type { Connection } from '../src/db/connect.ts'
import { makeDataFolder } from './bench/data_folder.ts'
import { liveOn } from './release/life.ts'
import { startReleaseService } from './release/service.ts'

const file = join(import.meta.dirname, '..', 'test', 'upkeep', 'upgrades', 'release_1.0.json.gz')
const lastMigration = '0018_administration_folding'

/** Kept by the migrations themselves, or of one process only. */
const left = ['service_migrations', 'rate_limits']

async function listTables(db: Kysely<unknown>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    order by c.relname`.execute(db)
  return rows.map(({ name }) => name).filter((name) => !left.includes(name))
}

/** As text: numbers and times stay exactly what the database wrote. */
async function dumpTable(db: Kysely<unknown>, table: string): Promise<string> {
  const { rows } = await sql<{ rows: string }>`
    select coalesce(jsonb_agg(to_jsonb(t)), '[]')::text as rows
    from ${sql.table(table)} t`.execute(db)
  return rows[0]!.rows
}

async function dump(connection: Connection): Promise<number> {
  const db = connection.db as unknown as Kysely<unknown>
  const tables: string[] = []
  for (const table of await listTables(db))
    tables.push(`${JSON.stringify(table)}:${await dumpTable(db, table)}`)
  const bytes = gzipSync(`{${tables.join(',\n')}}\n`, { level: 9 })
  writeFileSync(file, bytes)
  return bytes.length
}

if (Object.keys(migrations).at(-1) !== lastMigration)
  throw new Error(`This build has migrations after ${lastMigration}: the dump stays as it is.`)
const dataDir = await makeDataFolder()
try {
  const service = await startReleaseService(dataDir)
  try {
    await liveOn(service)
    console.log(`${file}: ${await dump(service.connection)} bytes`)
  } finally {
    await service.stop()
  }
} finally {
  await rm(dataDir, { recursive: true, force: true })
}
