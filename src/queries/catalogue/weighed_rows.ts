import { type RawBuilder, sql } from 'kysely'
import { jsonArrayText } from '../../db/read_fields.ts'
import { type JsonRows, type JsonText, lightBytes } from '../../core/json_text.ts'

/**
 * Lists weigh their rows before they build them: the length of a stored text is known without
 * reading it. A light list is built as one value. Of a heavy one the same statement only answers the
 * ids and weights, and its rows are read in small groups while they are sent: a hundred products may
 * weigh 180 MB, and a few such answers at once ended the process.
 *
 * Raw SQL: PostgreSQL writes the JSON of the answer, so no row becomes an object on the way.
 */

/** The answer of a list's statement. */
export interface WeighedRows {
  /** The rows, or if they are too heavy, `[id, weight]` of each. */
  json: string
  heavy: boolean
}

/** The bytes of a value that the statement itself has built. */
export function builtBytes(column: string): RawBuilder<number> {
  return sql`pg_column_size(${sql.ref(column)})`
}

export type Weight = [id: string, bytes: number]

/** Reads rows of a list by their ids, in this order. */
export type ReadRows = (ids: string[]) => Promise<WeighedRows>

interface WeighedSelect {
  /** Selects the rows: `id` and every column that the other parts read. */
  from: RawBuilder<unknown>
  alias: string
  order: RawBuilder<unknown>
  /** Bytes of a row, from its columns. */
  weight: RawBuilder<number>
  /** A row as the text of JSON, from its columns. */
  row: RawBuilder<unknown>
}

/**
 * Selects `json` and `heavy` of the rows. A single row is never too heavy, because its fields have limits.
 */
export function weighedRows(select: WeighedSelect): RawBuilder<WeighedRows> {
  const { from, alias, order, weight, row } = select
  const [rows, column] = [sql.table(alias), (name: string) => sql.ref(`${alias}.${name}`)]
  // The total of a single row is its own weight.
  const isHeavy = sql`(${column('total')} > ${sql.lit(lightBytes)} and ${column('total')} > ${weight})`
  // All rows in the order that they already have, so that they need not be sorted again.
  const all = sql`order by ${order} rows between unbounded preceding and unbounded following`
  const item = sql`case when ${isHeavy} then concat('["', ${column('id')}, '",', ${weight}, ']')
    else ${row} end`
  return sql<WeighedRows>`
    select ${jsonArrayText(item, order)} as json,
      coalesce(bool_or(${isHeavy}), false) as heavy
    from (select ${rows}.*, sum(${weight}) over (${all}) as total
      from (${from} offset 0) ${rows}) ${rows}`
}

/** The rows of an answer, read by their ids if they are too heavy. */
export function rowsOf<T>({ json, heavy }: WeighedRows, read: ReadRows): JsonRows<T> {
  if (!heavy) return json as JsonText<T[]>
  const weights = JSON.parse(json) as Weight[]
  return {
    weight: weights.reduce((sum, [, bytes]) => sum + bytes, 0),
    async *parts() {
      yield '['
      let separator = ''
      for await (const rows of readGroups(weights, read)) {
        yield separator + rows
        separator = ','
      }
      yield ']'
    },
  }
}

/** The rows of each group, without brackets. A group that has grown meanwhile is split again. */
async function* readGroups(weights: Weight[], read: ReadRows): AsyncIterable<string> {
  for (const ids of groupsOf(weights)) {
    const { json, heavy } = await read(ids)
    if (heavy) yield* readGroups(JSON.parse(json) as Weight[], read)
    else if (json !== '[]') yield json.slice(1, -1)
  }
}

/** Groups of rows in order, each light or a single row. */
export function* groupsOf(weights: Weight[]): Iterable<string[]> {
  let group: string[] = []
  let total = 0
  for (const [id, bytes] of weights) {
    if (group.length > 0 && total + bytes > lightBytes) {
      yield group
      group = []
      total = 0
    }
    group.push(id)
    total += bytes
  }
  if (group.length > 0) yield group
}
