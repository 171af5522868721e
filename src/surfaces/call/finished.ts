import type { TracedCall } from '../../adapters/tracing.ts'
import type { Meter } from '../../db/sessions/metered.ts'

/** A request that is over, and what it has cost. Its path is without what must not be logged. */
export interface FinishedExchange extends TracedCall {
  bytes: number
  meter: Meter
}
