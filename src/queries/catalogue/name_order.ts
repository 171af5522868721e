import { type RawBuilder, sql } from 'kysely'

/**
 * A name to sort by: letters of any script whatever their case. Names that differ in case alone are
 * equal here, so an id must follow.
 */
export const nameOrder = (column: string): RawBuilder<string> =>
  sql`${sql.ref(column)} collate name_order`
