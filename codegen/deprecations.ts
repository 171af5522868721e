import { isNode, type Path } from './document.ts'
import { literal, table } from './literals.ts'
import type { Contract, Rule } from './model.ts'
import type { Finding } from './source.ts'

const day = /^\d{4}-\d{2}-\d{2}$/

interface Deprecated {
  readonly deprecated?: boolean
  readonly 'x-deprecated'?: unknown
}

function daysOf(source: Deprecated): { since?: unknown; sunset?: unknown } | undefined {
  return isNode(source['x-deprecated']) ? source['x-deprecated'] : undefined
}

/** Clients get a day for everything that is deprecated, and a year before anything ends. */
const dated: Rule = function* ({ operations }) {
  for (const { at, source, parameters } of operations) {
    yield* datesOf(source, at)
    for (const parameter of parameters) yield* datesOf(parameter.value, parameter.at)
  }
}

function* datesOf(source: Deprecated, at: Path): Generator<Finding> {
  const isDeprecated = source.deprecated === true
  const days = daysOf(source)
  if (!isDeprecated && source['x-deprecated'] === undefined) return
  if (!isDeprecated || days === undefined) {
    yield { at, message: 'needs deprecated: true and x-deprecated with its day, since' }
    return
  }
  const { since, sunset } = days
  const unknown = Object.keys(days).filter((key) => key !== 'since' && key !== 'sunset')
  if (!isDay(since) || (sunset !== undefined && !isDay(sunset)) || unknown.length > 0)
    yield { at, message: 'x-deprecated has since and sunset, days such as 2026-12-01' }
  else if (sunset !== undefined && new Date(sunset) < yearAfter(since))
    yield { at, message: 'x-deprecated has a sunset less than 12 months after since' }
}

function isDay(value: unknown): value is string {
  return typeof value === 'string' && day.test(value) && !Number.isNaN(Date.parse(value))
}

function yearAfter(since: string): Date {
  const date = new Date(since)
  date.setUTCFullYear(date.getUTCFullYear() + 1)
  return date
}

/** The headers of RFC 9745 and RFC 8594. */
function headersOf(source: Deprecated): Record<string, string> {
  const { since, sunset } = daysOf(source) ?? {}
  // Checked above.
  const [from, until] = [new Date(since as string), sunset as string | undefined]
  return {
    Deprecation: `@${from.getTime() / 1000}`,
    ...(until !== undefined && { Sunset: new Date(until).toUTCString() }),
  }
}

/** Emits what answers say of deprecated operations and parameters. */
export function emitDeprecations({ operations }: Contract): string {
  const rows = operations.flatMap(({ id, source, parameters }) => {
    const marked = parameters.filter(({ value }) => value.deprecated === true)
    if (source.deprecated !== true && marked.length === 0) return []
    const named = marked.map(({ value }) => {
      // As Node presents the names of headers.
      const name = value.in === 'header' ? value.name.toLowerCase() : value.name
      return [`${value.in} ${name}`, headersOf(value)] as const
    })
    const operation = source.deprecated === true ? headersOf(source) : null
    return [`${id}: ${literal({ operation, parameters: Object.fromEntries(named) })}`]
  })
  return [
    "import type { OperationId } from './operations.ts'",
    '',
    '/** The headers of an answer to a call of what is deprecated. */',
    'export interface DeprecationHeaders {',
    '  Deprecation: string',
    '  Sunset?: string',
    '}',
    '',
    '/** A deprecated operation, or one with deprecated parameters, by place and name. */',
    'export interface Deprecated {',
    '  operation: DeprecationHeaders | null',
    '  parameters: Record<string, DeprecationHeaders>',
    '}',
    '',
    table('deprecations', rows, 'Partial<Record<OperationId, Deprecated>>'),
    '',
  ].join('\n')
}

export const deprecationRules: readonly Rule[] = [dated]
