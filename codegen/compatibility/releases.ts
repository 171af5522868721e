import type { OpenApiDocument } from '../document.ts'
import { operationBreaks } from './operations.ts'
import { type ReleasedTool, toolBreaks } from './tools.ts'

/** What integrators and agents saw of a version. */
export interface Release {
  readonly document: OpenApiDocument
  readonly tools: readonly ReleasedTool[]
}

/**
 * Everything that may break a client of `before` at a service with `after`, each in one line that
 * begins with its place. What the policy of v1 allows (operations, optional parameters and fields of
 * requests, error codes, enum values of answers, fields of open answers) is not among it.
 */
export function breaksBetween(before: Release, after: Release): string[] {
  const breaks = [
    ...operationBreaks(before.document, after.document),
    ...toolBreaks(before.tools, after.tools),
  ]
  return [...new Set(breaks)].sort()
}
