/** JSON built by a query and sent as is. Tests parse and validate it. */
export type JsonText<T> = string & { readonly json: T }

/** Up to this size an answer is built as one value; a larger one is sent in parts. */
export const lightBytes = 1024 * 1024

/**
 * JSON that is too large to hold in memory. Its parts are read while they are sent, each about as large as
 * an answer that is built as one value.
 */
export interface JsonParts<T> {
  readonly json?: T
  /** The bytes of the stored texts in it, known before any text is read. */
  readonly weight: number
  /** The same resource without its large texts, for readers that cannot take it in parts. */
  readonly brief?: string
  /** The entity tag of the whole, if it was computed. */
  readonly etag?: string
  /** Set if the answer is a file, not JSON. */
  readonly file?: { name: string; type: string }
  parts(): AsyncIterable<string>
}

export function isInParts(output: unknown): output is JsonParts<unknown> {
  return typeof output === 'object' && output !== null && 'parts' in output
}

/** The rows of a list: their JSON, or the means to read it in parts. */
export type JsonRows<T> = JsonText<T[]> | JsonParts<T[]>

/** Puts the rows of a list between the texts before and after them. */
export function jsonAround<T>(
  before: string,
  rows: JsonRows<unknown>,
  after: string,
): JsonText<T> | JsonParts<T> {
  if (typeof rows === 'string') return (before + rows + after) as JsonText<T>
  return {
    weight: rows.weight,
    async *parts() {
      yield before
      yield* rows.parts()
      yield after
    },
  }
}

/** The value of JSON that a query built. */
export function parseJson<T>(text: JsonText<T>): T {
  return JSON.parse(text) as T
}

/** The same text for equal values: the order of members does not count, that of items does. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}
