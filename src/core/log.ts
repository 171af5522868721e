import { type DestinationStream, type Logger, pino } from 'pino'
import { secretFields, secretHeaders } from '../generated/operations.ts'

export type Log = Logger

/** Headers that carry a credential, those of the contract's parameters included. */
const credentialHeaders: string[] = ['authorization', 'cookie', 'set-cookie', ...secretHeaders]

const redacted = '[redacted]'

/** Any credential of the service, anywhere in a line, percent-encoded or not. */
const credential = /ws[a-z](?:_|%5F)(?:dev|live)(?:_|%5F)[A-Za-z0-9_%-]{16,}/gi

/** Lines are buffered for at most 50 ms: a system call per line costs more than the line itself. */
const standardOutput = { dest: 1, sync: false, minLength: 4096, periodicFlush: 50 }

/** Lines that may contain a secret by name: a header, or a field of a body. */
const suspicious = new RegExp(`"(?:${[...credentialHeaders, 'body'].join('|')})":`)

/**
 * Writes JSON lines to standard output. Credentials are redacted by their form, and fields that the
 * contract marks as secret by their name in any logged body, so that a careless log call leaks
 * neither.
 */
export function createLog(level: string, destination?: DestinationStream): Log {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: errorForLog },
    hooks: { streamWrite: withoutSecrets },
  }
  return pino(options, destination ?? pino.destination(standardOutput))
}

/** Scans the finished line: most contain no secret and need no parsing. */
function withoutSecrets(line: string): string {
  const text = line.replaceAll(credential, redacted)
  return suspicious.test(text) ? `${JSON.stringify(JSON.parse(text, strikeOut))}\n` : text
}

function strikeOut(name: string, value: unknown): unknown {
  if (credentialHeaders.includes(name)) return redacted
  if (name !== 'body' || typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(([field, content]): [string, unknown] => {
    return [field, (secretFields as readonly string[]).includes(field) ? redacted : content]
  })
  return Object.fromEntries(fields)
}

/** The useful parts of an error that quote no row: a database error's detail contains values. */
function errorForLog(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { name: type, message, stack } = error
  const { code, constraint } = error as { code?: unknown; constraint?: unknown }
  const errors = error instanceof AggregateError ? error.errors.map(errorForLog) : undefined
  const cause = error.cause instanceof Error ? errorForLog(error.cause) : undefined
  return { type, message, stack, code, constraint, errors, cause }
}
