import type { Schema } from '../document.ts'
import { isSame, type Pair } from './pairs.ts'

/** Formats that describe bytes or secrets and refuse no value. */
const unchecked = new Set<unknown>(['binary', 'byte', 'password'])

const upperBounds = [
  'maxLength',
  'maximum',
  'exclusiveMaximum',
  'maxItems',
  'maxProperties',
] as const
const lowerBounds = [
  'minLength',
  'minimum',
  'exclusiveMinimum',
  'minItems',
  'minProperties',
] as const

const counts = new Set<string>(['minLength', 'minItems', 'minProperties'])
const rules = ['pattern', 'format', 'multipleOf', 'uniqueItems']

/** Keywords that are too rare to be understood: any change of them counts. */
const conditions = [
  'not',
  'if',
  'then',
  'else',
  'contains',
  'prefixItems',
  'propertyNames',
  'patternProperties',
  'dependentRequired',
  'dependentSchemas',
]

function valuesOf({ enum: values, const: only }: Schema): unknown[] | undefined {
  if (only !== undefined) return [only]
  return Array.isArray(values) ? values : undefined
}

/** Breaks of an enum or a constant. */
export function valueBreaks({ narrow, wide, place, direction }: Pair): string[] {
  const [listed, allowed] = [valuesOf(narrow.schema), valuesOf(wide.schema)]
  if (allowed === undefined) return []
  if (listed === undefined)
    return [
      direction === 'request'
        ? `${place}: takes listed values alone`
        : `${place}: is no longer one of its listed values`,
    ]
  // Clients are told to expect new values in answers.
  if (direction === 'answer') return []
  const missing = listed.filter((value) => !allowed.some((other) => isSame(value, other)))
  return missing.map((value) => `${place}: no longer takes ${JSON.stringify(value)}`)
}

/** Keywords by which the wide side refuses values of the narrow one. */
export function boundBreaks({ narrow, wide, place, direction }: Pair): string[] {
  const [few, many] = [narrow.schema, wide.schema]
  if (valuesOf(few) !== undefined) return []
  const number = (schema: Schema, keyword: string) =>
    typeof schema[keyword] === 'number' ? schema[keyword] : undefined
  const tooHigh = upperBounds.filter((keyword) => {
    const limit = number(many, keyword)
    return limit !== undefined && (number(few, keyword) ?? Infinity) > limit
  })
  const tooLow = lowerBounds.filter((keyword) => {
    const limit = number(many, keyword)
    const none = counts.has(keyword) ? 0 : -Infinity
    return limit !== undefined && (number(few, keyword) ?? none) < limit
  })
  // Whether one pattern takes what another takes cannot be told, so every change counts.
  const others = [...rules, ...conditions].filter((keyword) => {
    const value = many[keyword]
    const holds = value !== undefined && value !== false && !unchecked.has(value)
    return holds && !isSame(value, few[keyword])
  })
  const word = direction === 'request' ? 'narrower' : 'wider'
  return [
    ...[...tooHigh, ...tooLow].map((keyword) => `${place}: has a ${word} ${keyword}`),
    ...others.map((keyword) => `${place}: has another ${keyword}`),
  ]
}
