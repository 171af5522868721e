import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { eachAlone } from '../../fairness/alone.ts'
import { batchesOfSweep, deleteFirst, rowsOfBatch } from './batches.ts'

/*
 * Deletes things that have many rows in other tables: too many for the time limit of one statement, and for one
 * transaction. Each batch locks its thing and looks again whether it is over, so that no call uses one that
 * is half gone; one that others have locked is in use, and waits for the next sweep.
 *
 * Raw SQL: one statement serves many tables, by their names.
 */

interface Owners {
  table: string
  /** Tables of their rows, with the keys of these. */
  parts: Readonly<Record<string, KeyOfPart>>
  isOver: RawBuilder<boolean>
  /** What must be done before the first of its rows is deleted, in the same transaction. */
  whenLocked?: (trx: Transaction<Database>, owner: PartsOwner) => Promise<unknown>
}

/** Begins with the column of the owner's id. */
type KeyOfPart = readonly [ownerId: string, ...string[]]

interface PartsOwner {
  workspaceId: string
  id: string
}

export async function deleteWithParts(db: Kysely<Database>, owners: Owners): Promise<void> {
  const deleteWhole = async (owner: PartsOwner) => {
    while (await deleteSome(db, owners, owner));
  }
  const message = `Some rows of ${owners.table} are left with their parts.`
  await eachAlone(listOwners(db, owners), deleteWhole, message)
}

/** Things that are over, the oldest first. Each comes once: those that are left hide no others. */
async function* listOwners(
  db: Kysely<Database>,
  { table, isOver }: Owners,
): AsyncGenerator<PartsOwner> {
  let after = sql<boolean>`true`
  for (let round = 0; round < batchesOfSweep; round++) {
    // As text, because a date of JavaScript is less exact.
    const { rows } = await sql<PartsOwner & { createdAt: string }>`
      select workspace_id as "workspaceId", id, created_at::text as "createdAt"
      from ${sql.table(table)} where (${isOver}) and ${after}
      order by created_at, id limit ${rowsOfBatch}`.execute(db)
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < rowsOfBatch) return
    after = sql`(created_at, id) > (${last.createdAt}::timestamptz, ${last.id})`
  }
}

/** Deletes a batch of its rows, or the thing itself after the last; whether there is more. */
function deleteSome(
  db: Kysely<Database>,
  { table, parts, isOver, whenLocked }: Owners,
  owner: PartsOwner,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const isIt = sql`workspace_id = ${owner.workspaceId} and id = ${owner.id}`
    const locked = await sql`select id from ${sql.table(table)} where ${isIt} and (${isOver})
      for update skip locked`.execute(trx)
    if (locked.rows.length === 0) return false
    await whenLocked?.(trx, owner)
    for (const [part, key] of Object.entries(parts)) {
      const isOwn = sql`workspace_id = ${owner.workspaceId} and ${sql.ref(key[0])} = ${owner.id}`
      if ((await deleteFirst(trx, part, key, isOwn)) === rowsOfBatch) return true
    }
    // A sweep of the build before does not lock the thing. While it is at some rows, these are not counted here.
    const left = Object.entries(parts).map(
      ([part, [ownerId]]) => sql`exists (select from ${sql.table(part)}
        where workspace_id = ${owner.workspaceId} and ${sql.ref(ownerId)} = ${owner.id})`,
    )
    await sql`delete from ${sql.table(table)}
      where ${isIt} and not (${sql.join(left, sql` or `)})`.execute(trx)
    return false
  })
}
