import { isNode, type Node, pathOf, type Schema, valueAt } from '../document.ts'
import { typesOf } from '../schemas.ts'
import { boundBreaks, valueBreaks } from './bounds.ts'
import { type Direction, isSame, type Pair, type Side } from './pairs.ts'

export type CompareSchemas = (
  before: Side,
  after: Side,
  place: string,
  direction: Direction,
) => string[]

/**
 * Compares schemas by the values they allow: a value that a client could send must still be taken,
 * and a value that it may get must be one that it had to expect. Only enum values of answers may
 * grow, by the policy of the contract.
 *
 * A schema that has the same name on both sides is compared once, and its breaks are named after it.
 */
export function schemaComparison(): CompareSchemas {
  const compared = new Map<string, string[]>()

  const compare: CompareSchemas = (before, after, place, direction) => {
    const [old, now] = [nameOf(before.schema), nameOf(after.schema)]
    const isNamed = old !== undefined && now !== undefined
    const here = isNamed && old === now ? `${direction} ${old}` : place
    const key = `${direction} ${old} ${now} ${here}`
    const known = isNamed ? compared.get(key) : undefined
    if (known !== undefined) return known
    // Stands while the schema is compared, so that one that contains itself comes to an end.
    compared.set(key, [])
    const [from, to] = [resolved(before), resolved(after)]
    const pair = direction === 'request' ? { narrow: from, wide: to } : { narrow: to, wide: from }
    const breaks = [
      ...defaultBreaks(from.schema, to.schema, here, direction),
      ...withinAlternatives({ ...pair, place: here, direction }, compare),
    ]
    compared.set(key, breaks)
    return breaks
  }
  return compare
}

function nameOf({ $ref }: Schema): string | undefined {
  return typeof $ref === 'string' ? pathOf($ref)?.at(-1) : undefined
}

/** The schema without a reference or `allOf` at its root; keywords beside them win. */
function resolved({ document, schema }: Side): Side {
  const { $ref, allOf, ...own } = schema
  const parts = [
    ...(typeof $ref === 'string' ? [valueAt(document, pathOf($ref) ?? [])] : []),
    ...(Array.isArray(allOf) ? (allOf as unknown[]) : []),
  ].filter(isNode)
  if (parts.length === 0) return { document, schema }
  const whole = parts
    .map((part) => resolved({ document, schema: part }).schema)
    .reduce((all, part) => joined(all, part), {})
  return { document, schema: joined(whole, own) }
}

function joined(one: Schema, other: Schema): Schema {
  const both = { ...one, ...other }
  if (isNode(one.properties) && isNode(other.properties))
    both.properties = { ...one.properties, ...other.properties }
  if (Array.isArray(one.required) && Array.isArray(other.required))
    both.required = [...new Set([...namesIn(one.required), ...namesIn(other.required)])]
  return both
}

function defaultBreaks(from: Schema, to: Schema, place: string, direction: Direction): string[] {
  const changed = from.default !== undefined && !isSame(from.default, to.default)
  return direction === 'request' && changed ? [`${place}: has another default`] : []
}

/** One schema for each type and branch that a schema allows. */
function alternativesOf(side: Side): Side[] {
  const { document, schema } = side
  const { anyOf, oneOf, ...rest } = schema
  const branches = [anyOf, oneOf].find((list) => Array.isArray(list)) as Schema[] | undefined
  if (branches !== undefined)
    return branches.flatMap((branch) => {
      const { schema: whole } = resolved({ document, schema: branch })
      return alternativesOf({ document, schema: joined(rest, whole) })
    })
  const types = typesOf(schema)
  if (types.length < 2) return [side]
  return types.map((type) => ({ document, schema: { ...schema, type } }))
}

/** Every alternative on the narrow side needs one on the wide side that covers it. */
function withinAlternatives(pair: Pair, compare: CompareSchemas): string[] {
  const wide = alternativesOf(pair.wide)
  return alternativesOf(pair.narrow).flatMap((narrow) => {
    const ofType = wide.filter((other) => takesType(other.schema, narrow.schema))
    if (ofType.length === 0) return [typeBreak(pair, narrow.schema)]
    const tries = ofType.map((other) => within({ ...pair, narrow, wide: other }, compare))
    return tries.reduce((best, each) => (each.length < best.length ? each : best))
  })
}

