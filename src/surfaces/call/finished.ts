import type { TracedCall } from '../../adapters/tracing.ts'
import type { Meter } from '../../db/sessions/metered.ts'

/** A finished request and its cost. Its path contains nothing that must not be logged. */
export interface FinishedExchange extends TracedCall {
  bytes: number
  meter: Meter
}
