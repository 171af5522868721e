import createClient from 'openapi-fetch'
import type { components, paths } from '../generated/types.ts'
import { language } from './language.ts'

/** Schemas of the contract. */
export type Schemas = components['schemas']
export type ContractParameters = components['parameters']

/** Typed client for the contract; a field that is not in the contract does not compile. */
export const api = createClient<paths>({ baseUrl: location.origin })

/** Requests as they were before their body was read, to send them once more. */
const copies = new WeakMap<Request, Request>()

api.use({
  // Refusals are worded by the service: ask for them in the page's language.
  onRequest({ request }) {
    request.headers.set('Accept-Language', language())
    copies.set(request, request.clone())
  },
  // A call that found the session ended is sent again after a new sign-in.
  async onResponse({ request, response }) {
    const copy = copies.get(request)
    const refusal: unknown = response.status === 401 ? await response.clone().json() : undefined
    if (!copy || !isSessionOver(response, refusal) || !(await signInAgain())) return undefined
    return fetch(copy)
  },
})

type FailureCode = Schemas['ErrorCode'] | 'offline'

/** A refusal, or a failure to reach the service. */
export class Failure extends Error {
  readonly status: number
  readonly code: FailureCode
  readonly fieldErrors: Record<string, string>
  /** Seconds to wait before a retry. */
  readonly retryAfter: number | undefined

  constructor(error: Omit<Schemas['ApiError'], 'code'> & { code: FailureCode }, wait?: number) {
    super(error.message)
    this.status = error.status
    this.code = error.code
    this.fieldErrors = error.fieldErrors ?? {}
    this.retryAfter = wait
  }
}

interface ApiAnswer<T> {
  data?: T
  error?: unknown
  response: Response
}

/** A list that was asked for without `fields` has whole products. */
export function withWholeProducts(list: Schemas['ProductList']) {
  return list as Omit<typeof list, 'products'> & { products: Schemas['Product'][] }
}

/** An answer with its ETag for a later `If-Match`. */
export interface Tagged<T> {
  value: T
  etag: string
}

let onSignedOut: () => Promise<boolean> = () => Promise.resolve(false)

/** Sets the handler for an ended session; it resolves to whether the person has signed in again. */
export function setSignedOutHandler(handler: () => Promise<boolean>): void {
  onSignedOut = handler
}

/** Lets the person sign in again; resolves to whether they did. */
export function signInAgain(): Promise<boolean> {
  return onSignedOut()
}

/** Awaits a call; throws a Failure unless it succeeded. */
export async function ask<T>(call: Promise<ApiAnswer<T>>): Promise<T> {
  return (await askTagged(call)).value
}

export async function askTagged<T>(call: Promise<ApiAnswer<T>>): Promise<Tagged<T>> {
  const { data, error, response } = await call.catch(throwOffline)
  if (response.ok) return { value: data as T, etag: response.headers.get('ETag') ?? '' }
  throw failureOf(response, error, response.headers.get('Retry-After'))
}

function throwOffline(error: unknown): never {
  if (error instanceof DOMException && error.name === 'AbortError') throw error
  throw new Failure({ status: 0, code: 'offline', message: 'The service cannot be reached.' })
}

/** Builds a Failure from a refused response, whether it came from fetch or XMLHttpRequest. */
export function failureOf(
  { status }: { status: number },
  body: unknown,
  retryAfter: string | null,
): Failure {
  const wait = retryAfter === null ? undefined : Number(retryAfter)
  if (isApiError(body)) return new Failure(body, wait)
  return new Failure({ status, code: 'internal', message: `The service answered ${status}.` }, wait)
}

/**
 * A wrong sign-in code also gets a 401, and so does a key or a guest at the API's origin. Neither
 * ends the session.
 */
export function isSessionOver(
  { status, url }: { status: number; url: string },
  refusal: unknown,
): boolean {
  const isWrongCode = isApiError(refusal) && refusal.code === 'code_invalid'
  return status === 401 && !isWrongCode && new URL(url).origin === location.origin
}

function isApiError(body: unknown): body is Schemas['ApiError'] {
  return typeof body === 'object' && body !== null && 'code' in body && 'message' in body
}
