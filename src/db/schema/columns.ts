import type { ColumnType, RawBuilder } from 'kysely'

/** Read as RFC 3339 text, as in the contract; written as a Date. */
export type Timestamp = ColumnType<string, Date | undefined, Date>
export type NullableTimestamp = ColumnType<string | null, Date | null | undefined, Date | null>
/** Written by the database's clock alone, which all services share. */
export type DatabaseTime = ColumnType<string, RawBuilder<string>, RawBuilder<string>>
export type Json<T> = ColumnType<T, string, string>
/** A column that the database generates from other columns. */
export type GeneratedText = ColumnType<string, never, never>
