import { setTimeout as pause } from 'node:timers/promises'
import { sql, type Kysely } from 'kysely'
import { migrations as allMigrations } from '../generated/migrations.ts'
import type { Migration, Migrations, Step } from './migration.ts'
import { isDeadlock } from './online.ts'

type Environment = 'development' | 'production'

/** Arbitrary, but the same in every build. */
const lockKey = 7_318_112_046

/** How long the build before has to stop after the first part of a migration. */
const handover = '1 hour'
const secondsBetweenReports = 10

export interface MigrateOptions {
  environment: Environment
  migrations?: Migrations
  /** Also applies what would wait for the build before: nothing of it runs any more. */
  buildBeforeIsGone?: boolean
  /** Told of the steps of a database in use, which take their time. */
  report?: (line: string) => void
}

interface State {
  applied: Set<string>
  environment: string | undefined
  /** Whether the last migration is recent enough for the build before to be still running. */
  inHandover: boolean
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
    return { applied: new Set(), environment: undefined, inHandover: false }
  }
  const names = await sql<{ name: string; recent: boolean }>`
    select name, applied_at > now() - ${handover}::interval as recent
    from service_migrations`.execute(db)
  const applied = new Set(names.rows.map((row) => row.name))
  const inHandover = names.rows.some((row) => row.recent)
  if (!tables.rows[0].stamps) return { applied, environment: undefined, inHandover }
  const stamps = await sql<{ value: string }>`
    select value from service_stamps where name = 'environment'`.execute(db)
  return { applied, environment: stamps.rows[0]?.value, inHandover }
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

/** Runs a migration and records it. */
async function apply(
  db: Kysely<unknown>,
  name: string,
  migration: Migration,
  { environment, report }: MigrateOptions,
): Promise<void> {
  try {
    if ('steps' in migration)
      for (const step of migration.steps) await runStep(db, name, step, report)
    await db.transaction().execute(async (trx) => {
      if ('up' in migration) await migration.up(trx)
      await sql`insert into service_migrations (name) values (${name})`.execute(trx)
      await sql`
        insert into service_stamps (name, value) values ('environment', ${environment})
        on conflict (name) do nothing`.execute(trx)
    })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const outcome = 'steps' in migration ? 'and continues at the next start' : 'and was rolled back'
    throw new Error(`Migration ${name} failed ${outcome}: ${reason}`, { cause: error })
  }
}

/** Runs a step unless it is done, from where it was when it was interrupted. */
async function runStep(
  db: Kysely<unknown>,
  migration: string,
  { name, run }: Step,
  report: MigrateOptions['report'],
): Promise<void> {
  const key = { migration, step: name }
  const steps = await sql<{ position: number; done: boolean }>`
    insert into service_migration_steps (migration, step) values (${migration}, ${name})
    on conflict (migration, step) do update set position = service_migration_steps.position
    returning position::integer as position, done`.execute(db)
  const { position, done } = steps.rows[0]!
  if (done) return
  report?.(`${migration}: ${name}`)
  let reportedAt = Date.now()
  await run({
    db,
    progress(share) {
      if (Date.now() - reportedAt < secondsBetweenReports * 1000) return
      reportedAt = Date.now()
      report?.(`${migration}: ${name}, ${Math.floor(share * 100)} %`)
    },
    say: (line) => report?.(`${migration}: ${name}, ${line}`),
    async inBatches(batch) {
      for (let next: number | undefined = position; next !== undefined;) {
        const from: number = next
        const attempt = db.transaction().execute(async (trx) => {
          const reached = await batch(trx, from)
          if (reached !== undefined) await storePosition(trx, key, reached)
          return reached
        })
        // Writers lock the same rows in another order: whichever of the two is refused tries again.
        next = await attempt.catch((error: unknown): number => {
          if (isDeadlock(error)) return from
          throw error
        })
      }
    },
  })
  await sql`update service_migration_steps set done = true
    where migration = ${migration} and step = ${name}`.execute(db)
}

async function storePosition(
  trx: Kysely<unknown>,
  { migration, step }: { migration: string; step: string },
  position: number,
): Promise<void> {
  await sql`update service_migration_steps set position = ${position}
    where migration = ${migration} and step = ${step}`.execute(trx)
}

/**
 * The migrations to apply now. Those that end the build before wait for an hour after the last that
 * was applied, unless the database is new or a later migration needs them.
 */
function dueOf({ applied, inHandover }: State, options: MigrateOptions): [string, Migration][] {
  const pending = Object.entries(options.migrations ?? allMigrations).filter(
    ([name]) => !applied.has(name),
  )
  if (options.buildBeforeIsGone || applied.size === 0) return pending
  const endsBuildBefore = ([, migration]: [string, Migration]) =>
    'steps' in migration && migration.endsBuildBefore === true
  const last = pending.findLastIndex((entry) => !endsBuildBefore(entry))
  return inHandover || last >= 0 ? pending.slice(0, last + 1) : pending
}

/**
 * Waits for the lock without a statement that waits: an index that is built concurrently would wait
 * for that statement to end.
 */
async function takeLock(db: Kysely<unknown>): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ taken: boolean }>`
      select pg_try_advisory_lock(${lockKey}) as taken`.execute(db)
    if (rows[0]!.taken) return
    await pause(100)
  }
}

/**
 * Migrates the database to this build's schema. Refuses, before changing anything, a database of a
 * newer build or another environment. Concurrent starts are safe: one migrates under a lock, the
 * others wait and find it done.
 */
export async function migrate(db: Kysely<unknown>, options: MigrateOptions): Promise<void> {
  await db.connection().execute(async (connection) => {
    await takeLock(connection)
    try {
      await requireUsableLocale(connection)
      const state = await readState(connection)
      requireKnown(state.applied, options.migrations ?? allMigrations)
      requireEnvironment(state.environment, options.environment)
      const { report, ...quiet } = options
      const told = report && state.applied.size > 0 ? { ...quiet, report } : quiet
      for (const [name, migration] of dueOf(state, options))
        await apply(connection, name, migration, told)
      await requireTrigrams(connection)
    } finally {
      // A broken connection released its lock; its own error is the one to report.
      await sql`select pg_advisory_unlock(${lockKey})`.execute(connection).catch(() => undefined)
    }
  })
}
