import { type Call, type Parameter, resolve, type Schema } from './operations.ts'

type Fields = Record<string, Schema>

interface Limits {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  minLength?: number
  maxLength?: number
  pattern?: string
  format?: string
  minimum?: number
  maximum?: number
  items?: Schema
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  properties?: Fields
  required?: string[]
  additionalProperties?: boolean | Schema
  minProperties?: number
  maxProperties?: number
  propertyNames?: Schema
}

const tested = new Set([
  'type',
  'enum',
  'const',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minimum',
  'maximum',
  'items',
  'minItems',
  'maxItems',
  'uniqueItems',
  'properties',
  'required',
  'additionalProperties',
  'minProperties',
  'maxProperties',
  'propertyNames',
])
const saysNothing = new Set(['title', 'description', 'default', 'examples', 'contentEncoding'])

const known = new WeakMap<Schema, Limits>()

/**
 * A resolved schema, or the first of those to choose from, which takes the longest values. Throws on a
 * keyword that these tests do not cover.
 */
export function limitsOf(schema: Schema): Limits {
  const limits = known.get(schema) ?? readLimits(schema)
  known.set(schema, limits)
  return limits
}

function readLimits(schema: Schema): Limits {
  const { anyOf, ...own } = resolve<Schema & { anyOf?: Schema[] }>(schema)
  const limits = anyOf?.[0] ? resolve<Schema>(anyOf[0]) : own
  const unknown = Object.keys(limits).filter((name) => !tested.has(name) && !saysNothing.has(name))
  if (unknown.length > 0) throw new Error(`The limits tests know no ${unknown.join(', ')}.`)
  return limits as Limits
}

let counter = 0

/** For each pattern of the contract, a matching text of a given length. */
const forms: Record<string, (length: number) => string> = {
  '^\\+[1-9][0-9]{6,14}$': (length) => '+'.padEnd(length, '5'),
  '^[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$': (length) =>
    'x' +
    (counter++)
      .toString(36)
      .padStart(length, '0')
      .slice(1 - length),
  '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$': (length) => 'abcdefgh-'.repeat(8).slice(0, length),
  '^[0-9]{6}$': (length) => '1'.repeat(length),
  '^[0-9]{1,4}$': (length) => '1'.repeat(length),
  '^#[0-9a-fA-F]{6}$': (length) => '#'.padEnd(length, 'a'),
  '^[^\\x00-\\x1f!-,./:-@\\[-`{-\\x9f]+$': (length) =>
    length > 0 ? '𝒜' + 'a'.repeat(length - 1) : '',
  '^[^\\x00-\\x1f\\x7f-\\x9f]*$': textOf,
  '^https://[^\\s]+$': (length) => 'https://x.example/'.padEnd(length, 'a'),
  '^https?://[^\\s/?#@]+$': (length) => 'https://x.'.padEnd(length, 'a'),
  '^https?://[^\\s]+$': (length) => 'https://x.example/'.padEnd(length, 'a'),
  '^[^\\s/:?#@]+$': (length) => 'a.'.repeat((length - 2) / 2) + (length % 2 === 0 ? 'de' : 'org'),
  '^[\\x21-\\x7e]+$': (length) => 'k'.repeat(length),
  '^(data:image/(jpeg|png|webp|gif|avif);base64,)?[A-Za-z0-9+/]{2}': (length) => 'A'.repeat(length),
  // Reports start within 400 days of today: yesterday, in any time zone.
  '^2[0-9]{3}-[0-9]{2}-[0-9]{2}$': (length) =>
    new Date(Date.now() - 24 * 3600_000).toISOString().slice(0, 10).padEnd(length, '0'),
  '^2[0-9]{3}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,3})?Z$': (length) =>
    new Date().toISOString().padEnd(length, '0'),
}

const formats: Record<string, (length: number) => string> = { email: addressOf, password: textOf }

/** A text of this many code points, one more in UTF-16: limits count code points. */
function textOf(length: number): string {
  return length > 0 ? '😀' + 'x'.repeat(length - 1) : ''
}

/** A new email address of exactly this length, with labels within the DNS limit. */
function addressOf(length: number): string {
  if (length < 20) return 'nobody@example.com'.slice(-length)
  const local = `a${(counter++).toString(36)}`
  if (length <= 80) return `${local.padEnd(length - 12, 'a')}@example.com`
  const labels: string[] = []
  for (let rest = length - 69; rest > 0; rest -= labels.at(-1)!.length + 1)
    labels.push('a'.repeat(rest === 64 ? 62 : Math.min(rest, 63)))
  return `${local.padEnd(64, 'a')}@${labels.join('.')}.com`
}

