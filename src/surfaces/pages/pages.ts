import type { IncomingMessage, ServerResponse } from 'node:http'
import express, {
  type ErrorRequestHandler,
  type RequestHandler,
  type Response,
  type Router,
} from 'express'
import { ApiError, notFound } from '../../core/errors.ts'
import { apiErrorFor } from '../call/answers.ts'
import { isForPerson, sendErrorPage } from './error_pages.ts'
import { type Exchange, methodNotAllowed, type OriginState } from '../http/exchange.ts'

/** Express as a function over exchanges. */
export type Pages = (exchange: Exchange) => void

type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void

/** Sends a refusal to a program, as the error object. */
type Refuse = (
  exchange: Exchange,
  error: ApiError,
  headers: Record<string, string>,
) => Promise<void>

/** Express serves what is not in the contract, and refuses unknown paths. */
export function createPages(routers: Router[], state: OriginState, refuse: Refuse): Pages {
  const app = express()
  app.disable('x-powered-by')
  app.set('etag', 'strong')
  for (const router of routers) app.use(router)
  const answerRefusal = (
    exchange: Exchange,
    error: ApiError,
    headers: Record<string, string> = {},
  ) => {
    // The API origin is for programs, which expect the error object everywhere.
    if (state.surface === 'api' || !isForPerson(exchange))
      return void refuse(exchange, error, headers)
    exchange.error ??= error
    for (const [name, value] of Object.entries(headers)) exchange.response.setHeader(name, value)
    sendErrorPage(exchange, error)
  }
  const onError: ErrorRequestHandler = (cause: unknown, _request, response, _next) => {
    const exchange = exchangeOf(response)
    if (cause instanceof MethodRefusal) {
      const { error, headers } = methodNotAllowed(cause.allow)
      return answerRefusal(exchange, error, headers)
    }
    // A client error, such as a range beyond the file, is not our fault.
    const badRequest = new ApiError('invalid_input', 'unfitRequest')
    const error = isClientFault(cause) ? badRequest : apiErrorFor(cause)
    exchange.error = error.status >= 500 ? cause : error
    answerRefusal(exchange, error)
  }
  app.use(onError)
  return (exchange) => {
    const { request, response } = exchange
    ;(app as unknown as Middleware)(request, Object.assign(response, { locals: exchange }), () => {
      answerRefusal(exchange, notFound('path'))
    })
  }
}

/** The exchange of a page's response; what the page sets there is logged. */
export function exchangeOf({ locals }: Response): Exchange {
  return locals as unknown as Exchange
}

class MethodRefusal extends Error {
  readonly allow: string[]

  constructor(allow: string[]) {
    super()
    this.allow = allow
  }
}

/** Serves a path for GET and HEAD; refuses other methods with 405. */
export function serveGet(router: Router, path: string, handler: RequestHandler): void {
  router.get(path, handler)
  router.all(path, () => {
    throw new MethodRefusal(['GET', 'HEAD'])
  })
}

/** Serves a path for POST; refuses other methods with 405. */
export function servePost(router: Router, path: string, handler: RequestHandler): void {
  router.post(path, handler)
  router.all(path, () => {
    throw new MethodRefusal(['POST'])
  })
}

function isClientFault(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof ApiError) return false
  if (!('status' in error)) return false
  return typeof error.status === 'number' && error.status >= 400 && error.status < 500
}
