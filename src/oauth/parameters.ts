import { OAuthError } from './errors.ts'

/** Request parameters, from the query or the form. */
export interface OAuthParameters {
  values: Readonly<Record<string, string>>
  /** Names given more than once, which is an error. */
  repeated: ReadonlySet<string>
}

/** A parameter with an empty value counts as omitted, as RFC 6749 requires. */
export function readParameters(text: string): OAuthParameters {
  const values = Object.create(null) as Record<string, string>
  const names = new Set<string>()
  const repeated = new Set<string>()
  for (const [name, value] of new URLSearchParams(text)) {
    if (names.has(name)) repeated.add(name)
    names.add(name)
    if (value !== '') values[name] = value
  }
  return { values, repeated }
}

/** A required parameter: given once, and storable. */
export function requireParameter({ values, repeated }: OAuthParameters, name: string): string {
  const value = values[name]
  if (repeated.has(name)) throw repeatedParameter(name)
  if (value === undefined) throw new OAuthError('invalid_request', `${name} is missing.`)
  if (value.includes('\0')) throw new OAuthError('invalid_request', `${name} has a NUL character.`)
  return value
}

export function requireUnrepeated({ repeated }: OAuthParameters): void {
  for (const name of repeated) throw repeatedParameter(name)
}

function repeatedParameter(name: string): OAuthError {
  return new OAuthError('invalid_request', `${name.slice(0, 100)} is given more than once.`)
}
