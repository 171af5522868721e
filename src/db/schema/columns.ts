import type { ColumnType } from 'kysely'

/** Read as RFC 3339 text, as the contract writes it; written as a Date. */
export type Timestamp = ColumnType<string, Date | undefined, Date>
export type NullableTimestamp = ColumnType<string | null, Date | null | undefined, Date | null>
export type Json<T> = ColumnType<T, string, string>
/** Kept by the database, which makes it of other columns. */
export type Made = ColumnType<string, never, never>
