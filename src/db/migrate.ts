import { setTimeout as pause } from 'node:timers/promises'
import { sql, type Kysely } from 'kysely'
import type { Environment } from '../core/secrets.ts'
import { migrations as allMigrations } from '../generated/migrations.ts'
import { buildOf, listOlderBuilds, recordBeat } from './builds.ts'
import { type HeldLock, openLock } from './sessions/held_lock.ts'
import type { Migration, Migrations } from './migration.ts'
import { isContraction, readState, type State, unknownTo } from './migration_state.ts'
import { applyMigration } from './migration_steps.ts'

/* Raw SQL: the tables here are outside the schema and exist before any migration. */

/** Arbitrary, but the same in every build. */
const lockKey = 7_318_112_046

export interface MigrateOptions {
  environment: Environment
  migrations?: Migrations
  /** Receives a line for each step on a database in use, because steps take time there. */
  report?: (line: string) => void
}

/** The tables that record which migrations were applied and which services use the database. */
const ownTables = {
  service_migrations: sql`name text primary key, applied_at timestamptz not null default now()`,
  service_expansions: sql`name text primary key, applied_at timestamptz not null default now()`,
  service_processes: sql`id text primary key, build text not null,
    started_at timestamptz not null default now(), seen_at timestamptz not null default now()`,
}

/** Checks for the tables first: a role without the right to create tables is refused even if they exist. */
async function ensureOwnTables(db: Kysely<unknown>): Promise<void> {
  for (const [name, columns] of Object.entries(ownTables)) {
    const { rows } = await sql`select where to_regclass(${name}) is null`.execute(db)
    if (rows.length > 0) await sql`create table ${sql.table(name)} (${columns})`.execute(db)
  }
}

/**
 * A newer build's expansion leaves this build everything it needs; a contraction, even an unfinished one,
 * does not.
 */
function requireKnown(state: State, migrations: Migrations): void {
  const unknown = unknownTo(state, migrations)
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

/**
 * Polls for the lock. A statement that waits would block an index that the holder builds concurrently,
 * which waits for all statements to end.
 */
async function take(lock: HeldLock): Promise<void> {
  while (!(await lock.tryTake())) await pause(100)
}

type Entries = [name: string, migration: Migration][]

/** The migrations that this build knows and the database lacks, after all checks and under the lock. */
interface Pending {
  connection: Kysely<unknown>
  /** Whether no build has used the database yet. */
  isNew: boolean
  expansions: Entries
  contractions: Entries
  apply: (entries: Entries) => Promise<void>
}

/**
 * Refuses, before changing anything, a database that this build cannot live on or that belongs to
 * another environment. Concurrent starts are safe: one works under a lock, the others wait and find
 * it done.
 */
async function underLock(
  db: Kysely<unknown>,
  { environment, migrations = allMigrations, report }: MigrateOptions,
  work: (pending: Pending) => Promise<void>,
): Promise<void> {
  await db.connection().execute(async (connection) => {
    const lock = await openLock(db, connection, lockKey)
    try {
      await take(lock)
      await requireUsableLocale(connection)
      await ensureOwnTables(connection)
      const state = await readState(connection)
      requireKnown(state, migrations)
      requireEnvironment(state.environment, environment)
      const isNew = state.applied.size === 0
      const pending = Object.entries(migrations).filter(([name]) => !state.applied.has(name))
      await work({
        connection,
        isNew,
        expansions: pending.filter(([, migration]) => !isContraction(migration)),
        contractions: pending.filter(([, migration]) => isContraction(migration)),
        async apply(entries) {
          for (const [name, migration] of entries)
            await applyMigration(connection, name, migration, {
              environment,
              recordIn:
                isNew || isContraction(migration) ? 'service_migrations' : 'service_expansions',
              report: isNew ? undefined : report,
            })
        },
      })
    } finally {
      await lock.release()
    }
  })
}

interface StartOptions extends MigrateOptions {
  /** The service that starts: once migrated, it is recorded as using the database. */
  processId?: string
  /** Nothing else uses the database, so contractions need not wait. */
  isAlone?: boolean
}

/**
 * Migrates the database to this build's schema while older builds use it. A contraction would break those,
 * so it waits for a later start than the one that applied the migrations before it, and for a start that
 * finds no older build alive.
 */
export async function migrate(db: Kysely<unknown>, options: StartOptions): Promise<void> {
  const { migrations = allMigrations, processId, isAlone = false, report } = options
  await underLock(db, options, async ({ connection, isNew, expansions, contractions, apply }) => {
    const all = [...expansions, ...contractions].sort(([left], [right]) => (left < right ? -1 : 1))
    await apply(isNew ? all : expansions)
    await requireTrigrams(connection)
    if (!isNew && isAlone) await apply(contractions)
    if (processId === undefined) return
    await recordBeat(connection, { id: processId, build: buildOf(migrations) })
    if (isNew) return
    for (const entry of contractions) {
      const [name] = entry
      if (expansions.some(([applied]) => applied < name)) return
      const older = await listOlderBuilds(connection, name)
      if (older.length > 0) return report?.(`${name} waits until this is gone: ${older.join(', ')}`)
      await apply([entry])
    }
  })
}

/**
 * Applies the pending contractions when an operator asks for it, and returns their names. Refuses while an
 * older build may be alive, unless `force` says that none is.
 */
export async function contract(
  db: Kysely<unknown>,
  { force, ...options }: MigrateOptions & { force: boolean },
): Promise<string[]> {
  const names: string[] = []
  await underLock(db, options, async ({ connection, expansions, contractions, apply }) => {
    if (expansions.length > 0)
      throw new Error(
        `Start this build first: ${expansions.length} migrations must run beside the build before ` +
          'until no service of that is left.',
      )
    for (const entry of contractions) {
      const older = force ? [] : await listOlderBuilds(connection, entry[0])
      if (older.length > 0)
        throw new Error(
          `An older build may still use the database: ${older.join(', ')}. Stop it first. If none ` +
            'of these is a service of an older build, repeat with --force.',
        )
      await apply([entry])
      names.push(entry[0])
    }
  })
  return names
}
