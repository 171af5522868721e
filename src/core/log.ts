import { type DestinationStream, type Logger, pino } from 'pino'
import { secretFields } from '../generated/operations.ts'

export type Log = Logger

/** Headers that carry a credential, at any surface. */
const secretHeaders = ['authorization', 'cookie', 'set-cookie', 'x-visitor-token', 'x-guest-token']

const redacted = '[redacted]'

/** Any credential of the service, wherever it stands in a line, percent-encoded or not. */
const credential = /ws[a-z](?:_|%5F)(?:dev|live)(?:_|%5F)[A-Za-z0-9_%-]{16,}/gi

/** Lines leave together, twenty times a second at least: a write for each costs more than itself. */
const standardOutput = { dest: 1, sync: false, minLength: 4096, periodicFlush: 50 }

/** Where a line may name a secret: by a header, or by a field of a body. */
const suspicious = new RegExp(`"(?:${[...secretHeaders, 'body'].join('|')})":`)

/**
 * Writes JSON lines to standard output. Credentials are struck out by their form, and what the
 * contract marks as secret by its name in any logged body, so that a careless log call leaks
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

/** The whole line is looked at, because most have nothing to hide and are then left as they are. */
function withoutSecrets(line: string): string {
  const text = line.replaceAll(credential, redacted)
  return suspicious.test(text) ? `${JSON.stringify(JSON.parse(text, strikeOut))}\n` : text
}

function strikeOut(name: string, value: unknown): unknown {
  if (secretHeaders.includes(name)) return redacted
  if (name !== 'body' || typeof value !== 'object' || value === null) return value
  const shown = Object.entries(value).map(([field, content]): [string, unknown] => {
    return [field, (secretFields as readonly string[]).includes(field) ? redacted : content]
  })
  return Object.fromEntries(shown)
}

/** The parts of an error that help and quote no row: a database error's detail holds values. */
function errorForLog(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { code, constraint } = error as { code?: unknown; constraint?: unknown }
  return { type: error.name, message: error.message, stack: error.stack, code, constraint }
}
