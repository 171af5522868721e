import type { ErrorObject } from 'ajv/dist/2020.js'
import { ApiError, invalidInput } from '../../core/errors.ts'
import { showsNothing } from '../../core/text.ts'
import type { FieldErrors, Reason, RefusalKey } from '../../texts/refusals.ts'

export const maxFieldErrors = 100

/** An oversized binary field is answered like an oversized body: payload too large. */
export function refusalOf(errors: ErrorObject[]): ApiError {
  const fieldErrors = fieldErrorsOf(errors)
  const tooLarge = errors.some(({ keyword, parentSchema }) => {
    return keyword === 'maxLength' && parentSchema?.contentEncoding === 'base64'
  })
  if (!tooLarge) return invalidInput(fieldErrors)
  return new ApiError('payload_too_large', 'tooManyBytes', fieldErrors)
}

export function requireNone(errors: ErrorObject[]): void {
  if (errors.length > 0) throw refusalOf(errors)
}

/** Validation errors as reasons, keyed by field path. */
export function fieldErrorsOf(errors: ErrorObject[]): FieldErrors {
  // A map, because a field may be named `constructor` or `__proto__`.
  const reasons = new Map<string, Reason>()
  // Bounded, or a hostile body could demand an answer of megabytes.
  for (const error of errors.slice(0, maxFieldErrors)) {
    if (isOfOtherForm(error, errors)) continue
    const field = fieldOf(error)
    if (!reasons.has(field)) reasons.set(field, reasonFor(error))
  }
  return Object.fromEntries(reasons)
}

/**
 * Where one value or a list may stand: of a list, that it is not the one value, and that it is neither where one of its
 * values says why.
 */
function isOfOtherForm(
  { keyword, instancePath, data }: ErrorObject,
  errors: ErrorObject[],
): boolean {
  if (!Array.isArray(data)) return false
  if (keyword === 'anyOf')
    return errors.some((other) => other.instancePath.startsWith(`${instancePath}/`))
  if (keyword !== 'type' && keyword !== 'enum') return false
  return errors.some((other) => other.keyword === 'anyOf' && other.instancePath === instancePath)
}

/** Maps `/requestBody/theme/font` to `theme.font`, and `/query/page` to `page`. */
function fieldOf(error: ErrorObject): string {
  const segments = error.instancePath.split('/').slice(1).map(unescapePointer)
  const { missingProperty, additionalProperty } = error.params as Record<string, string | undefined>
  const last = missingProperty ?? additionalProperty
  if (last !== undefined) segments.push(last)
  const [part, ...field] = segments
  if (part === 'header') return field.map(headerName).join('.')
  // For its sender, a list in a query is a single parameter.
  if (part === 'query' && field[0] !== undefined) return field[0]
  return field.length > 0 ? field.join('.') : part === 'requestBody' ? 'body' : (part ?? 'body')
}

/** Validation sees header names in lower case; show `If-Match` as people write it. */
function headerName(name: string): string {
  return name.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase())
}

function unescapePointer(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~')
}

function reasonFor(error: ErrorObject): Reason {
  const params = error.params as Record<string, unknown>
  const limit = params.limit as number
  // Errors about a property's name are worded differently and reported at its object.
  const ofName = error.propertyName !== undefined
  switch (error.keyword) {
    case 'required':
      return 'required'
    case 'additionalProperties':
      return unknownIn(error)
    case 'type':
      return typeReasons[String(params.type)] ?? 'invalid'
    case 'minLength':
      if (ofName) return 'nameNotEmpty'
      if (error.data === '') return 'notEmpty'
      if (showsNothing(String(error.data))) return 'showsNothing'
      return ['minLength', { count: limit }]
    case 'maxLength':
      return [ofName ? 'nameMaxLength' : 'maxLength', { count: limit }]
    case 'minItems':
      return ['minItems', { count: limit }]
    case 'maxItems':
      return ['maxItems', { count: limit }]
    case 'uniqueItems':
      return 'uniqueItems'
    case 'minProperties':
      return 'minProperties'
    case 'maxProperties':
      return ['maxProperties', { count: limit }]
    case 'minimum':
      return ['minimum', { limit }]
    case 'exclusiveMinimum':
      return ['moreThan', { limit }]
    case 'maximum':
      return ['maximum', { limit }]
    case 'enum':
      if (isEmptyList(error)) return ['minItems', { count: 1 }]
      return ['oneOf', { values: (params.allowedValues as unknown[]).join(', ') }]
    case 'format':
      return formatReasons[String(params.format)] ?? 'invalid'
    case 'pattern':
      return patternReasons[String(params.pattern)] ?? 'invalid'
    default:
      return 'invalid'
  }
}

/** In a URL, an empty list reads as one empty text. */
function isEmptyList({ instancePath, data }: ErrorObject): boolean {
  return data === '' && /^\/query\/[^/]+\/0$/.test(instancePath)
}

/** Names the known fields or parameters, so that a typo is easy to correct. */
function unknownIn({ instancePath, parentSchema }: ErrorObject): Reason {
  const { properties } = (parentSchema ?? {}) as { properties?: object }
  const isQuery = instancePath === '/query'
  const values = Object.keys(properties ?? {}).join(', ')
  if (values === '') return isQuery ? 'unknownParameter' : 'unknownField'
  return [isQuery ? 'unknownQuery' : 'unknownMember', { values }]
}

/** Every keyword the contract uses on inputs has a message; a test checks this. */
export const typeReasons: Readonly<Record<string, RefusalKey>> = {
  string: 'mustBeString',
  'string,null': 'mustBeStringOrNull',
  'string,number,null': 'mustBeString',
  'string,number,boolean': 'mustBeScalar',
  'string,number,boolean,null': 'mustBeScalar',
  'string,number,boolean,object,null': 'mustBeScalar',
  'string,number,boolean,object,array,null': 'invalid',
  integer: 'mustBeInteger',
  'integer,null': 'mustBeInteger',
  boolean: 'mustBeBoolean',
  array: 'mustBeList',
  object: 'mustBeObject',
}

export const formatReasons: Readonly<Record<string, RefusalKey>> = {
  email: 'emailExpected',
  date: 'dateExpected',
  'date-time': 'dateOrTimeExpected',
}

/** People cannot read a pattern, so each has a message. Review it whenever the pattern changes. */
export const patternReasons: Readonly<Record<string, RefusalKey>> = {
  '^[\\x21-\\x7e]+$': 'printableExpected',
  '^2[0-9]{3}-[0-9]{2}-[0-9]{2}$': 'dateExpected',
  '^2[0-9]{3}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,3})?Z$': 'dateOrTimeExpected',
  '^\\+[1-9][0-9]{6,14}$': 'phoneExpected',
  '^[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$': 'subDomainExpected',
  '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$': 'languageExpected',
  '^[^\\x00-\\x1f\\x7f-\\x9f]*$': 'controlCharacters',
  '^[0-9]{6}$': 'sixDigitsExpected',
  '^[0-9]{1,4}$': 'countryCodeExpected',
  '^#[0-9a-fA-F]{6}$': 'colorExpected',
  '^[^\\x00-\\x1f!-,./:-@\\[-`{-\\x9f]+$': 'fontExpected',
  '^https://[^\\s]+$': 'publicUrlExpected',
  '^https?://[^\\s]+$': 'urlExpected',
  '^https?://[^\\s/?#@]+$': 'embedOrigin',
  '^[^\\s/:?#@]+$': 'domainName',
  '^(data:image/(jpeg|png|webp|gif|avif);base64,)?[A-Za-z0-9+/]{2}': 'pictureExpected',
}
