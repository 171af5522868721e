import { isNode } from './document.ts'

/** A constant with one row per line; without a type it has that of its literal. */
export function table(name: string, rows: readonly string[], type?: string): string {
  const fields = rows.map((row) => `  ${row},\n`).join('')
  if (type !== undefined) return `export const ${name}: ${type} = {\n${fields}}`
  return `export const ${name} = {\n${fields}} as const`
}

/** A value as TypeScript, with single quotes. */
export function literal(value: unknown): string {
  if (typeof value === 'string') {
    const text = JSON.stringify(value)
    return /['\\]/.test(text) ? text : `'${text.slice(1, -1)}'`
  }
  if (!isNode(value)) return JSON.stringify(value)
  const fields = Object.entries(value).map(([key, field]) => `${keyOf(key)}: ${literal(field)}`)
  return `{ ${fields.join(', ')} }`
}

/** An object key, quoted only if necessary. */
export function keyOf(key: string): string {
  return /^[A-Za-z_]\w*$/.test(key) ? key : literal(key)
}
