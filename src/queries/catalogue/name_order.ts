import { type RawBuilder, sql } from 'kysely'

/**
 * A name to sort by: letters of any script, regardless of case. Names that differ only in case are equal
 * here, so sort by an id next.
 */
export const nameOrder = (column: string): RawBuilder<string> =>
  sql`${sql.ref(column)} collate name_order`