function stringOf({ pattern, format }: Limits, length: number): string {
  const make = pattern !== undefined ? forms[pattern] : format ? formats[format] : textOf
  if (!make) throw new Error(`Add a text that has the form ${pattern ?? format}.`)
  return make(length)
}

/** A text within the length bounds that does not match the pattern. */
function misfit({ pattern = '', minLength = 1, maxLength = 1 }: Limits): string {
  const candidates = ['!', 'a', 'é', ' ', '\u0007'].map((letter) =>
    letter.repeat(Math.max(minLength, 1)),
  )
  const form = new RegExp(pattern, 'u')
  const mismatch = candidates.find((text) => text.length <= maxLength && !form.test(text))
  if (mismatch === undefined) throw new Error(`Every candidate has the form ${pattern}.`)
  return mismatch
}

function typesOf({ type = [] }: Limits): string[] {
  return typeof type === 'string' ? [type] : type
}

/** A list of this many items, distinct where possible. */
function listOf({ items = {} }: Limits, length: number): unknown[] {
  const item = limitsOf(items)
  const shortest = item.pattern === undefined ? 1 : 20
  return Array.from({ length }, (_none, index) => {
    if (item.enum) return item.enum[index % item.enum.length]
    if (!item.maxLength) return sampleOf(items)
    // Distinct by length or, in a list of more items than lengths, by number.
    return length < item.maxLength ? stringOf(item, shortest + index) : `x${index}`
  })
}

/** A valid value of the schema, with every field. */
export function sampleOf(schema: Schema): unknown {
  const limits = limitsOf(schema)
  if (limits.const !== undefined) return limits.const
  if (limits.enum) return limits.enum[0]
  const [type = 'nothing'] = typesOf(limits)
  const make = samples[type]
  if (!make) throw new Error(`There is no sample of ${type}.`)
  return make(limits)
}

const samples: Record<string, (limits: Limits) => unknown> = {
  string: (limits) => {
    const { pattern, format, minLength = 1, maxLength = 1 } = limits
    // Some patterns need a few characters, but none the megabytes of a picture.
    const enough = Math.max(minLength, Math.min(maxLength, 30))
    return stringOf(limits, pattern || format === 'email' ? enough : minLength || 1)
  },
  integer: ({ minimum = 0 }) => minimum,
  number: ({ minimum = 0 }) => minimum,
  boolean: () => true,
  array: (limits) => listOf(limits, Math.max(limits.minItems ?? 0, 1)),
  object: (limits) =>
    Object.fromEntries(fieldsOf(limits).map(([name, field]) => [name, sampleOf(field)])),
}

/** The fields of an object; a map gets one sample field. */
function fieldsOf({ properties = {}, additionalProperties: map }: Limits): [string, Schema][] {
  return Object.entries(typeof map === 'object' ? { ...properties, mapped: map } : properties)
}

/** Marks an omitted field. */
const absent = Symbol('absent')

/** One value of one field. */
export interface Edge {
  at: string[]
  what: string
  value: unknown
}

/** Spaces, zero-width and bidi controls, fillers: a name of these shows nothing. */
const blanks = [' ', '\u00a0', '\u200b', '\u202e', '\u2800', '\u3164']

/** Every value just past one limit of a schema. Parameters have no types on the wire. */
export function pastLimits(schema: Schema, at: string[], onWire = false): Edge[] {
  const limits = limitsOf(schema)
  const { minLength = 0, maxLength, minimum, maximum, minItems = 0, maxItems, enum: list } = limits
  const edges: Edge[] = []
  const past = (what: string, value: unknown, where = at) => edges.push({ at: where, what, value })

  for (const value of otherTypes(limits, onWire)) past(`being ${JSON.stringify(value)}`, value)
  if (list) past('being none of its values', 'NO_SUCH_VALUE')
  if (minLength > 0) past('being too short', stringOf(limits, minLength - 1))
  if (minLength > 0 && !onWire)
    for (const blank of blanks)
      past(`being ${encodeURIComponent(blank)} alone`, blank.repeat(minLength))
  if (maxLength !== undefined) past('being too long', stringOf(limits, maxLength + 1))
  if (limits.pattern !== undefined) past('not having its form', misfit(limits))
  if (limits.format === 'email') past('not being an address', 'nobody')
  if (minimum !== undefined) past('being too small', minimum - 1)
  if (maximum !== undefined) past('being too large', maximum + 1)
  if (minItems > 0) past('having too few items', listOf(limits, minItems - 1))
  if (maxItems !== undefined) past('having too many items', listOf(limits, maxItems + 1))
  if (limits.uniqueItems) past('repeating an item', [...listOf(limits, 1), ...listOf(limits, 1)])
  // On the wire a list is one text, and its errors are the parameter's.
  // A value of any type is given as a text, which holds nothing.
  const holds = typesOf(limits).length <= 2
  if (limits.items && holds)
    edges.push(...pastLimits(limits.items, onWire ? at : [...at, '0'], onWire))
  if (limits.minProperties) past('having too few fields', {})
  if (limits.maxProperties !== undefined)
    past('having too many fields', mapOf(limits, limits.maxProperties + 1))
  if (limits.propertyNames) {
    const { maxLength: longest = 0 } = limitsOf(limits.propertyNames)
    past('having a name that is too long', { ['n'.repeat(longest + 1)]: true })
    past('having a name that is empty', { '': true })
  }
  if (limits.additionalProperties === false) past('being unknown', 'x', [...at, 'unknownField'])
  for (const name of limits.required ?? []) past('being left out', absent, [...at, name])
  if (holds)
    for (const [name, field] of fieldsOf(limits)) edges.push(...pastLimits(field, [...at, name]))
  return edges
}

