import { errorCodes, type ErrorCode } from '../generated/operations.ts'

export type FieldErrors = Record<string, string>

/** A refusal as the contract states it: its code decides the status. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly fieldErrors: FieldErrors | undefined
  /** Whole seconds to wait before another attempt, where waiting helps. */
  readonly retryAfter: number | undefined

  constructor(code: ErrorCode, message: string, fieldErrors?: FieldErrors, retryAfter?: number) {
    super(message)
    this.code = code
    this.fieldErrors = fieldErrors
    this.retryAfter = retryAfter
  }

  get status(): number {
    return errorCodes[this.code].status
  }
}

/** The refusal of input, with a sentence for each field at fault. */
export function invalidInput(fieldErrors: FieldErrors): ApiError {
  return new ApiError('invalid_input', 'The request is not valid.', fieldErrors)
}

export function notFound(what: string): ApiError {
  return new ApiError('not_found', `There is no such ${what}.`)
}

export function unavailable(): ApiError {
  const message = 'The service cannot answer at the moment. Try again shortly.'
  return new ApiError('unavailable', message, undefined, 5)
}

/** The one object that every refusal answers. */
export function errorBody(error: ApiError) {
  const { status, code, message, fieldErrors } = error
  return fieldErrors ? { status, code, message, fieldErrors } : { status, code, message }
}
