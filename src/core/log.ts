import { type DestinationStream, type Logger, pino } from 'pino'
import { secretFields, secretHeaders } from '../generated/operations.ts'

export type Log = Logger

/** Headers that carry a credential, those of the contract's parameters included. */
const credentialHeaders = ['authorization', 'cookie', 'set-cookie', ...secretHeaders]

/** Any credential of the service, wherever it stands in a line, percent-encoded or not. */
const credential = /ws[a-z](?:_|%5F)(?:dev|live)(?:_|%5F)[A-Za-z0-9_%-]{16,}/gi

/**
 * Writes JSON lines to standard output. Credentials are struck out by their form, and what the
 * contract marks as secret by its name in any logged body, so that a careless log call leaks
 * neither.
 */
export function createLog(level: string, destination?: DestinationStream): Log {
  const inBody = secretFields.flatMap((field) => [`body.${field}`, `*.body.${field}`])
  const inHeaders = credentialHeaders.flatMap((name) => [
    `["${name}"]`,
    `*["${name}"]`,
    `*.*["${name}"]`,
  ])
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: [...inBody, ...inHeaders], censor: '[redacted]' },
    serializers: { err: errorForLog },
    hooks: { streamWrite: (line: string) => line.replaceAll(credential, '[redacted]') },
  }
  return destination ? pino(options, destination) : pino(options)
}

/** The parts of an error that help and quote no row: a database error's detail holds values. */
function errorForLog(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { code, constraint } = error as { code?: unknown; constraint?: unknown }
  return { type: error.name, message: error.message, stack: error.stack, code, constraint }
}
