import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../../db/schema.ts'

/*
 * Deletes what is kept for a time after its end. A statement deletes no more than a batch, and a
 * sweep no more than some batches of a table: nothing waits long for its locks, and what is left
 * comes next time.
 *
 * Raw SQL: one statement serves many tables, by their names, and deletes by the place of a row.
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
  const [isRevoked, isPast] = [sql<boolean>`revoked_at < ${before}`, sql<boolean>`day < ${before}`]
  await inBatches(() => deleteBatch(db, 'publishable_keys', isRevoked))
  await inBatches(() => deleteBatch(db, 'publishable_key_days', isPast))
}

/** Conversations whose last turn was before a time. */
export function deleteUnusedThreads(db: Kysely<Database>, before: Date): Promise<void> {
  return deleteInWorkspaces(db, 'threads', ['token_hash'], sql`used_at < ${before}`)
}

/** Unanswered questions that were last asked before a time: they are visitors' words. */
export function deleteUnaskedQuestions(db: Kysely<Database>, before: Date): Promise<void> {
  return deleteInWorkspaces(db, 'unanswered_questions', ['id'], sql`last_asked_at < ${before}`)
}

/** What was counted on shops' pages before a day; words that visitors searched for go earlier. */
export async function deleteOldSiteCounts(
  db: Kysely<Database>,
  { before, wordsBefore }: { before: Date; wordsBefore: Date },
): Promise<void> {
  const isOver = (date: RawBuilder<unknown>) => sql<boolean>`${date} < ${before}::date
    or (kind = 'missed' and ${date} < ${wordsBefore}::date)`
  await deleteInWorkspaces(db, 'site_counts', ['day', 'kind', 'name'], isOver(sql`day`))
  const keyOfShift = ['counted', 'meant', 'kind', 'name']
  await deleteInWorkspaces(db, 'site_shifts', keyOfShift, isOver(sql`counted`))
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

/**
 * Changes of before a time, from the oldest on: what is left of a feed is without gaps, or a follower
 * would miss some unawares. A change whose number is lower, but whose time is not over, keeps those
 * after it.
 */
export function deleteOldChanges(db: Kysely<Database>, before: Date): Promise<void> {
  const isOver = sql<boolean>`changed_at < ${before}`
  return inBatches(async () => {
    let deleted = 0
    for (const workspaceId of await listWorkspacesWith(db, 'catalogue_changes', isOver)) {
      const { numAffectedRows = 0n } = await sql`
        delete from catalogue_changes where workspace_id = ${workspaceId} and number <= (
          select max(number) from (
            select number, bool_and(${isOver}) over (order by number) as is_over
            from catalogue_changes where workspace_id = ${workspaceId}
            order by number limit ${rowsOfBatch}) oldest
          where is_over)`.execute(db)
      deleted += Number(numAffectedRows)
    }
    return deleted
  })
}

/** Messages to webhooks that were made before a time, whatever became of them. */
export function deleteOldDeliveries(db: Kysely<Database>, before: Date): Promise<void> {
  return deleteInWorkspaces(db, 'webhook_deliveries', ['id'], sql`created_at < ${before}`)
}

/** Files of replaced content whose time is over; the files themselves are orphans then. */
export function deleteOldKeptFiles(db: Kysely<Database>, now: Date): Promise<void> {
  const isOver = sql<boolean>`kept_until <= ${now}`
  return deleteInWorkspaces(db, 'kept_media_files', ['content_hash', 'media_id'], isOver)
}

/** Products that were deleted before a time, and the claims of their slugs. */
export function deleteOldKeptProducts(db: Kysely<Database>, before: Date): Promise<void> {
  const isOver = sql<boolean>`deleted_at < ${before}`
  return inBatches(async () => {
    let deleted = 0
    for (const workspaceId of await listWorkspacesWith(db, 'kept_products', isOver))
      deleted += await db.transaction().execute(async (trx) => {
        const { rows } = await sql<{ id: string; slug: string }>`
          delete from kept_products where workspace_id = ${workspaceId} and product_id = any(array(
            select product_id from kept_products where workspace_id = ${workspaceId} and ${isOver}
            order by product_id limit ${rowsOfBatch} for update))
          returning product_id as id, snapshot -> 'product' ->> 'slug' as slug`.execute(trx)
        // The rows are locked: none of these products comes back while its slug is given up.
        for (const { id, slug } of rows)
          await trx
            .deleteFrom('product_slugs')
            .where('slug', '=', slug)
            .where('product_id', '=', id)
            .execute()
        return rows.length
      })
    return deleted
  })
}

/** Change sets whose last step was before a time, with their rows. */
export function deleteOldSets(db: Kysely<Database>, before: Date): Promise<void> {
  const isOver = sql<boolean>`created_at < ${before}
    and coalesce(undone_at, applied_at, created_at) < ${before}`
  const parts = { change_set_rows: 'change_set_id', change_set_makes: 'change_set_id' }
  return deleteWithParts(db, 'change_sets', parts, isOver)
}

/** Files that were uploaded before a time, with their rows. */
export function deleteOldUploads(db: Kysely<Database>, before: Date): Promise<void> {
  const isOver = sql<boolean>`created_at < ${before}`
  return deleteWithParts(db, 'change_set_uploads', { change_set_upload_rows: 'upload_id' }, isOver)
}

/** Which pictures were fetched before a time; the pictures are media. */
export function deleteOldFetches(db: Kysely<Database>, before: Date): Promise<void> {
  const isOver = sql<boolean>`fetched_at < ${before}`
  return deleteInWorkspaces(db, 'fetched_pictures', ['upload_id', 'url_hash'], isOver)
}

/** Deletes things that have many rows in other tables; these go first, so that none is left over. */
async function deleteWithParts(
  db: Kysely<Database>,
  table: string,
  parts: Readonly<Record<string, string>>,
  isOver: RawBuilder<boolean>,
): Promise<void> {
  const { rows } = await sql<{ workspaceId: string; id: string }>`
    select workspace_id as "workspaceId", id from ${sql.table(table)} where ${isOver}
    limit ${rowsOfBatch}`.execute(db)
  for (const { workspaceId, id } of rows) {
    // Nobody else uses them any more: however many they are, nothing waits for their locks.
    for (const [part, column] of Object.entries(parts))
      await sql`delete from ${sql.table(part)}
        where workspace_id = ${workspaceId} and ${sql.ref(column)} = ${id}`.execute(db)
    await sql`delete from ${sql.table(table)}
      where workspace_id = ${workspaceId} and id = ${id}`.execute(db)
  }
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
  const rows = await db
    .selectFrom('integration_sources')
    .select('id')
    .where('id', '>', after)
    .orderBy('id')
    .limit(rowsOfBatch)
    .execute()
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return ''
  await db.transaction().execute(async (trx) => {
    const unused = await trx
      .selectFrom('integration_sources as s')
      .select('s.id')
      .where('s.id', 'in', ids)
      .where('s.status', '=', 'APPROVED')
      .where('s.first_seen_at', '<', sql<string>`${before}`)
      .where((eb) =>
        eb.not(
          eb.or([
            eb.exists(
              eb.selectFrom('api_keys as k').select('k.id').whereRef('k.source_id', '=', 's.id'),
            ),
            eb.exists(
              eb.selectFrom('grants as g').select('g.id').whereRef('g.source_id', '=', 's.id'),
            ),
            eb.exists(
              eb
                .selectFrom('oauth_clients as c')
                .select('c.id')
                .whereRef('c.source_id', '=', 's.id'),
            ),
          ]),
        ),
      )
      .orderBy('s.id')
      .forUpdate()
      .skipLocked()
      .execute()
    if (unused.length === 0) return
    const gone = unused.map(({ id }) => id)
    await trx.deleteFrom('integration_sources').where('id', 'in', gone).execute()
    // The counts of its connections, which add up to nothing.
    await trx.deleteFrom('row_counters').where('counted', 'in', gone).execute()
  })
  return ids.length < rowsOfBatch ? '' : ids.at(-1)!
}
