import type { ErrorObject } from 'ajv/dist/2020.js'
import type { FieldErrors } from '../../core/errors.ts'

export const maxFieldErrors = 100

/** Validation errors as sentences for people, keyed by the path of the field. */
export function fieldErrorsOf(errors: ErrorObject[]): FieldErrors {
  // A map, because a field may be called `constructor` or `__proto__`.
  const sentences = new Map<string, string>()
  // Nobody reads more than this, and a hostile body must not be answered with megabytes.
  for (const error of errors.slice(0, maxFieldErrors)) {
    const field = fieldOf(error)
    if (!sentences.has(field)) sentences.set(field, sentenceFor(error))
  }
  return Object.fromEntries(sentences)
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

function sentenceFor(error: ErrorObject): string {
  const params = error.params as Record<string, unknown>
  const limit = params.limit as number
  switch (error.keyword) {
    case 'required':
      return 'Is required.'
    case 'additionalProperties':
      return 'Is not a known field.'
    case 'type':
      return `Must be ${typeNames(params.type)}.`
    case 'minLength':
      return limit === 1 ? 'Must not be empty.' : `Must have at least ${limit} characters.`
    case 'maxLength':
      return `Must have at most ${limit} characters.`
    case 'minItems':
      return `Must have at least ${limit} ${limit === 1 ? 'item' : 'items'}.`
    case 'maxItems':
      return `Must have at most ${limit} items.`
    case 'uniqueItems':
      return 'Must not contain the same item twice.'
    case 'minProperties':
      return 'Must name at least one field.'
    case 'minimum':
      return `Must be at least ${limit}.`
    case 'maximum':
      return `Must be at most ${limit}.`
    case 'enum':
      return `Must be one of ${(params.allowedValues as unknown[]).join(', ')}.`
    case 'format':
      return params.format === 'email'
        ? 'Must be an email address.'
        : `Must be a ${String(params.format)}.`
    case 'pattern':
      return patternSentence(error)
    default:
      return `Is not valid: ${error.message ?? error.keyword}.`
  }
}

/** A pattern means nothing to a person; the contract's description of the field does. */
function patternSentence(error: ErrorObject): string {
  const description = (error.parentSchema as { description?: string } | undefined)?.description
  return description
    ? `Does not have the right form. ${description}`
    : 'Does not have the right form.'
}

const articles: Record<string, string> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
}

function typeNames(type: unknown): string {
  const types = Array.isArray(type) ? (type as string[]) : String(type).split(',')
  return types.map((name) => articles[name] ?? name).join(' or ')
}
