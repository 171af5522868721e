import { codesIn, type Operation } from './model.ts'

type Requirement = Readonly<Record<string, readonly string[]>>

/** The schemes of the credentials that are sent for a visitor, by their headers. */
const visitorSchemes: Readonly<Record<string, string>> = {
  'X-Visitor-Token': 'visitorToken',
  'X-Guest-Token': 'guestToken',
}

/**
 * An operation's security as clients see it: its key and, where it needs a visitor, also with one of the
 * credentials that its parameters take. The key alone always comes first: an operation was published with
 * it. Reads do without: generated clients that know one credential would send it for every scheme.
 */
export function publishedSecurity(operation: Operation): Requirement[] {
  const requirements = operation.source.security ?? []
  if (!codesIn(operation).includes('visitor_required')) return [...requirements]
  const visitors = operation.parameters.flatMap(({ value }) => visitorSchemes[value.name] ?? [])
  return requirements.flatMap((key) => [
    key,
    ...visitors.map((scheme) => ({ ...key, [scheme]: [] })),
  ])
}
