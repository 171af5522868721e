import type { Schema } from '../document.ts'

/** A client sends the values of a request and reads those of an answer. */
export type Direction = 'request' | 'answer'

/** A schema and the document that its references point into. */
export interface Side {
  readonly document: unknown
  readonly schema: Schema
}

/** The two schemas by what they allow, whichever of them is the older. */
export interface Pair {
  /** What must stay within `wide`: former requests, or answers of today. */
  readonly narrow: Side
  readonly wide: Side
  readonly place: string
  readonly direction: Direction
}

/** Equal as JSON; the order of keys counts, as in a contract that was not touched. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
