import { type ColumnType, type Insertable, type RawBuilder, sql } from 'kysely'

type Scalar = string | number | boolean | null

/** `imageId` becomes `image_id`. */
type SnakeCase<Name> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : ''

/** The columns that store fields of the contract; anything but a scalar is JSON. */
export type StoredColumns<Fields> = {
  [Field in keyof Fields as SnakeCase<Field>]: Fields[Field] extends Scalar
    ? Fields[Field]
    : ColumnType<Fields[Field], string, string>
}

type SqlType<Value> = [Value] extends [string | null]
  ? 'text'
  : [Value] extends [number | null]
    ? 'integer' | 'bigint'
    : [Value] extends [boolean | null]
      ? 'boolean'
      : 'json'

interface StoredFields<Fields> {
  /** The SQL type of each field's column, by the field's name. */
  fieldTypes: Readonly<Record<string, string>>
  /** The SQL type of each column, for parameters whose type cannot be inferred. */
  types: Record<keyof StoredColumns<Fields>, string>
  /** The column values for these fields. */
  columnsOf(values: Fields): Insertable<StoredColumns<Fields>>
  /** Only these fields of an object that may have others. */
  valuesOf(resource: Fields): Fields
  /** The fields as they are stored in the row with this alias. */
  readFrom(alias: string): { readonly [Field in keyof Fields]-?: RawBuilder<Fields[Field]> }
}

/**
 * Maps each field of a schema to the SQL type of its column. A field added to the contract does not
 * compile until it is mapped.
 */
export function storedFields<Fields extends object>(map: {
  readonly [Field in keyof Fields]-?: SqlType<Fields[Field]>
}): StoredFields<Fields> {
  const fields = Object.entries<string>(map).map(([field, type]) => {
    const column = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    return { field: field as keyof Fields, column, type }
  })
  return {
    fieldTypes: map,
    types: Object.fromEntries(fields.map(({ column, type }) => [column, type])),
    columnsOf(values) {
      const row: Record<string, unknown> = {}
      for (const { field, column, type } of fields)
        row[column] = type === 'json' ? JSON.stringify(values[field]) : values[field]
      return row as Insertable<StoredColumns<Fields>>
    },
    valuesOf: (resource) =>
      Object.fromEntries(fields.map(({ field }) => [field, resource[field]])) as Fields,
    readFrom: (alias) =>
      Object.fromEntries(
        fields.map(({ field, column }) => [field, sql.ref(`${alias}.${column}`)]),
      ) as unknown as ReturnType<StoredFields<Fields>['readFrom']>,
  }
}
