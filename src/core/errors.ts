import { errorCodes, type ErrorCode } from '../generated/operations.ts'
import { defaultLanguage, type Language } from '../texts/languages.ts'
import { type FieldErrors, inWords, type Reason, type RefusalKey } from '../texts/refusals.ts'

/**
 * A refusal of the contract; its code determines the status. It is worded in the reader's language
 * when it is sent; `message` is English, for the log.
 */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly reason: Reason
  readonly fieldErrors: FieldErrors | undefined
  /** Whole seconds to wait before a retry, if waiting helps. */
  readonly retryAfter: number | undefined

  constructor(code: ErrorCode, reason: Reason, fieldErrors?: FieldErrors, retryAfter?: number) {
    super(inWords(defaultLanguage, reason))
    this.code = code
    this.reason = reason
    this.fieldErrors = fieldErrors
    this.retryAfter = retryAfter
  }

  get status(): number {
    return errorCodes[this.code].status
  }
}

/** A refusal of input, with a reason for each invalid field. */
export function invalidInput(fieldErrors: FieldErrors): ApiError {
  return new ApiError('invalid_input', 'invalidRequest', fieldErrors)
}

/** The nouns of the "not found" texts: `product` for the key `noSuchProduct`. */
export type Noun = RefusalKey extends infer Key
  ? Key extends `noSuch${infer Name}`
    ? Uncapitalize<Name>
    : never
  : never

export function notFound(noun: Noun): ApiError {
  const name = noun.charAt(0).toUpperCase() + noun.slice(1)
  return new ApiError('not_found', `noSuch${name}` as RefusalKey)
}

export function unavailable(): ApiError {
  return new ApiError('unavailable', 'unavailable', undefined, 5)
}

/** The error object of every refusal, in the reader's language. */
export function errorBody({ status, code, reason, fieldErrors }: ApiError, language: Language) {
  const message = inWords(language, reason)
  if (!fieldErrors) return { status, code, message }
  return { status, code, message, fieldErrors: fieldsInWords(fieldErrors, language) }
}

export function fieldsInWords(
  fieldErrors: FieldErrors,
  language: Language,
): Record<string, string> {
  const worded = Object.entries(fieldErrors).map(([field, reason]) => [
    field,
    inWords(language, reason),
  ])
  return Object.fromEntries(worded) as Record<string, string>
}
