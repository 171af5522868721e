import { sql, type Kysely } from 'kysely'
import { migrations as allMigrations } from '../generated/migrations.ts'

type Environment = 'development' | 'production'
type Migrations = typeof allMigrations

/** Arbitrary, but the same in every build. */
const lockKey = 7_318_112_046

interface State {
  applied: Set<string>
  environment: string | undefined
}

async function readState(db: Kysely<unknown>): Promise<State> {
  const tables = await sql<{ migrations: boolean; stamps: boolean }>`
    select to_regclass('service_migrations') is not null as migrations,
      to_regclass('service_stamps') is not null as stamps`.execute(db)
  if (!tables.rows[0]?.migrations) {
    await sql`
      create table service_migrations (
        name text constraint service_migrations_pkey primary key,
        applied_at timestamptz not null default now()
      )`.execute(db)
    return { applied: new Set(), environment: undefined }
  }
  const names = await sql<{ name: string }>`select name from service_migrations`.execute(db)
  const applied = new Set(names.rows.map((row) => row.name))
  if (!tables.rows[0].stamps) return { applied, environment: undefined }
  const stamps = await sql<{ value: string }>`
    select value from service_stamps where name = 'environment'`.execute(db)
  return { applied, environment: stamps.rows[0]?.value }
}

function requireKnown(applied: Set<string>, migrations: Migrations): void {
  const unknown = [...applied].filter((name) => !Object.hasOwn(migrations, name)).sort()
  if (unknown.length === 0) return
  throw new Error(
    `The database is newer than this service: it has the migration ${unknown.join(', ')}, which ` +
      'this build does not know. Start the newer build, or use another database.',
  )
}

function requireEnvironment(stamped: string | undefined, environment: Environment): void {
  if (stamped === undefined || stamped === environment) return
  throw new Error(
    `The database belongs to a ${stamped} service and this one runs as ${environment}: ` +
      'set ENVIRONMENT or the database to match.',
  )
}

/** Search relies on the database to fold case and extract trigrams in every script. */
async function requireUsableLocale(db: Kysely<unknown>): Promise<void> {
  const remedy =
    "create the database with: encoding 'UTF8' locale_provider builtin builtin_locale 'C.UTF-8' " +
    "lc_ctype 'C.UTF-8' template template0."
  const encoding = await sql<{ name: string }>`
    select current_setting('server_encoding') as name`.execute(db)
  const name = encoding.rows[0]?.name
  if (name !== 'UTF8') throw new Error(`The database is encoded as ${name}, not UTF8: ${remedy}`)
  const folding = await sql<{ works: boolean }>`select lower('Ж') = 'ж' as works`.execute(db)
  if (!folding.rows[0]?.works) {
    throw new Error(`The locale of the database does not fold the case of Cyrillic: ${remedy}`)
  }
}

/** Needs pg_trgm, which the first migration creates. */
async function requireTrigrams(db: Kysely<unknown>): Promise<void> {
  const trigrams = await sql<{ work: boolean }>`
    select cardinality(show_trgm('漢字')) > 0 as work`.execute(db)
  if (!trigrams.rows[0]?.work) {
    throw new Error(
      'The character type (lc_ctype) of the database makes no trigrams of Chinese or Japanese: ' +
        "create the database with lc_ctype 'C.UTF-8'.",
    )
  }
}

async function apply(
  db: Kysely<unknown>,
  name: string,
  migration: Migrations[string],
  environment: Environment,
): Promise<void> {
  try {
    await db.transaction().execute(async (trx) => {
      await migration.up(trx)
      await sql`insert into service_migrations (name) values (${name})`.execute(trx)
      await sql`
        insert into service_stamps (name, value) values ('environment', ${environment})
        on conflict (name) do nothing`.execute(trx)
    })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`Migration ${name} failed and was rolled back: ${reason}`, { cause: error })
  }
}

/**
 * Migrates the database to this build's schema. Refuses, before changing anything, a database of a
 * newer build or another environment. Concurrent starts are safe: one migrates under a lock, the
 * others wait and find it done.
 */
export async function migrate(
  db: Kysely<unknown>,
  {
    environment,
    migrations = allMigrations,
  }: { environment: Environment; migrations?: Migrations },
): Promise<void> {
  await db.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(${lockKey})`.execute(connection)
    try {
      await requireUsableLocale(connection)
      const state = await readState(connection)
      requireKnown(state.applied, migrations)
      requireEnvironment(state.environment, environment)
      for (const [name, migration] of Object.entries(migrations)) {
        if (!state.applied.has(name)) await apply(connection, name, migration, environment)
      }
      await requireTrigrams(connection)
    } finally {
      // A broken connection released its lock; its own error is the one to report.
      await sql`select pg_advisory_unlock(${lockKey})`.execute(connection).catch(() => undefined)
    }
  })
}
