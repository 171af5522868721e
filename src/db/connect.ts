import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { statementName } from './prepared.ts'
import type { Database } from './schema.ts'

export interface Connection {
  db: Kysely<Database>
  pool: pg.Pool
  close(): Promise<void>
}

/** Times leave the database as the contract writes them, whole numbers as numbers. */
const parsers: Record<number, (value: string) => unknown> = {
  [pg.types.builtins.TIMESTAMPTZ]: (value) => new Date(value).toISOString(),
  [pg.types.builtins.INT8]: Number,
}

export function connect(url: string, { max = 12 }: { max?: number } = {}): Connection {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: 3000,
    // A statement that takes longer is a fault; it must not hold its connection for ever.
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 60_000,
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary'): unknown =>
        (format === 'binary' ? undefined : parsers[oid]) ?? pg.types.getTypeParser(oid, format),
    },
  })
  // A connection that breaks while idle is replaced by the pool at the next query.
  pool.on('error', () => undefined)

  const db = new Kysely<Database>({
    dialect: new PostgresDialect({
      pool: {
        connect: async () => withNamedStatements(await pool.connect()),
        end: () => pool.end(),
      },
    }),
  })
  return { db, pool, close: () => (pool.ended ? Promise.resolve() : pool.end()) }
}

type Query = (text: string, values: readonly unknown[]) => Promise<pg.QueryResult>
const wrapped = new WeakMap<pg.PoolClient, { query: Query; release(): void }>()

/** Lets prepared queries run as named statements, which the server parses and plans once. */
function withNamedStatements(client: pg.PoolClient): PostgresPoolClient {
  let facade = wrapped.get(client)
  if (!facade) {
    const query: Query = (text, values) => {
      const name = statementName(text)
      return name
        ? client.query({ name, text, values: [...values] })
        : client.query(text, [...values])
    }
    facade = { query, release: () => client.release() }
    wrapped.set(client, facade)
  }
  // Kysely's type also covers cursors, which no query here uses.
  return facade as unknown as PostgresPoolClient
}
