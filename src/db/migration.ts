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
   * Calls `batch` until it returns undefined, each call in a transaction that also stores the
   * position it returns: after a kill, the next start continues there.
   */
  inBatches: (
    batch: (trx: Kysely<unknown>, position: number) => Promise<number | undefined>,
  ) => Promise<void>
  /** Says how far the step is, to people who wait for it. */
  progress: (share: number) => void
  /** Says what an operator should know of the outcome. */
  say: (line: string) => void
}

/**
 * A part of a migration that runs beside a working service. It commits as it goes, so it must have
 * the same result when it is run again after a kill at any point.
 */
export interface Step {
  name: string
  run: (context: StepContext) => Promise<void>
}

/** A migration in steps, for tables that are large and in use. */
interface SteppedMigration {
  steps: readonly Step[]
  /**
   * True if the build before cannot work without what this takes away: a contraction. It waits for a
   * start that finds no older build alive. Every other migration is an expansion, which older builds
   * read and write beside; none may need a contraction, because it runs before them.
   */
  endsBuildBefore?: boolean
}

export type Migration = WholeMigration | SteppedMigration
export type Migrations = Readonly<Record<string, Migration>>
