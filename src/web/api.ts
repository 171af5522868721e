import createClient from 'openapi-fetch'
import type { components, paths } from '../generated/types.ts'
import { language } from './language.ts'

/** The shapes of the contract. */
export type Schemas = components['schemas']
export type Parameters = components['parameters']

/** Every operation of the contract, by its path; a field that is not in the contract does not compile. */
export const api = createClient<paths>({ baseUrl: location.origin })

// The service puts its refusals into words; a page shows them in the language it is drawn in.
api.use({
  onRequest({ request }) {
    request.headers.set('Accept-Language', language())
  },
})

type FailureCode = Schemas['ErrorCode'] | 'offline'

/** What the service refused, or that it could not be reached. */
export class Failure extends Error {
  readonly status: number
  readonly code: FailureCode
  readonly fieldErrors: Record<string, string>
  /** Seconds after which another attempt makes sense. */
  readonly retryAfter: number | undefined

  constructor(error: Omit<Schemas['ApiError'], 'code'> & { code: FailureCode }, wait?: number) {
    super(error.message)
    this.status = error.status
    this.code = error.code
    this.fieldErrors = error.fieldErrors ?? {}
    this.retryAfter = wait
  }
}

interface Answer<T> {
  data?: T
  error?: unknown
  response: Response
}

/** What a call answered, with the tag of that representation for a later `If-Match`. */
export interface Tagged<T> {
  value: T
  etag: string
}

let onSignedOut: () => void = () => undefined

/** Says what happens when the service no longer knows the session. */
export function whenSignedOut(act: () => void): void {
  onSignedOut = act
}

/** Waits for a call; whatever is no success is thrown as a Failure. */
export async function ask<T>(call: Promise<Answer<T>>): Promise<T> {
  return (await askTagged(call)).value
}

export async function askTagged<T>(call: Promise<Answer<T>>): Promise<Tagged<T>> {
  const { data, error, response } = await call.catch(unreachable)
  if (response.ok) return { value: data as T, etag: response.headers.get('ETag') ?? '' }
  throw failureOf(response, error, response.headers.get('Retry-After'))
}

function unreachable(thrown: unknown): never {
  if (thrown instanceof DOMException && thrown.name === 'AbortError') throw thrown
  throw new Failure({ status: 0, code: 'offline', message: 'The service cannot be reached.' })
}

/** A refusal of the service, from whatever carried it. */
export function failureOf(
  { status, url }: { status: number; url: string },
  body: unknown,
  retryAfter: string | null,
): Failure {
  const wait = retryAfter === null ? undefined : Number(retryAfter)
  const failure = isApiError(body)
    ? new Failure(body, wait)
    : new Failure({ status, code: 'internal', message: `The service answered ${status}.` }, wait)
  if (isSessionOver(failure, url)) onSignedOut()
  return failure
}

/**
 * A wrong sign-in code is answered with 401, too, and so is a key or a guest at the API's own origin:
 * none of them is a reason to leave the page.
 */
function isSessionOver({ status, code }: Failure, url: string): boolean {
  return status === 401 && code !== 'code_invalid' && new URL(url).origin === location.origin
}

function isApiError(body: unknown): body is Schemas['ApiError'] {
  return typeof body === 'object' && body !== null && 'code' in body && 'message' in body
}
