import fc from 'fast-check'
import type { Contract, Schema } from './document.ts'

/*
 * Values that fit a schema, and values that just do not. Random ones are short: limits have checks of
 * their own.
 */

const longest = 40
const mostItems = 3

/** Values that the schema allows; ids and other names of things that exist are not known here. */
export function fitting(contract: Contract, written: Schema, depth = 0): fc.Arbitrary<unknown> {
  const schema = contract.resolve(written)
  if (schema['const'] !== undefined) return fc.constant(schema['const'])
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as unknown[]))
  for (const keyword of ['anyOf', 'oneOf']) {
    const branches = schema[keyword]
    if (Array.isArray(branches))
      return fc.oneof(...branches.map((branch) => fitting(contract, branch as Schema, depth + 1)))
  }
  const types = [schema['type'] ?? 'object'].flat() as string[]
  return fc.oneof(...types.map((type) => fittingType(contract, schema, type, depth)))
}

function fittingType(
  contract: Contract,
  schema: Schema,
  type: string,
  depth: number,
): fc.Arbitrary<unknown> {
  const bound = (name: string, otherwise: number) =>
    (schema[name] as number | undefined) ?? otherwise
  switch (type) {
    case 'string':
      return fittingText(schema)
    case 'integer':
      return fc.integer({
        min: bound('minimum', -1000),
        max: Math.min(bound('maximum', 1000), bound('minimum', -1000) + 2000),
      })
    case 'number':
      return fc.double({ min: bound('minimum', -1000), max: bound('maximum', 1000), noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array': {
      const items = fitting(contract, (schema['items'] ?? {}) as Schema, depth + 1)
      const minLength = bound('minItems', 0)
      const maxLength = Math.max(minLength, Math.min(bound('maxItems', mostItems), mostItems))
      return schema['uniqueItems'] === true
        ? fc.uniqueArray(items, { minLength, maxLength, selector: (item) => JSON.stringify(item) })
        : fc.array(items, { minLength, maxLength })
    }
    default: {
      const properties = (schema['properties'] ?? {}) as Record<string, Schema>
      const required = (schema['required'] ?? []) as string[]
      const fields = Object.entries(properties)
        .filter(([name]) => depth < 4 || required.includes(name))
        .map(([name, field]) => [name, fitting(contract, field, depth + 1)] as const)
      return fc.record(Object.fromEntries(fields), { requiredKeys: required as never[] })
    }
  }
}

const samples: Record<string, fc.Arbitrary<string>> = {
  email: fc.integer({ min: 0, max: 999_999 }).map((number) => `contract-${number}@example.com`),
  date: fc.constantFrom('2026-01-05', '2025-12-31'),
  'date-time': fc.constantFrom('2026-01-05T09:30:00.000Z'),
  uri: fc.constant('https://shop.example/page'),
}

function fittingText(schema: Schema): fc.Arbitrary<string> {
  const { format, pattern } = schema as { format?: string; pattern?: string }
  const min = (schema['minLength'] as number | undefined) ?? 0
  const max = Math.max(
    min,
    Math.min((schema['maxLength'] as number | undefined) ?? longest, longest),
  )
  const fits = (text: string) => [...text].length >= min && [...text].length <= max
  if (format !== undefined && samples[format]) return samples[format].filter(fits)
  if (pattern !== undefined)
    return fc.stringMatching(new RegExp(pattern, 'u'), { maxLength: max }).filter(fits)
  return fc.string({ minLength: min, maxLength: max, unit: 'grapheme' }).filter(fits)
}

/** Values of every other kind than the field's: all of them must be refused, and none may do harm. */
export const strange = fc.oneof(
  fc.constantFrom(null, true, -1, 1.5, 1e21, '', ' ', '\u0000', '\ud800', '💚'.repeat(30), [], {}),
  fc.constantFrom("'; drop table products; --", '../../etc/passwd', '{{7*7}}', '<script>', '%00'),
  fc.constant([[[[[[]]]]]]),
  fc.constant({ $ref: '#', __proto__: null, constructor: 1 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
)

/** A body that fits but for one member, which is strange, missing or unknown. */
export function mutated(body: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .tuple(body, strange, fc.nat(), fc.constantFrom('replace', 'remove', 'add', 'whole'))
    .map(([value, odd, index, way]) => {
      if (way === 'whole' || typeof value !== 'object' || value === null) return odd
      const names = Object.keys(value)
      const name = names[index % Math.max(1, names.length)] ?? 'unknownField'
      if (way === 'add') return { ...value, unknownField: odd }
      const rest = Object.fromEntries(Object.entries(value).filter(([each]) => each !== name))
      return way === 'remove' ? rest : { ...rest, [name]: odd }
    })
}

/** A value at a limit of a field, or the first one past it. */
export interface Edge {
  isInside: boolean
  /** The size that is tried. */
  what: number
  value: unknown
}

/** Longer texts than this are not sent: they would cost more than they tell. */
const longestTried = 20_000

/** The limits of a field, as far as a value of any size can be made for it. */
export function edgesOf(contract: Contract, written: Schema): Edge[] {
  const schema = contract.resolve(written)
  const types = [schema['type']].flat()
  const limit = (name: string) => schema[name] as number | undefined
  const edge = (what: number | undefined, isInside: boolean, make: (size: number) => unknown) =>
    what === undefined || what > 2 ** 52 ? [] : [{ isInside, what, value: make(what) }]
  const past = (name: string, step: number) => {
    const value = limit(name)
    return value === undefined ? undefined : value + step
  }
  if (types.includes('integer')) {
    const same = (size: number) => size
    return [
      ...edge(limit('maximum'), true, same),
      ...edge(past('maximum', 1), false, same),
      ...edge(limit('minimum'), true, same),
      ...edge(past('minimum', -1), false, same),
    ]
  }
  const { pattern, format, contentEncoding, enum: values } = schema as Record<string, unknown>
  const isPlain = [pattern, format, contentEncoding, values].every((each) => each === undefined)
  const { maxLength = longestTried, minLength = 0 } = schema as Record<string, number>
  if (!types.includes('string') || !isPlain || maxLength >= longestTried) return []
  return [
    ...edge(maxLength, true, uniqueText),
    ...edge(maxLength + 1, false, uniqueText),
    ...(minLength > 0 ? edge(minLength - 1, false, uniqueText) : []),
  ]
}

let texts = 0

/** Another text each time, because some must be unique. */
function uniqueText(size: number): string {
  const start = `c${Date.now().toString(36)}${(texts++).toString(36)}`
  return start.padEnd(size, 'x').slice(0, size)
}
