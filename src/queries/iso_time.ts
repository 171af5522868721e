import { type Expression, type RawBuilder, sql } from 'kysely'

/** A time as the contract writes it. */
export function isoTime(column: Expression<unknown>): RawBuilder<string> {
  return sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}