function takesType(wide: Schema, narrow: Schema): boolean {
  const [type] = typesOf(wide)
  const [wanted] = typesOf(narrow)
  return type === undefined || type === wanted || (type === 'number' && wanted === 'integer')
}

function typeBreak({ place, direction }: Pair, narrow: Schema): string {
  const types = typesOf(narrow)
  const kind = types.length === 0 ? 'any type' : `the type ${types.join()}`
  return direction === 'request'
    ? `${place}: no longer takes ${kind}`
    : `${place}: may now be of ${kind}`
}

/** The breaks of two schemas of one type. */
function within(pair: Pair, compare: CompareSchemas): string[] {
  const isObject = [pair.narrow, pair.wide].some(
    ({ schema }) => isNode(schema.properties) || typesOf(schema).includes('object'),
  )
  return [
    ...valueBreaks(pair),
    ...boundBreaks(pair),
    ...itemBreaks(pair, compare),
    ...(isObject ? fieldBreaks(pair, compare) : []),
  ]
}

function itemBreaks(pair: Pair, compare: CompareSchemas): string[] {
  const { narrow, wide, place } = pair
  if (!isNode(wide.schema.items)) return []
  return inner(pair, narrow.schema.items, wide.schema.items, `${place}[]`, compare)
}

/** Compares parts of the pair; a missing schema allows everything. */
function inner(
  { narrow, wide, direction }: Pair,
  narrowPart: unknown,
  widePart: unknown,
  place: string,
  compare: CompareSchemas,
): string[] {
  const few = { document: narrow.document, schema: isNode(narrowPart) ? narrowPart : {} }
  const many = { document: wide.document, schema: isNode(widePart) ? widePart : {} }
  return direction === 'request'
    ? compare(few, many, place, direction)
    : compare(many, few, place, direction)
}

function fieldBreaks(pair: Pair, compare: CompareSchemas): string[] {
  const { place, direction } = pair
  const [narrow, wide] = [pair.narrow.schema, pair.wide.schema]
  const [few, many] = [propertiesOf(narrow), propertiesOf(wide)]
  const shared = Object.keys(few).filter((name) => name in many)
  const within = shared.flatMap((name) =>
    inner(pair, few[name], many[name], `${place}.${name}`, compare),
  )
  const only = (names: string[], others: Node) => names.filter((name) => !(name in others))
  const required = namesIn(wide.required).filter((name) => !namesIn(narrow.required).includes(name))
  if (direction === 'request')
    return [
      ...within,
      ...listed(place, 'no longer has', only(Object.keys(few), many)),
      ...listed(place, 'now requires', required),
      ...opennessBreaks(pair, 'is closed now', compare),
    ]
  // Where today's answer is open, the opening itself is the break.
  const gained = isClosed(wide) && isClosed(narrow) ? only(Object.keys(few), many) : []
  const kept = required.filter((name) => name in few)
  return [
    ...within,
    ...listed(place, 'no longer has', only(Object.keys(many), few)),
    ...listed(place, 'may lack', kept),
    ...listed(place, 'is closed and gains', gained),
    ...opennessBreaks(pair, 'is open now', compare),
  ]
}

function listed(place: string, change: string, names: string[]): string[] {
  return names.length === 0 ? [] : [`${place}: ${change} ${names.join(', ')}`]
}

/** What the fields without a name on either side may be. */
function opennessBreaks(pair: Pair, change: string, compare: CompareSchemas): string[] {
  const { place } = pair
  const [narrow, wide] = [pair.narrow.schema, pair.wide.schema]
  if (isClosed(wide)) return isClosed(narrow) ? [] : [`${place}: ${change}`]
  if (!isNode(wide.additionalProperties) || isClosed(narrow)) return []
  const [few, many] = [narrow.additionalProperties, wide.additionalProperties]
  return inner(pair, few, many, `${place}.*`, compare)
}

export function isClosed(schema: Schema): boolean {
  return schema.additionalProperties === false || schema.unevaluatedProperties === false
}

function propertiesOf({ properties }: Schema): Node {
  return isNode(properties) ? properties : {}
}

function namesIn(list: unknown): string[] {
  return Array.isArray(list) ? list.map(String) : []
}
