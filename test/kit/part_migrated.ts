import type { Kysely } from 'kysely'
import pg from 'pg'
import { connect, type Connection } from '../../src/db/connect.ts'
import { migrate } from '../../src/db/migrate.ts'
import type { Migrations } from '../../src/db/migration.ts'
import { migrations } from '../../src/generated/migrations.ts'
import { createCopy, createEmptyDatabase, type TestDatabase } from './database.ts'

/** A database that a test migrates part by part, while the build before writes to it. */
export interface PartMigrated {
  connection: Connection
  /** The connections of the build before. */
  buildBefore: pg.Pool
  migrateTo(isIncluded: (name: string) => boolean, options?: MigrateToOptions): Promise<void>
  /** Also applies what waits for the build before. */
  migrateToEnd(): Promise<void>
  drop(): Promise<void>
}

interface MigrateToOptions {
  /** Migrations that replace those of the same name. */
  changed?: Migrations
  isAlone?: boolean
}

/** Where the tests of a file begin, each in a copy: the first migrations would take most of the time. */
export interface Beginning {
  copy(report?: (line: string) => void): Promise<PartMigrated>
  drop(): Promise<void>
}

/** Migrates so far, and writes what every test finds. */
export async function createBeginning(
  isIncluded: (name: string) => boolean,
  write: (buildBefore: pg.Pool) => Promise<unknown>,
): Promise<Beginning> {
  const database = await createEmptyDatabase()
  const first = partMigrated(database, () => undefined)
  await first.migrateTo(isIncluded)
  await write(first.buildBefore)
  await first.disconnect()
  return {
    copy: async (report = () => undefined) => partMigrated(await createCopy(database), report),
    drop: () => database.drop(),
  }
}

function partMigrated(
  database: TestDatabase,
  report: (line: string) => void,
): PartMigrated & { disconnect(): Promise<void> } {
  const connection = connect(database.url, {
    patient: true,
    waitMilliseconds: 60_000,
    baseUrl: 'http://localhost:3000',
  })
  const buildBefore = new pg.Pool({ connectionString: database.url, max: 4 })
  buildBefore.on('error', () => undefined)
  const migrateTo: PartMigrated['migrateTo'] = (
    isIncluded,
    { changed = {}, isAlone = false } = {},
  ) => {
    const entries = Object.entries({ ...migrations, ...changed })
    return migrate(connection.db as unknown as Kysely<unknown>, {
      environment: 'development',
      migrations: Object.fromEntries(entries.filter(([name]) => isIncluded(name))),
      isAlone,
      report,
    })
  }
  const disconnect = async () => {
    await buildBefore.end()
    await connection.close()
  }
  return {
    connection,
    buildBefore,
    migrateTo,
    migrateToEnd: () => migrateTo(() => true, { isAlone: true }),
    disconnect,
    async drop() {
      await disconnect()
      await database.drop()
    },
  }
}
