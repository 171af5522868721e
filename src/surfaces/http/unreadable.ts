import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { ApiError, errorBody } from '../../core/errors.ts'
import { defaultLanguage } from '../../texts/languages.ts'
import { type Exchange, lingerMilliseconds, type OriginState, refuse } from './exchange.ts'
import { securityHeaders } from './security_headers.ts'

/**
 * Handles bytes that are not HTTP, or that stopped coming, and so never become a request. If they cut off a
 * body, its request is refused. If they follow a request, that request is still answered. Otherwise the
 * answer is written by hand.
 */
export function answerUnreadable(
  cause: NodeJS.ErrnoException,
  socket: Socket,
  exchange: Exchange | undefined,
  state: OriginState,
  extraHeaders: [string, string][],
): void {
  const isLate = cause.code === 'ERR_HTTP_REQUEST_TIMEOUT'
  const error = isLate
    ? new ApiError('request_timeout', 'requestTimeout')
    : new ApiError('invalid_input', 'unreadableHttp')
  const { request, response } = exchange ?? {}
  if (!socket.writable || (request?.complete === false && response?.headersSent))
    return void socket.destroy()
  if (exchange && !exchange.request.complete) {
    exchange.response.setHeader('Connection', 'close')
    return refuse(exchange, error, state)
  }
  if (response && !response.writableEnded) {
    response.shouldKeepAlive = false
    return
  }
  const requestId = randomUUID()
  const body = JSON.stringify(errorBody(error, defaultLanguage))
  const headers = [
    ...securityHeaders,
    ...extraHeaders,
    ['X-Request-Id', requestId],
    ['Cache-Control', 'no-store'],
    ['Content-Type', 'application/json; charset=utf-8'],
    ['Content-Length', String(Buffer.byteLength(body))],
    ['Connection', 'close'],
  ].map(([name, value]) => `${name}: ${value}`)
  const { status, code } = error
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...headers, '', body].join('\r\n'))
  // A client that keeps its half open would keep the connection.
  setTimeout(() => socket.destroy(), lingerMilliseconds).unref()
  const { log, surface } = state
  log.info({ requestId, surface, status, errorCode: code }, 'request')
}
