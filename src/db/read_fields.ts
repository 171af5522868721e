import { type AliasedRawBuilder, type RawBuilder, type SelectType, sql } from 'kysely'
import type { Database } from './schema.ts'

/**
 * Maps each field of a schema to the SQL that reads it, in the order of the answer. A field added
 * to the contract does not compile until it is mapped.
 */
export type ReadFields<Fields> = {
  readonly [Field in keyof Fields]-?: RawBuilder<Fields[Field]>
}

/** Refers to the columns of a table by its alias in a statement. */
export function columnsIn<Table extends keyof Database>(_table: Table, alias: string) {
  return <Column extends keyof Database[Table] & string>(column: Column) =>
    sql.ref<SelectType<Database[Table][Column]>>(`${alias}.${column}`)
}

/**
 * Formats a time as the contract does. Times are written in milliseconds: one microsecond more, and
 * JSON shows all six digits of every one, of which three are cut. `to_char` costs twice as much.
 */
export function isoTime(time: RawBuilder<string>): RawBuilder<string> {
  return sql`substr(to_json(${time} at time zone 'UTC' + interval '1 us')::text, 2, 23) || 'Z'`
}

/** The fields as a JSON object. A resource begins with its id, which the record of a write reads. */
export function jsonObject<Fields>(fields: ReadFields<Fields>): RawBuilder<Fields> {
  const members = Object.entries<RawBuilder<unknown>>(fields).map(
    ([name, value]) => sql`${sql.lit(name)}, ${value}`,
  )
  return sql`json_build_object(${sql.join(members)})`
}

/** The fields as the select list of a row. */
export function selectList<Fields>(fields: ReadFields<Fields>) {
  const list = Object.entries<RawBuilder<unknown>>(fields).map(([name, value]) => value.as(name))
  return list as unknown as {
    [Field in keyof Fields & string]: AliasedRawBuilder<Fields[Field], Field>
  }[keyof Fields & string][]
}
