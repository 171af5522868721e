import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { eachAlone } from '../../fairness/alone.ts'

/*
 * Deletes rows by what is over. A statement deletes no more than a batch, and a sweep no more than
 * some batches of a table: nothing waits long for its locks, no statement runs into its time limit,
 * and what is left comes next time. A statement says twice what is over: a row that somebody uses while
 * it waits for the row's lock is not.
 *
 * Raw SQL: one statement serves many tables, by their names, and deletes by the place of a row.
 */
export const rowsOfBatch = 1000
const batchesOfSweep = 100

/** Deletes batches of a table that no workspace divides. */
export async function deleteInBatches(
  db: Kysely<Database>,
  name: string,
  isOver: RawBuilder<boolean>,
  rows = rowsOfBatch,
): Promise<void> {
  const table = sql.table(name)
  for (let round = 0; round < batchesOfSweep; round++) {
    const { numAffectedRows = 0n } = await sql`
      delete from ${table} where (${isOver}) and ctid = any(array(
        select ctid from ${table} where ${isOver} limit ${rows}))`.execute(db)
    if (numAffectedRows < rows) return
  }
}

/** Deletes batches of a table of workspaces, whose rows have this key within each. */
export function deleteInWorkspaces(
  db: Kysely<Database>,
  name: string,
  columns: readonly string[],
  isOver: RawBuilder<boolean>,
): Promise<void> {
  const table = sql.table(name)
  const key = sql.join(columns.map((column) => sql.ref(column)))
  return inWorkspaces(db, name, isOver, async (workspaceId) => {
    const { numAffectedRows = 0n } = await sql`
      delete from ${table} where workspace_id = ${workspaceId} and (${isOver}) and (${key}) in (
        select ${key} from ${table} where workspace_id = ${workspaceId} and (${isOver})
        limit ${rowsOfBatch})`.execute(db)
    return Number(numAffectedRows)
  })
}

/**
 * Calls `deleteBatch`, which returns the number of rows, for each workspace with rows that are over, as
 * long as there are more. One that has failed waits for the next sweep.
 */
export async function inWorkspaces(
  db: Kysely<Database>,
  table: string,
  isOver: RawBuilder<boolean>,
  deleteBatch: (workspaceId: string) => Promise<number>,
): Promise<void> {
  const failed: string[] = []
  let deleted = 0
  async function* due() {
    for (let round = 0; round < batchesOfSweep; round++) {
      const [deletedBefore, failedBefore] = [deleted, failed.length]
      yield* await listWorkspacesWith(db, table, isOver, failed)
      // The rows of one that has failed may have hidden those of others.
      if (deleted - deletedBefore < rowsOfBatch && failed.length === failedBefore) return
    }
  }
  const deleteIn = async (workspaceId: string) => {
    try {
      const count = await deleteBatch(workspaceId)
      deleted += count
    } catch (error) {
      failed.push(workspaceId)
      throw error
    }
  }
  await eachAlone(due(), deleteIn, `Some workspaces keep rows of ${table}.`)
}

/** Workspaces with a batch of such rows, except for some. */
async function listWorkspacesWith(
  db: Kysely<Database>,
  table: string,
  isOver: RawBuilder<boolean>,
  except: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ workspaceId: string }>`
    select distinct workspace_id as "workspaceId" from (
      select workspace_id from ${sql.table(table)}
      where (${isOver}) and workspace_id <> all(${except}) limit ${rowsOfBatch}
    ) due`.execute(db)
  return rows.map(({ workspaceId }) => workspaceId)
}
