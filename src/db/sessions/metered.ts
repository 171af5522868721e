import {
  type Compilable,
  type CompiledQuery,
  type ConnectionProvider,
  type DatabaseConnection,
  Kysely,
  type KyselyProps,
  PostgresDialect,
  PostgresDriver,
  type QueryExecutor,
  type QueryResult,
} from 'kysely'
import type { Database } from '../schema.ts'

/** What a call has cost the database so far. */
export interface Meter {
  /** How long it waited for connections. */
  waitMilliseconds: number
  /** How long its statements ran, parallel ones added up. */
  databaseMilliseconds: number
}

export const newMeter = (): Meter => ({ waitMilliseconds: 0, databaseMilliseconds: 0 })

/** Never connects: such a database uses the connections of the one that it is made from. */
const pool = () => Promise.reject(new Error('Not connected'))
const dialect = new PostgresDialect({ pool })
const driver = new PostgresDriver({ pool })
const config = { dialect }

/** The same database on other connections. Made for every call, in 2 µs. */
export function onConnections(
  db: Kysely<Database>,
  provider: ConnectionProvider,
): Kysely<Database> {
  return new Kysely<Database>(propsOf(db, provider))
}

const propsOf = (db: Kysely<Database>, provider: ConnectionProvider): KyselyProps => ({
  config,
  dialect,
  driver,
  executor: db.getExecutor().withConnectionProvider(provider),
})

/** The same database, which adds its use to a meter. */
export function metered(db: Kysely<Database>, meter: Meter): Kysely<Database> {
  return new MeteredDatabase(db, meter)
}

class MeteredDatabase extends Kysely<Database> {
  readonly #executor: QueryExecutor
  readonly #meter: Meter

  constructor(db: Kysely<Database>, meter: Meter) {
    const executor = db.getExecutor()
    super(
      propsOf(db, {
        provideConnection(consumer) {
          const askedAt = performance.now()
          return executor.provideConnection((connection) => {
            meter.waitMilliseconds += performance.now() - askedAt
            return consumer(timed(connection, meter))
          })
        },
      }),
    )
    this.#executor = executor
    this.#meter = meter
  }

  /** A hot query goes straight to its connection; there are no plugins to run. */
  override executeQuery<Row>(
    query: CompiledQuery<Row> | Compilable<Row>,
  ): Promise<QueryResult<Row>> {
    const compiled = 'compile' in query ? query.compile() : query
    const meter = this.#meter
    const askedAt = performance.now()
    return this.#executor.provideConnection(async (connection) => {
      const startedAt = performance.now()
      meter.waitMilliseconds += startedAt - askedAt
      try {
        return await connection.executeQuery<Row>(compiled)
      } finally {
        meter.databaseMilliseconds += performance.now() - startedAt
      }
    })
  }
}

function timed(connection: DatabaseConnection, meter: Meter): DatabaseConnection {
  return {
    async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
      const startedAt = performance.now()
      try {
        return await connection.executeQuery<Row>(query)
      } finally {
        meter.databaseMilliseconds += performance.now() - startedAt
      }
    },
    streamQuery: (query, size) => connection.streamQuery(query, size),
  }
}
