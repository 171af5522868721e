import { loadSdk } from './sdk.ts'

/**
 * `timeout`: no complete answer in time; `unavailable`: the provider is unreachable, broke off or
 * reported an error; `refused`: the model declined; `misbehaved`: the answer does not match its
 * schema; `aborted`: the caller gave up.
 */
export type ModelFailure = 'timeout' | 'unavailable' | 'refused' | 'misbehaved' | 'aborted'

/** The message is for the log and quotes neither prompt nor provider. */
export class ModelFailed extends Error {
  readonly failure: ModelFailure

  constructor(failure: ModelFailure, message: string) {
    super(message)
    this.failure = failure
  }
}

/** Carries a fault of our own past the SDK. */
export class ToolFailed extends Error {}

/** Any error of a request in our terms. */
export async function failureOf(
  error: unknown,
  { aborted, late }: { aborted: boolean | undefined; late: boolean },
): Promise<unknown> {
  if (aborted) return new ModelFailed('aborted', 'The caller gave up.')
  if (late) return new ModelFailed('timeout', 'No whole answer came within the time limit.')
  if (error instanceof ModelFailed) return error
  if (error instanceof ToolFailed) return error.cause
  const { APICallError, NoOutputGeneratedError } = await loadSdk()
  if (NoOutputGeneratedError.isInstance(error))
    return new ModelFailed('refused', 'The model ended without an answer.')
  if (!APICallError.isInstance(error))
    return new ModelFailed('unavailable', `The call failed: ${nameOf(error)}.`)
  const { statusCode } = error
  if (statusCode === undefined || statusCode >= 300)
    return new ModelFailed('unavailable', `The provider answered ${statusCode ?? 'nothing'}.`)
  // An unreadable success was cut off; a readable one is not a valid answer.
  return error.cause instanceof TypeError
    ? new ModelFailed('unavailable', 'The answer was cut off.')
    : new ModelFailed('misbehaved', 'The answer is none of the protocol.')
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error
}
