// Generated from openapi.yaml by `npm run codegen`. Do not edit.

import type { OperationId } from './operations.ts'

/** The headers of an answer to a call of what is deprecated. */
export interface DeprecationHeaders {
  Deprecation: string
  Sunset?: string
}

/** A deprecated operation, or one with deprecated parameters, by place and name. */
export interface Deprecated {
  operation: DeprecationHeaders | null
  parameters: Record<string, DeprecationHeaders>
}

export const deprecations: Partial<Record<OperationId, Deprecated>> = {
}
