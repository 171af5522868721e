import { type RawBuilder, sql } from 'kysely'

const mark = Symbol('base URL')

/**
 * The base URL of the service that sends the statement, for the URLs in its answer. The connection
 * knows it, and puts it in as a value like any other. So queries need not pass it around, `db` and
 * `trx` work alike, and several services with different URLs can share a process or a database.
 */
export const baseUrl: RawBuilder<string> = sql`${mark}::text`

/** The values of a statement as they are sent. */
export function withBaseUrl(values: readonly unknown[], url: string | undefined): unknown[] {
  return values.map((value) => {
    if (value !== mark) return value
    if (url === undefined) throw new Error('This connection was opened without a base URL.')
    return url
  })
}
