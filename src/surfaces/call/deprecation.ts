import {
  type Deprecated,
  type DeprecationHeaders,
  deprecations,
} from '../../generated/deprecations.ts'
import type { Call } from './call.ts'

/** Announces that the operation, or a parameter that the call sends, is deprecated. */
export function announceDeprecation(
  { operationId, incoming, headers }: Pick<Call, 'operationId' | 'incoming' | 'headers'>,
  query: Record<string, unknown>,
): void {
  const deprecated = deprecations[operationId]
  if (deprecated) Object.assign(headers, noticeOf(deprecated, query, incoming.headers, headers))
}

/** The earliest of all days that apply to the call; a flat URL has already set one. */
function noticeOf(
  { operation, parameters }: Deprecated,
  query: Record<string, unknown>,
  requestHeaders: Record<string, unknown>,
  { Deprecation: before }: Call['headers'],
): Partial<DeprecationHeaders> {
  const sent = Object.entries(parameters).filter(([key]) => {
    const [place, name = ''] = key.split(' ')
    return (place === 'header' ? requestHeaders : query)[name] !== undefined
  })
  const notices = [...(operation ? [operation] : []), ...sent.map(([, notice]) => notice)]
  if (notices.length === 0) return {}
  const seconds = [before, ...notices.map(({ Deprecation }) => Deprecation)].flatMap((text) =>
    typeof text === 'string' ? [Number(text.slice(1))] : [],
  )
  const ends = notices.flatMap(({ Sunset }) => (Sunset === undefined ? [] : [Date.parse(Sunset)]))
  return {
    Deprecation: `@${Math.min(...seconds)}`,
    ...(ends.length > 0 && { Sunset: new Date(Math.min(...ends)).toUTCString() }),
  }
}
