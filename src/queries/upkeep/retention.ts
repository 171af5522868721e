import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../../db/schema.ts'

/*
 * Deletes what is kept for a time after its end. A statement deletes no more than a batch, and a
 * sweep no more than some batches of a table: nothing waits long for its locks, and what is left
 * comes next time.
 */
const rowsOfBatch = 1000
const batchesOfSweep = 100

/** Deletes a batch of a table that no workspace divides; returns the number of rows. */
async function deleteBatch(
  db: Kysely<Database>,
  table: string,
  isOver: RawBuilder<boolean>,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from ${sql.table(table)} where ctid = any(array(
      select ctid from ${sql.table(table)} where ${isOver} limit ${rowsOfBatch}))`.execute(db)
  return Number(numAffectedRows)
}

async function inBatches(batch: () => Promise<number>): Promise<void> {
  for (let round = 0; round < batchesOfSweep; round++) if ((await batch()) < rowsOfBatch) return
}

/** Mails that were given up: their recipients are people, and the failure is known by then. */
export function deleteFailedMails(db: Kysely<Database>, before: Date): Promise<void> {
  return inBatches(() => deleteBatch(db, 'mails', sql`failed_at < ${before}`))
}

/**
 * Keys and grants that ended before a time. What hangs on a grant goes with it. Used authorization
 * codes go once the grant has ended at all, because no reuse of theirs can end it again.
 */
export async function deleteEndedConnections(
  db: Kysely<Database>,
  { before, now }: { before: Date; now: Date },
): Promise<void> {
  const isOver = sql<boolean>`least(revoked_at, expires_at) < ${before}`
  const ofEndedGrant = sql<boolean>`consumed_at is not null and grant_id in (
    select id from grants where least(revoked_at, expires_at) <= ${now})`
  await inBatches(() => deleteBatch(db, 'authorization_codes', ofEndedGrant))
  for (const table of ['api_keys', 'grants']) await inBatches(() => deleteBatch(db, table, isOver))
}

/** Conversations whose last turn was before a time. */
export function deleteUnusedThreads(db: Kysely<Database>, before: Date): Promise<void> {
  return deleteInWorkspaces(db, 'threads', ['token_hash'], sql`used_at < ${before}`)
}

/** Unanswered questions that were last asked before a time: they are visitors' words. */
export function deleteUnaskedQuestions(db: Kysely<Database>, before: Date): Promise<void> {
  return deleteInWorkspaces(db, 'unanswered_questions', ['id'], sql`last_asked_at < ${before}`)
}

/** Reservations that have ended; the ledger keeps what they cost. */
export function deleteEndedReservations(db: Kysely<Database>, before: Date): Promise<void> {
  const isOver = sql<boolean>`created_at < ${before} and status <> 'HELD'`
  return deleteInWorkspaces(db, 'reservations', ['id'], isOver)
}

/** What was changed in workspaces before a time. */
export function deleteOldActivities(db: Kysely<Database>, before: Date): Promise<void> {
  return deleteInWorkspaces(db, 'activities', ['created_at', 'id'], sql`created_at < ${before}`)
}

/** Files of replaced content whose time is over; the files themselves are orphans then. */
export function deleteOldKeptFiles(db: Kysely<Database>, now: Date): Promise<void> {
  const isOver = sql<boolean>`kept_until <= ${now}`
  return deleteInWorkspaces(db, 'kept_media_files', ['content_hash', 'media_id'], isOver)
}

/** Deletes batches of a table of workspaces, whose rows have this key within each. */
function deleteInWorkspaces(
  db: Kysely<Database>,
  name: string,
  columns: readonly string[],
  isOver: RawBuilder<boolean>,
): Promise<void> {
  const table = sql.table(name)
  const key = sql.join(columns.map((column) => sql.ref(column)))
  return inBatches(async () => {
    let deleted = 0
    for (const workspaceId of await listWorkspacesWith(db, name, isOver)) {
      const { numAffectedRows = 0n } = await sql`
        delete from ${table} where workspace_id = ${workspaceId} and (${key}) in (
          select ${key} from ${table} where workspace_id = ${workspaceId} and ${isOver}
          limit ${rowsOfBatch})`.execute(db)
      deleted += Number(numAffectedRows)
    }
    return deleted
  })
}

/** Workspaces with rows to delete, found by a batch of them. They may lie on different nodes. */
async function listWorkspacesWith(
  db: Kysely<Database>,
  table: string,
  isOver: RawBuilder<boolean>,
): Promise<string[]> {
  const { rows } = await sql<{ workspaceId: string }>`
    select distinct workspace_id as "workspaceId" from (
      select workspace_id from ${sql.table(table)} where ${isOver} limit ${rowsOfBatch}
    ) due`.execute(db)
  return rows.map(({ workspaceId }) => workspaceId)
}

/**
 * Looks at the next sources after an id and deletes those first seen before a time that nothing
 * refers to. A blocked one stays, or its software could come back. Returns where to go on; from the
 * beginning after the last.
 */
export async function deleteUnusedSources(
  db: Kysely<Database>,
  { after, before }: { after: string; before: Date },
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select id from integration_sources where id > ${after} order by id
    limit ${rowsOfBatch}`.execute(db)
  const ids = rows.map(({ id }) => id)
  await db.transaction().execute(async (trx) => {
    const { rows: unused } = await sql<{ id: string }>`
      select id from integration_sources s
      where id = any(${ids}) and status = 'APPROVED' and first_seen_at < ${before}
        and not exists (select from api_keys where source_id = s.id)
        and not exists (select from grants where source_id = s.id)
        and not exists (select from oauth_clients where source_id = s.id)
      order by id for update skip locked`.execute(trx)
    if (unused.length === 0) return
    const gone = unused.map(({ id }) => id)
    await sql`delete from integration_sources where id = any(${gone})`.execute(trx)
    // The counts of its connections, which add up to nothing.
    await sql`delete from row_counters where counted = any(${gone})`.execute(trx)
  })
  return ids.length < rowsOfBatch ? '' : ids.at(-1)!
}
