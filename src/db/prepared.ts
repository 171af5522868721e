import {
  type Compilable,
  type CompiledQuery,
  Kysely,
  PostgresDialect,
  type RawBuilder,
  sql,
} from 'kysely'
import type { Database } from './schema.ts'
import { routeOf } from './shards/routes.ts'

const names = new Map<string, string>()

/**
 * The statement name for a prepared query's text; empty if it is planned on every call, undefined
 * if the text is not a prepared query.
 */
export function statementName(text: string): string | undefined {
  return names.get(text)
}

export type ParameterOf<P> = <K extends keyof P & string>(name: K) => RawBuilder<P[K]>

export type Build<P, Row> = (
  db: Kysely<Database>,
  parameter: ParameterOf<P>,
) => Compilable<Row> | RawBuilder<Row>

/** Only compiles; never connects. */
const builder = new Kysely<Database>({
  dialect: new PostgresDialect({ pool: () => Promise.reject(new Error('Not connected')) }),
})

/** Used instead of a name: compile once, but plan each call with its actual values. */
export const plannedEachTime = Symbol('planned each time')

interface Statement<P> {
  compiled: CompiledQuery
  valuesOf: (parameters: P) => unknown[]
}

/** Builds and compiles a query on first use. */
function compiledOnce<P extends object, Row>(name: string, build: Build<P, Row>) {
  let statement: Statement<P> | undefined
  return (): Statement<P> => {
    if (statement) return statement
    const places = new Map<unknown, keyof P>()
    const compiled = build(builder, (key) => {
      // A unique object marks the place, so that no literal in the query is mistaken for it.
      const place = { key }
      places.set(place, key)
      return sql`${place}`
    }).compile(builder)
    names.set(compiled.sql, name)
    const valuesOf = (parameters: P) =>
      compiled.parameters.map((value) => {
        const key = places.get(value)
        return key === undefined ? value : parameters[key]
      })
    return (statement = { compiled, valuesOf })
  }
}

const nameOf = (name: string | typeof plannedEachTime) => (name === plannedEachTime ? '' : name)

/**
 * A hot query: built and compiled once, on first use, and prepared once per connection. Building a
 * Kysely query costs Node more than running it. The call is curried so that the row type can be
 * inferred from the query.
 *
 * PostgreSQL soon switches a prepared statement to one generic plan. Where the best plan depends on
 * the values, as with a search pattern, use `plannedEachTime` instead of a name.
 */
export function prepared<P extends object>() {
  return <Row>(name: string | typeof plannedEachTime, build: Build<P, Row>) => {
    const statement = compiledOnce(nameOf(name), build)
    return async (db: Kysely<Database>, parameters: P): Promise<Row[]> => {
      const { compiled, valuesOf } = statement()
      const values = valuesOf(parameters)
      const { rows } = await db.executeQuery<Row>({ ...compiled, parameters: values })
      return rows
    }
  }
}

/** A hot query for one row, undefined if there is none. */
export function preparedRow<P extends object>() {
  return <Row>(name: string, build: Build<P, Row>) => {
    const find = prepared<P>()(name, build)
    return async (db: Kysely<Database>, parameters: P): Promise<Row | undefined> =>
      (await find(db, parameters))[0]
  }
}

/**
 * A hot read of one workspace. On a distributed database it is sent to the node that has the rows. It names
 * each table by `tableOf`, and only tables of workspaces.
 */
export function workspaceRead<P extends { workspaceId: string }>() {
  return <Row>(name: string | typeof plannedEachTime, build: Build<P, Row>) => {
    const statement = compiledOnce(nameOf(name), build)
    return async (db: Kysely<Database>, parameters: P): Promise<Row[]> => {
      const { compiled, valuesOf } = statement()
      const values = valuesOf(parameters)
      const route = routeOf(db)
      if (route?.workspaceId === parameters.workspaceId) {
        const found = await route.ask({ name: nameOf(name), compiled }, values)
        if (found) return found as Row[]
      }
      const { rows } = await db.executeQuery<Row>({ ...compiled, parameters: values })
      return rows
    }
  }
}

/** Prepared statements by shape; a few hundred at most. */
const statements = new Map<string, unknown>()

export function statementOf<S>(shape: string, make: () => S): S {
  const existing = statements.get(shape) as S | undefined
  if (existing) return existing
  const statement = make()
  statements.set(shape, statement)
  return statement
}

/** A table in the raw SQL of a read: a read that is sent to a shard needs another name. */
export function tableOf(name: keyof Database): RawBuilder<unknown> {
  return sql.table(name)
}
