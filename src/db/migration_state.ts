import { sql, type Kysely } from 'kysely'
import { migrations as allMigrations } from '../generated/migrations.ts'
import { listOlderBuilds } from './builds.ts'
import type { Migration, Migrations } from './migration.ts'
import { begun } from './migration_steps.ts'

/* Raw SQL: the tables here are outside the schema and exist before any migration. */

export interface State {
  applied: Set<string>
  /** The migrations that a build must know to work; it can ignore the rest. */
  required: Set<string>
  environment: string | undefined
}

/** What was applied, according to the tables of the database. */
export async function readState(db: Kysely<unknown>): Promise<State> {
  const names = await sql<{ name: string; required: boolean }>`
    select name, true as required from service_migrations
    union all select name, false from service_expansions`.execute(db)
  const required = names.rows.filter((row) => row.required)
  const state = {
    applied: new Set(names.rows.map((row) => row.name)),
    required: new Set(required.map((row) => row.name)),
  }
  const stamps = await sql`select where to_regclass('service_stamps') is not null`.execute(db)
  if (stamps.rows.length === 0) return { ...state, environment: undefined }
  const environment = await sql<{ value: string }>`
    select value from service_stamps where name = 'environment'`.execute(db)
  return { ...state, environment: environment.rows[0]?.value }
}

/** Migrations, finished or not, that a build does not know and cannot work with. */
export function unknownTo({ required }: State, migrations: Migrations): string[] {
  const known = new Set(Object.keys(migrations).flatMap((name) => [name, begun(name)]))
  return [...required].filter((name) => !known.has(name)).sort()
}

export const isContraction = (migration: Migration): boolean =>
  'steps' in migration && migration.endsBuildBefore === true

/**
 * The names of the migrations that a database lacks for this build, and of those that this build does not
 * know.
 */
export interface MigrationDescription {
  isNew: boolean
  expansions: string[]
  contractions: string[]
  unknown: string[]
  /** What may be an older build, for which the first contraction waits. */
  waitsFor: string[]
}

/** Describes a database without changing it. */
export async function describeMigrations<Tables>(
  database: Kysely<Tables>,
): Promise<MigrationDescription> {
  const db = database as unknown as Kysely<unknown>
  const tables = await sql`select where to_regclass('service_expansions') is not null`.execute(db)
  const none = { expansions: [], contractions: [], unknown: [], waitsFor: [] }
  if (tables.rows.length === 0) return { isNew: true, ...none }
  const state = await readState(db)
  const pending = Object.entries(allMigrations).filter(([name]) => !state.applied.has(name))
  const namesOf = (areContractions: boolean) =>
    pending
      .filter(([, migration]) => isContraction(migration) === areContractions)
      .map(([name]) => name)
  const contractions = namesOf(true)
  const [first] = contractions
  return {
    isNew: state.applied.size === 0,
    expansions: namesOf(false),
    contractions,
    unknown: unknownTo(state, allMigrations),
    waitsFor: first === undefined ? [] : await listOlderBuilds(db, first),
  }
}
