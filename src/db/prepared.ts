import {
  type Compilable,
  type CompiledQuery,
  Kysely,
  PostgresDialect,
  type RawBuilder,
  sql,
} from 'kysely'
import type { Database } from './schema.ts'

const names = new Map<string, string>()

/**
 * The statement name for a prepared query's text; empty if it is planned on every call, undefined
 * if the text is not a prepared query.
 */
export function statementName(text: string): string | undefined {
  return names.get(text)
}

export type ParameterOf<P> = <K extends keyof P & string>(name: K) => RawBuilder<P[K]>

/** Only compiles; never connects. */
const builder = new Kysely<Database>({
  dialect: new PostgresDialect({ pool: () => Promise.reject(new Error('Not connected')) }),
})

/** Instead of a name: compile once, but plan on every call with its actual values. */
export const plannedEachTime = Symbol('planned each time')

/**
 * A hot query: built and compiled once, on first use, and prepared once per connection. Building a
 * Kysely query costs Node more than running it. The call is curried so that the row type can be
 * inferred from the query.
 *
 * PostgreSQL soon switches a prepared statement to one generic plan. Where the best plan depends on
 * the values, as with a search pattern, use `plannedEachTime` instead of a name.
 */
export function prepared<P extends object>() {
  return <Row>(
    name: string | typeof plannedEachTime,
    build: (db: Kysely<Database>, parameter: ParameterOf<P>) => Compilable<Row> | RawBuilder<Row>,
  ) => {
    let compiled: CompiledQuery | undefined
    const places = new Map<unknown, keyof P>()
    return async (db: Kysely<Database>, parameters: P): Promise<Row[]> => {
      if (!compiled) {
        compiled = build(builder, (key) => {
          // A unique object marks the place, so that no literal in the query is mistaken for it.
          const place = { key }
          places.set(place, key)
          return sql`${place}`
        }).compile(builder)
        names.set(compiled.sql, name === plannedEachTime ? '' : name)
      }
      const values = compiled.parameters.map((value) => {
        const key = places.get(value)
        return key === undefined ? value : parameters[key]
      })
      const { rows } = await db.executeQuery<Row>({ ...compiled, parameters: values })
      return rows
    }
  }
}

/** A hot query for one row, undefined if there is none. */
export function preparedRow<P extends object>() {
  return <Row>(
    name: string,
    build: (db: Kysely<Database>, parameter: ParameterOf<P>) => Compilable<Row> | RawBuilder<Row>,
  ) => {
    const find = prepared<P>()(name, build)
    return async (db: Kysely<Database>, parameters: P): Promise<Row | undefined> =>
      (await find(db, parameters))[0]
  }
}
