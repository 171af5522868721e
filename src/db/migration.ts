import type { Kysely } from 'kysely'

/** A migration that runs in one transaction: only for tables that are small or new. */
interface WholeMigration {
  up(trx: Kysely<unknown>): Promise<void>
}

/** What a step runs with. */
export interface StepContext {
  /** One connection, outside a transaction. */
  db: Kysely<unknown>
  /**
   * Calls `batch` until it returns undefined. Each call runs in a transaction that also stores the position
   * it returns, where the next start continues after a kill.
   */
  inBatches: (
    batch: (trx: Kysely<unknown>, position: number) => Promise<number | undefined>,
  ) => Promise<void>
  /** Reports how far the step is, for people who wait for it. */
  progress: (share: number) => void
  /** Reports something about the outcome that an operator should know. */
  say: (line: string) => void
}

/**
 * A part of a migration that runs beside a working service. It commits as it goes, so a repeat after a kill
 * at any point must have the same result.
 */
export interface Step {
  name: string
  run: (context: StepContext) => Promise<void>
}

/** A migration in steps, for tables that are large and in use. */
interface SteppedMigration {
  steps: readonly Step[]
  /**
   * True if the previous build cannot work without what this drops: a contraction. It waits for a start
   * that finds no older build alive. Every other migration is an expansion, which older builds can work
   * beside; an expansion must not need a contraction, because it runs before all of them.
   */
  endsBuildBefore?: boolean
}

export type Migration = WholeMigration | SteppedMigration
export type Migrations = Readonly<Record<string, Migration>>
