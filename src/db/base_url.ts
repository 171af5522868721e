import { type RawBuilder, sql } from 'kysely'

const mark = Symbol('base URL')

/**
 * The base URL of the service that runs the statement, for URLs in its answer; the connection substitutes
 * it as an ordinary parameter. So queries need not pass it around, `db` and `trx` work alike, and services
 * with different URLs can share a process or a database.
 */
export const baseUrl: RawBuilder<string> = sql`${mark}::text`

/** The parameters of a statement, with the base URL substituted. */
export function withBaseUrl(values: readonly unknown[], url: string | undefined): unknown[] {
  return values.map((value) => {
    if (value !== mark) return value
    if (url === undefined) throw new Error('This connection was opened without a base URL.')
    return url
  })
}
