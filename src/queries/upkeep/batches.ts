import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { eachAlone } from '../../fairness/alone.ts'

/*
 * Deletes rows that are over, by a condition. A statement deletes at most a batch, and a sweep at most some
 * batches of a table: its locks are short, no statement exceeds its time limit, and the rest is left for
 * the next sweep. A statement states the condition twice, so that a row that comes into use while the
 * statement waits for its lock is kept.
 *
 * Raw SQL: one statement serves many tables, by their names, and deletes by the physical position of a row.
 */
export const rowsOfBatch = 1000
export const batchesOfSweep = 100

/** Deletes batches of a table that is not divided by workspaces. */
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

/** Deletes batches of a table of workspaces; `columns` identify a row within a workspace. */
export function deleteInWorkspaces(
  db: Kysely<Database>,
  name: string,
  columns: readonly string[],
  isOver: RawBuilder<boolean>,
): Promise<void> {
  return inWorkspaces(db, name, isOver, (workspaceId) =>
    deleteFirst(db, name, columns, sql`workspace_id = ${workspaceId} and (${isOver})`),
  )
}

/**
 * Deletes the first rows that meet a condition, in the order of their key, at most a batch; how many there were.
 *
 * Up to the last of them, not those of a list: where a planner takes a table for small, because it grew since it was
 * analysed, it reads the list anew for every row (a batch of 2,500 rows took 1.5 s so, and takes 5 ms).
 */
export async function deleteFirst(
  db: Kysely<Database>,
  name: string,
  columns: readonly string[],
  condition: RawBuilder<unknown>,
): Promise<number> {
  const table = sql.table(name)
  const refs = columns.map((column) => sql.ref(column))
  const key = sql.join(refs)
  const fromLast = sql.join(refs.map((ref) => sql`${ref} desc`))
  const { numAffectedRows = 0n } = await sql`delete from ${table}
    where ${condition} and (${key}) <= (
      select ${key} from (
        select ${key} from ${table} where ${condition} order by ${key} limit ${rowsOfBatch}) batch
      order by ${fromLast} limit 1)`.execute(db)
  return Number(numAffectedRows)
}

/**
 * Calls `deleteBatch`, which returns the number of rows, for each workspace with such rows, as long as
 * there are more. A workspace whose call fails waits for the next sweep.
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
      // The rows of a failed workspace may have hidden those of others.
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

/** Workspaces with such rows, at most a batch of rows, without the given ones. */
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
