import { follow, isNode, type Node, type OpenApiDocument, type Schema } from '../document.ts'
import { oneLine } from './page.ts'

/** A line of a table of fields. */
interface FieldLine {
  readonly path: string
  readonly schema: Schema
  readonly required: boolean
  readonly description: string
}

/** The fields of an object as a table, those of its parts included; empty for what is no object. */
export function fieldTable(document: OpenApiDocument, schema: Schema, depth: number): string {
  const rows = fieldsOf(document, schema, '', depth).map(
    ({ path, schema: own, required, description }) =>
      `| \`${path}\`${required ? '' : ' (optional)'} | ${typeOf(document, own)} | ${cell(description)} |`,
  )
  return rows.length === 0
    ? ''
    : ['| Field | Value | Meaning |', '| --- | --- | --- |', ...rows].join('\n')
}

function fieldsOf(
  document: OpenApiDocument,
  written: Schema,
  at: string,
  depth: number,
): FieldLine[] {
  const fields = membersOf(document, written).map(([name, field, required]): FieldLine => {
    const { description } = valueOf(document, field)
    const said = (field['description'] ?? description ?? '') as string
    return { path: `${at}${name}`, schema: field, required, description: said }
  })
  if (depth <= 1) return fields
  return fields.flatMap((field) => {
    const inner = itemsIn(document, field.schema)
    return [field, ...fieldsOf(document, inner.schema, `${field.path}${inner.mark}.`, depth - 1)]
  })
}

/** What a field is a list of, or the field itself. */
function itemsIn(document: OpenApiDocument, written: Schema): { schema: Schema; mark: string } {
  const { items } = valueOf(document, written)
  return isNode(items) ? { schema: items, mark: '[]' } : { schema: written, mark: '' }
}

/** The members of an object; of one that has several forms, those of all of them. */
function membersOf(
  document: OpenApiDocument,
  written: Schema,
): [name: string, schema: Schema, required: boolean][] {
  const schema = valueOf(document, written)
  const { properties, required = [] } = schema as { properties?: Node; required?: string[] }
  if (isNode(properties))
    return Object.entries(properties).map(([name, field]) => [
      name,
      field as Schema,
      required.includes(name),
    ])
  const forms = formsOf(schema).flatMap((form) => membersOf(document, form))
  return [...new Map(forms.map((member) => [member[0], member])).values()]
}

const formsOf = (schema: Schema) =>
  [schema['anyOf'], schema['oneOf'], schema['allOf']].flatMap((forms) =>
    Array.isArray(forms) ? (forms as Schema[]) : [],
  )

const valueOf = (document: OpenApiDocument, written: Schema): Schema =>
  follow<Schema>(document, [], written).value

/** A type in words, with its limits. */
export function typeOf(document: OpenApiDocument, written: Schema): string {
  const schema = { ...valueOf(document, written), ...('$ref' in written ? {} : written) }
  const { type, items, enum: values, const: only } = schema
  const forms = formsOf(schema)
  if (forms.length > 0 && type === undefined)
    return [...new Set(forms.map((form) => typeOf(document, form)))].join(' or ')
  if (Array.isArray(values)) return values.map((value) => `\`${String(value)}\``).join(', ')
  if (only !== undefined) return `\`${JSON.stringify(only)}\``
  const words = [type ?? 'object'].flat().map(String).join(' or ')
  const limits = limitsOf(schema)
  const more = limits.length > 0 ? `, ${limits.join(', ')}` : ''
  return isNode(items) ? `list of ${typeOf(document, items)}${more}` : `${words}${more}`
}

function limitsOf(schema: Schema): string[] {
  const { format, pattern, default: usual } = schema
  const range = (least: string, most: string, unit: string) => {
    const [from, to] = [schema[least], schema[most]] as (number | undefined)[]
    if (from !== undefined && to !== undefined) return [`${from} to ${to}${unit}`]
    if (to !== undefined) return [`at most ${to}${unit}`]
    return from === undefined ? [] : [`at least ${from}${unit}`]
  }
  return [
    ...(typeof format === 'string' ? [format] : []),
    ...range('minLength', 'maxLength', ' characters'),
    ...range('minimum', 'maximum', ''),
    ...range('minItems', 'maxItems', ' items'),
    ...(typeof pattern === 'string' ? [`as \`${cell(pattern)}\``] : []),
    ...(usual === undefined ? [] : [`default \`${JSON.stringify(usual)}\``]),
  ]
}

export const cell = (text: string) => oneLine(text).replaceAll('|', '\\|')
