import type { ErrorObject } from 'ajv/dist/2020.js'
import type { FieldErrors, Reason, RefusalKey } from '../../texts/refusals.ts'

export const maxFieldErrors = 100

/** Validation errors as reasons, keyed by the path of the field. */
export function fieldErrorsOf(errors: ErrorObject[]): FieldErrors {
  // A map, because a field may be called `constructor` or `__proto__`.
  const reasons = new Map<string, Reason>()
  // Nobody reads more than this, and a hostile body must not be answered with megabytes.
  for (const error of errors.slice(0, maxFieldErrors)) {
    const field = fieldOf(error)
    if (!reasons.has(field)) reasons.set(field, reasonFor(error))
  }
  return Object.fromEntries(reasons)
}

/** `/requestBody/theme/font` is the field `theme.font`, `/query/page` is `page`. */
function fieldOf(error: ErrorObject): string {
  const segments = error.instancePath.split('/').slice(1).map(unescapePointer)
  const { missingProperty, additionalProperty } = error.params as Record<string, string | undefined>
  const last = missingProperty ?? additionalProperty
  if (last !== undefined) segments.push(last)
  const [part, ...field] = segments
  if (part === 'header') return field.map(headerName).join('.')
  return field.length > 0 ? field.join('.') : part === 'requestBody' ? 'body' : (part ?? 'body')
}

/** Validation sees header names in lower case; people know `If-Match`. */
function headerName(name: string): string {
  return name.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase())
}

function unescapePointer(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~')
}

function reasonFor(error: ErrorObject): Reason {
  const params = error.params as Record<string, unknown>
  const limit = params.limit as number
  // What is said of a property's name would be misread as said of the object that has it.
  const ofName = error.propertyName !== undefined
  switch (error.keyword) {
    case 'required':
      return 'required'
    case 'additionalProperties':
      return 'unknownField'
    case 'type':
      return typeReasons[String(params.type)] ?? 'invalid'
    case 'minLength':
      if (ofName) return 'nameNotEmpty'
      return limit === 1 ? 'notEmpty' : ['minLength', { count: limit }]
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
      return ['oneOf', { values: (params.allowedValues as unknown[]).join(', ') }]
    case 'format':
      return formatReasons[String(params.format)] ?? 'invalid'
    case 'pattern':
      return patternReasons[String(params.pattern)] ?? 'invalid'
    default:
      return 'invalid'
  }
}

/** Whatever the contract asks of an input has its own sentence; a test holds these against it. */
export const typeReasons: Readonly<Record<string, RefusalKey>> = {
  string: 'mustBeString',
  'string,null': 'mustBeStringOrNull',
  'string,number,boolean': 'mustBeScalar',
  integer: 'mustBeInteger',
  boolean: 'mustBeBoolean',
  array: 'mustBeList',
  object: 'mustBeObject',
}

export const formatReasons: Readonly<Record<string, RefusalKey>> = {
  email: 'emailExpected',
  date: 'dateExpected',
}

/** A pattern means nothing to a person. Where one changes, its sentence has to be read again. */
export const patternReasons: Readonly<Record<string, RefusalKey>> = {
  '^(ACTIVE|INACTIVE|DELETED)(,(ACTIVE|INACTIVE|DELETED)){0,2}$': 'statusesExpected',
  '^[\\x21-\\x7e]+$': 'printableExpected',
  '^2[0-9]{3}-[0-9]{2}-[0-9]{2}$': 'dateExpected',
  '^\\+[1-9][0-9]{6,14}$': 'phoneExpected',
  '^[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$': 'subDomainExpected',
  '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$': 'languageExpected',
  '^\\P{Cc}*$': 'controlCharacters',
  '^[0-9]{6}$': 'sixDigitsExpected',
  '^[0-9]{1,4}$': 'countryCodeExpected',
  '^#[0-9a-fA-F]{6}$': 'colorExpected',
  '^[\\p{L}\\p{N} -]+$': 'fontExpected',
  '^https?://[^\\s]+$': 'urlExpected',
  '^(data:image/(jpeg|png|webp|gif|avif);base64,)?[A-Za-z0-9+/]+={0,2}$': 'pictureExpected',
}
