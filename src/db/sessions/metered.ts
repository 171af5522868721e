import {
  type ConnectionProvider,
  type DatabaseConnection,
  Kysely,
  PostgresDialect,
  PostgresDriver,
  type QueryResult,
} from 'kysely'
import type { Database } from '../schema.ts'

/** What a call has cost so far of the database. */
export interface Meter {
  /** For which it waited for connections. */
  waitMilliseconds: number
  /** For which its statements ran, those in parallel added up. */
  databaseMilliseconds: number
}

export const newMeter = (): Meter => ({ waitMilliseconds: 0, databaseMilliseconds: 0 })

/** Never connects: such a database takes its connections from the one that it is made of. */
const pool = () => Promise.reject(new Error('Not connected'))
const dialect = new PostgresDialect({ pool })
const driver = new PostgresDriver({ pool })
const config = { dialect }

/** The same database on other connections. Made for every call: 2 µs. */
export function onConnections(
  db: Kysely<Database>,
  provider: ConnectionProvider,
): Kysely<Database> {
  const executor = db.getExecutor().withConnectionProvider(provider)
  return new Kysely<Database>({ config, dialect, driver, executor })
}

/** The same database, which adds what it is used for to a meter. */
export function metered(db: Kysely<Database>, meter: Meter): Kysely<Database> {
  const executor = db.getExecutor()
  return onConnections(db, {
    provideConnection(consumer) {
      const askedAt = performance.now()
      return executor.provideConnection((connection) => {
        meter.waitMilliseconds += performance.now() - askedAt
        return consumer(timed(connection, meter))
      })
    },
  })
}

function timed(connection: DatabaseConnection, meter: Meter): DatabaseConnection {
  return {
    async executeQuery<Row>(query: { sql: string }): Promise<QueryResult<Row>> {
      const startedAt = performance.now()
      try {
        return await connection.executeQuery<Row>(query as never)
      } finally {
        meter.databaseMilliseconds += performance.now() - startedAt
      }
    },
    streamQuery: (query, size) => connection.streamQuery(query, size),
  }
}
