import type { Trace } from '../../core/telemetry/traces.ts'
import type { Meter } from '../../db/sessions/metered.ts'

/** A request that is over, and what it has cost. */
export interface FinishedExchange {
  surface: string
  method: string | undefined
  /** Without what must not be logged. */
  path: string
  operation: string | undefined
  workspaceId: string | undefined
  /** Undefined if the client left before the answer. */
  status: number | undefined
  /** By `performance.now`. */
  startedAt: number
  milliseconds: number
  bytes: number
  meter: Meter
  trace: Trace | undefined
}
