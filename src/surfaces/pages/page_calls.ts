import type { Request, Response } from 'express'
import { type ErrorCode, operations } from '../../generated/operations.ts'
import type { components } from '../../generated/types.ts'
import type { OperationId } from '../../operation.ts'
import { maxAnswerBytes } from '../call/answers.ts'
import type { Door, Incoming, Service } from '../call/call.ts'
import { runCall } from '../call/pipeline.ts'
import type { Router } from '../call/router.ts'
import { departureOf } from '../http/exchange.ts'
import { exchangeOf } from './pages.ts'

/** The parts that pages use to call operations of the contract, like any other client. */
export interface CallParts {
  service: Service
  door: Door
  router: Router
}

export interface Refusal {
  status: number
  code: ErrorCode
  message: string
  fieldErrors: Record<string, string>
  retryAfter: string | undefined
}

export type OperationAnswer<T> = { output: T } | Refusal

interface PageCall {
  operationId: OperationId
  params: Record<string, string>
  query?: Record<string, string>
  body?: unknown
  /** Headers instead of the browser's, such as the language of the page. */
  headers?: Record<string, string>
}

/** The browser's conditional headers are about the page, not about the data it is drawn from. */
const noConditions = { 'if-match': undefined, 'if-none-match': undefined }

/** Runs an operation as if the page had called it over HTTP. */
export async function callFromPage<T>(
  { service, router, door }: CallParts,
  { request, response }: { request: Request; response: Response },
  { operationId, params, query = {}, body, headers = {} }: PageCall,
): Promise<OperationAnswer<T>> {
  const { requestId, clientIp } = exchangeOf(response)
  const { method, path } = operations[operationId]
  const incoming: Incoming = {
    method,
    path,
    search: new URLSearchParams(query).toString(),
    headers: { ...request.headers, ...noConditions, ...headers },
    clientIp,
    requestId,
    maxAnswerBytes: maxAnswerBytes.rest,
    signal: () => departureOf(exchangeOf(response)),
    identified: () => exchangeOf(response).place.identified(),
    bodyArrived: () => true,
    readForm: () => Promise.resolve({ files: [], body: {} }),
    readBody: () => Promise.resolve(body),
    readBytes: () => Promise.reject(new Error('A page sends no raw bytes.')),
  }
  const route = { operationId, params, flat: false }
  const answer = await runCall(router, service, door, incoming, route)
  const cookies = answer.headers['Set-Cookie']
  if (cookies !== undefined) response.append('Set-Cookie', cookies)
  exchangeOf(response).connectionId ??= answer.connectionId
  const parsed: unknown = JSON.parse(answer.body ?? 'null')
  if (answer.status < 400) return { output: parsed as T }
  exchangeOf(response).error = answer.error
  const { code, message, fieldErrors = {} } = parsed as components['schemas']['ApiError']
  const wait = answer.headers['Retry-After']
  return { status: answer.status, code, message, fieldErrors, retryAfter: wait?.toString() }
}
