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
 * The name under which a text is prepared on each connection; empty for one that is planned each
 * time, undefined for other statements.
 */
export function statementName(text: string): string | undefined {
  return names.get(text)
}

type Parameters<P> = <K extends keyof P & string>(name: K) => RawBuilder<P[K]>

/** Compiles queries; it is never connected. */
const builder = new Kysely<Database>({
  dialect: new PostgresDialect({ pool: () => Promise.reject(new Error('Not connected')) }),
})

/** Marks a query that is compiled once and planned at every call, for the values it then has. */
export const plannedEachTime = Symbol('planned each time')

/**
 * A hot query: built and compiled once, at its first use, and prepared once on each connection.
 * Building a query anew costs Node more than running it. The parameters' type is given first, so
 * that the row's type can follow from the query.
 *
 * A prepared statement is soon given one plan for all values. Where the right plan depends on them,
 * as with the pattern of a search, the query is `plannedEachTime` instead of having a name.
 */
export function prepared<P extends object>() {
  return <Row>(
    name: string | typeof plannedEachTime,
    build: (db: Kysely<Database>, parameter: Parameters<P>) => Compilable<Row> | RawBuilder<Row>,
  ) => {
    let compiled: CompiledQuery | undefined
    const places = new Map<unknown, keyof P>()
    return async (db: Kysely<Database>, parameters: P): Promise<Row[]> => {
      if (!compiled) {
        compiled = build(builder, (key) => {
          // A thing of its own marks the place, so that no literal of the query is taken for it.
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