function otherTypes(limits: Limits, onWire: boolean): unknown[] {
  const types = typesOf(limits)
  if (onWire) return types[0] === 'integer' ? ['x', '', '1.5', '1e1'] : []
  const values: [unknown, string[]][] = [
    ['x', ['string']],
    [1.5, ['number']],
    [true, ['boolean']],
    [[], ['array']],
    [{}, ['object']],
    [null, ['null']],
  ]
  return values.filter(([, of]) => !of.some((type) => types.includes(type))).map(([value]) => value)
}

function mapOf({ additionalProperties: map }: Limits, size: number): unknown {
  const names = Array.from({ length: size }, (_none, index) => `name${index}`)
  return Object.fromEntries(names.map((name) => [name, sampleOf(map as Schema)]))
}

/** Every value just within a limit of a schema. */
export function atLimits(schema: Schema, at: string[]): Edge[] {
  const limits = limitsOf(schema)
  const { minLength, maxLength, minimum, maximum, minItems, maxItems, enum: list } = limits
  const edges: Edge[] = []
  const within = (what: string, value: unknown) => edges.push({ at, what, value })

  for (const value of list ?? []) within(`being ${String(value)}`, value)
  if (typesOf(limits).includes('null')) within('being null', null)
  if (typesOf(limits).includes('boolean')) [true, false].map((b) => within(`being ${b}`, b))
  // An address of three characters has no room for the required dot.
  if (minLength !== undefined && limits.format !== 'email')
    within(`having ${minLength} characters`, stringOf(limits, minLength))
  if (maxLength !== undefined) within(`having ${maxLength} characters`, stringOf(limits, maxLength))
  if (minimum !== undefined) within(`being ${minimum}`, minimum)
  if (maximum !== undefined) within(`being ${maximum}`, maximum)
  if (minItems !== undefined) within(`having ${minItems} items`, listOf(limits, minItems))
  if (maxItems !== undefined) within(`having ${maxItems} items`, listOf(limits, maxItems))
  if (limits.maxProperties !== undefined)
    within(`having ${limits.maxProperties} fields`, mapOf(limits, limits.maxProperties))
  // As above.
  if (typesOf(limits).length > 2) return edges
  for (const { at: inner, what, value } of limits.items ? atLimits(limits.items, []) : [])
    within(`with an item ${what}`, [
      withValue(sampleOf(limits.items!), inner, value),
      ...listOf(limits, minItems ?? 0).slice(1),
    ])
  for (const [name, field] of fieldsOf(limits)) edges.push(...atLimits(field, [...at, name]))
  return edges
}

/** A copy of a body with one value changed. */
export function withValue(body: unknown, [name, ...rest]: string[], value: unknown): unknown {
  if (name === undefined) return value
  const copy = Array.isArray(body) ? [...(body as unknown[])] : { ...(body as object) }
  const fields = copy as Record<string, unknown>
  const inner = fields[name] ?? (/^\d+$/.test(rest[0] ?? '') ? [] : {})
  if (value === absent && rest.length === 0) delete fields[name]
  else fields[name] = rest.length === 0 ? value : withValue(inner, rest, value)
  return copy
}

/** Parameters are ASCII in a header, and percent-encoded in a path. */
function wireText({ in: place }: Parameter, value: unknown): string {
  const text = String(value)
  if (place === 'header') return text.replace('😀', 'x')
  return place === 'path' ? encodeURIComponent(text) : text
}

export function withParameter(call: Call, parameter: Parameter, value: unknown): Call {
  const part = ({ path: 'path', query: 'query', header: 'headers' } as const)[parameter.in]
  return { ...call, [part]: { ...call[part], [parameter.name]: wireText(parameter, value) } }
}
