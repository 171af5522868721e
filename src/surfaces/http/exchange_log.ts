import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError } from '../../core/errors.ts'
import type { Log } from '../../core/log.ts'
import { countRequest } from '../../core/metrics.ts'
import type { Trace } from '../../core/telemetry/traces.ts'
import type { Meter } from '../../db/sessions/metered.ts'
import { OAuthError } from '../../oauth/errors.ts'
import type { OperationId } from '../../operation.ts'
import type { FinishedExchange } from '../call/finished.ts'

/** What the log needs to know of a request and its answer. */
export interface LoggedExchange {
  request: IncomingMessage
  response: ServerResponse
  requestId: string
  path: string
  operation: OperationId | undefined
  connectionId: string | undefined
  workspaceId: string | undefined
  /** What the request has cost the database. */
  meter: Meter
  /** The trace that the request belongs to, if its sender names one. */
  trace: Trace | undefined
  error: unknown
  /** The operation's status, if it differs from the HTTP status. */
  outcome: number | undefined
}

/** How and where the requests of an origin are logged and counted. */
export interface LogState {
  surface: string
  log: Log
  /** Called for every finished request. */
  onFinished?: (finished: FinishedExchange) => void
}

const tenths = (milliseconds: number): number => Math.round(milliseconds * 10) / 10

/** Logs and counts a finished request. */
export function logExchange(
  exchange: LoggedExchange,
  { startedAt, bytes }: { startedAt: number; bytes: number },
  { surface, log, onFinished }: LogState,
): void {
  const { request, response, requestId, path, operation, connectionId, error, outcome } = exchange
  const { workspaceId, meter, trace } = exchange
  const milliseconds = performance.now() - startedAt
  const { method } = request
  const readable = plainPath(path)
  // No status if the client left before the answer.
  const status = response.headersSent ? response.statusCode : undefined
  const line = {
    requestId,
    surface,
    method,
    path: readable,
    operation,
    connectionId,
    workspaceId: workspaceId || undefined,
    traceId: trace?.traceId,
    status,
    outcome,
    milliseconds: tenths(milliseconds),
    databaseMilliseconds: tenths(meter.databaseMilliseconds),
    waitMilliseconds: tenths(meter.waitMilliseconds),
    bytes,
    aborted: response.writableFinished ? undefined : true,
  }
  countRequest(surface, operation, status && (outcome ?? status), milliseconds)
  onFinished?.({
    surface,
    method,
    path: readable,
    operation,
    workspaceId,
    status,
    startedAt,
    milliseconds,
    bytes,
    meter,
    trace,
  })
  if ((outcome ?? response.statusCode) >= 500) log.error({ ...line, err: error }, 'request')
  else if (error instanceof ApiError || error instanceof OAuthError)
    log.info({ ...line, errorCode: error.code }, 'request')
  else log.info(line, 'request')
}

/** A consent request's id is a secret of one browser, but has no prefix for redaction to match. */
const consentId = /(\/consent\/)[^/]+/gi

/**
 * Decodes escaped letters in a path, or an escaped credential would get past redaction in the log.
 */
function plainPath(path: string): string {
  return unescapePath(path).replaceAll(consentId, '$1[redacted]')
}

function unescapePath(path: string): string {
  if (!path.includes('%')) return path
  return path.replaceAll(/%[2-7][0-9a-f]/gi, (escaped) => {
    const letter = String.fromCharCode(parseInt(escaped.slice(1), 16))
    return /[\w.~-]/.test(letter) ? letter : escaped
  })
}
