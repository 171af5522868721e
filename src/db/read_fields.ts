import {
  type AliasedRawBuilder,
  ColumnNode,
  type OperationNode,
  type RawBuilder,
  ReferenceNode,
  type SelectType,
  sql,
} from 'kysely'
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
 * Formats a time as the contract does. Stored times have milliseconds: with microseconds, PostgreSQL's JSON
 * shows six digits, of which the last three are cut here. `to_char` costs twice as much.
 */
export function isoTime(time: RawBuilder<string>): RawBuilder<string> {
  return plain(
    sql`substr(to_json(${time} at time zone 'UTC' + interval '1 us')::text, 2, 23) || 'Z'`,
  )
}

/** How a field is written in JSON; all others are escaped and may be null. */
const forms = new WeakMap<object, 'plain' | 'written'>()

/** A text that is never null and has nothing that JSON escapes: an id, a time, a value of an enum. */
export function plain<T extends string>(text: RawBuilder<T>): RawBuilder<T> {
  forms.set(text, 'plain')
  return text
}

/** A nullable column does not compile here: a null would make the whole text null and break the JSON. */
type NeverNull<Value> = unknown extends Value ? unknown : null extends Value ? never : unknown

/** A value that is never null and whose text is its JSON: a number, or JSON that was built. */
export function written<T, Value = unknown>(
  json: RawBuilder<Value> & NeverNull<Value>,
): RawBuilder<T> {
  forms.set(json, 'written')
  return json as RawBuilder<unknown> as RawBuilder<T>
}

/**
 * The fields as the text of a JSON object, which is sent as is. A resource begins with its id, which the
 * record of a write reads. Not `json_build_object`: it puts spaces between members, which cost a model 12
 * to 21 % of its tokens, and looks up the type of every name and value, which takes lists 15 % more CPU.
 */
export function jsonText<Fields>(fields: ReadFields<Fields>): RawBuilder<Fields> {
  const parts: RawBuilder<unknown>[] = []
  let between = '{'
  for (const [name, value] of Object.entries<RawBuilder<unknown>>(fields)) {
    const form = forms.get(value)
    const quote = form === 'plain' ? '"' : ''
    parts.push(sql.lit(`${between}${JSON.stringify(name)}:${quote}`))
    parts.push(form ? value : sql`coalesce(to_json(${value}), 'null')`)
    between = `${quote},`
  }
  return written(sql`concat(${sql.join(parts)}, ${sql.lit(`${between.slice(0, -1)}}`)})`)
}

/** Aggregates JSON texts to the text of an array. */
export function jsonArrayText<T>(
  item: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
): RawBuilder<T> {
  return written(sql`concat('[', string_agg(${item}, ',' order by ${order}), ']')`)
}

/** The fields as a JSON object, which the driver parses. */
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

/**
 * The select list of a row that `fields` read under `alias`: the columns that they refer to, and the values
 * in `built` under their names. So a list selects exactly what its fields read.
 */
export function rowFor<Fields, Built>(
  alias: string,
  fields: ReadFields<Fields>,
  built: ReadFields<Built>,
): RawBuilder<unknown> {
  const names = Object.keys(built).map((name) => `${alias}.${name}`)
  const columns = new Set(Object.values<RawBuilder<unknown>>(fields).flatMap(columnsRead))
  const stored = [...columns].filter(
    (column) => column.startsWith(`${alias}.`) && !names.includes(column),
  )
  return sql`${sql.join([sql.raw(stored.join(', ')), ...selectList(built)])}`
}

/** Some lists are compiled for each call, so the columns of a field are looked up once. */
const readColumns = new WeakMap<object, string[]>()

/** The columns that a field refers to, each with its table. */
function columnsRead(field: RawBuilder<unknown>): string[] {
  const known = readColumns.get(field)
  if (known) return known
  const columns = [...columnsUnder(field.toOperationNode())]
  readColumns.set(field, columns)
  return columns
}

function* columnsUnder(node: OperationNode): Generator<string> {
  if (ReferenceNode.is(node)) {
    const { column, table } = node
    if (table && ColumnNode.is(column)) yield `${table.table.identifier.name}.${column.column.name}`
    return
  }
  for (const part of (Object.values(node) as unknown[]).flat())
    if (typeof part === 'object' && part !== null && 'kind' in part)
      yield* columnsUnder(part as OperationNode)
}
