import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { eachAlone } from '../../fairness/alone.ts'
import { deleteInBatches, deleteInWorkspaces, inWorkspaces, rowsOfBatch } from './batches.ts'
import { deleteWithParts } from './with_parts.ts'

/*
 * Deletes data that is kept for a limited time after its end.
 *
 * Raw SQL: one statement serves many tables, by their names.
 */

/** Mails that were given up: they contain personal addresses, and the failure is known by then. */
export function deleteFailedMails(db: Kysely<Database>, before: Date): Promise<void> {
  return deleteInBatches(db, 'mails', sql`failed_at < ${before}`)
}

/**
 * Keys and grants that ended before a time, with the rows that depend on a grant. Used authorization codes
 * are deleted as soon as the grant has ended, because their reuse cannot end it again.
 */
export async function deleteEndedConnections(
  db: Kysely<Database>,
  { before, now }: { before: Date; now: Date },
): Promise<void> {
  const isOver = sql<boolean>`least(revoked_at, expires_at) < ${before}`
  const ofEndedGrant = sql<boolean>`consumed_at is not null and grant_id in (
    select id from grants where least(revoked_at, expires_at) <= ${now})`
  const tables: Record<string, RawBuilder<boolean>> = {
    authorization_codes: ofEndedGrant,
    api_keys: isOver,
    grants: isOver,
    publishable_keys: sql<boolean>`revoked_at < ${before}`,
    publishable_key_days: sql<boolean>`day < ${before}`,
  }
  await eachAlone(
    Object.entries(tables),
    ([table, condition]) => deleteInBatches(db, table, condition),
    'Some ended connections were not deleted.',
  )
}

/** Conversations whose last turn was before a time. */
export function deleteUnusedThreads(db: Kysely<Database>, before: Date): Promise<void> {
  return deleteInWorkspaces(db, 'threads', ['token_hash'], sql`used_at < ${before}`)
}

/** Unanswered questions that were last asked before a time, because they are visitors' words. */
export function deleteUnaskedQuestions(db: Kysely<Database>, before: Date): Promise<void> {
  return deleteInWorkspaces(db, 'unanswered_questions', ['id'], sql`last_asked_at < ${before}`)
}

/** Counts of shops' pages before a day; the words of searches are deleted earlier. */
export async function deleteOldSiteCounts(
  db: Kysely<Database>,
  { before, wordsBefore }: { before: Date; wordsBefore: Date },
): Promise<void> {
  const isOver = (date: RawBuilder<unknown>) => sql<boolean>`${date} < ${before}::date
    or (kind = 'missed' and ${date} < ${wordsBefore}::date)`
  const keyOfShift = ['counted', 'meant', 'kind', 'name']
  const deletions = [
    () => deleteInWorkspaces(db, 'site_counts', ['day', 'kind', 'name'], isOver(sql`day`)),
    () => deleteInWorkspaces(db, 'site_shifts', keyOfShift, isOver(sql`counted`)),
  ]
  await eachAlone(deletions, (deletion) => deletion(), 'Some figures of sites were not deleted.')
}

/** Reservations that have ended; the ledger keeps their cost. */
export function deleteEndedReservations(db: Kysely<Database>, before: Date): Promise<void> {
  const isOver = sql<boolean>`created_at < ${before} and status <> 'HELD'`
  return deleteInWorkspaces(db, 'reservations', ['id'], isOver)
}

/** Activities before a time. */
export function deleteOldActivities(db: Kysely<Database>, before: Date): Promise<void> {
  return deleteInWorkspaces(db, 'activities', ['created_at', 'id'], sql`created_at < ${before}`)
}

/**
 * Changes before a time, from the oldest on. What is left of a feed must have no gaps, or a follower would
 * miss changes without noticing: a recent change also keeps all changes with higher numbers.
 */
export function deleteOldChanges(db: Kysely<Database>, before: Date): Promise<void> {
  const isOver = sql<boolean>`changed_at < ${before}`
  return inWorkspaces(db, 'catalogue_changes', isOver, async (workspaceId) => {
    const { numAffectedRows = 0n } = await sql`
      delete from catalogue_changes where workspace_id = ${workspaceId} and number <= (
        select max(number) from (
          select number, bool_and(${isOver}) over (order by number) as is_over
          from catalogue_changes where workspace_id = ${workspaceId}
          order by number limit ${rowsOfBatch}) oldest
        where is_over)`.execute(db)
    return Number(numAffectedRows)
  })
}

/** Messages to webhooks that were created before a time, in any state. */
export function deleteOldDeliveries(db: Kysely<Database>, before: Date): Promise<void> {
  return deleteInWorkspaces(db, 'webhook_deliveries', ['id'], sql`created_at < ${before}`)
}

/** Files of replaced content that are no longer kept; the files themselves become orphans. */
export function deleteOldKeptFiles(db: Kysely<Database>, now: Date): Promise<void> {
  const isOver = sql<boolean>`kept_until <= ${now}`
  return deleteInWorkspaces(db, 'kept_media_files', ['content_hash', 'media_id'], isOver)
}

/** Products that were deleted before a time, and the claims of their slugs. */
export function deleteOldKeptProducts(db: Kysely<Database>, before: Date): Promise<void> {
  const isOver = sql<boolean>`deleted_at < ${before}`
  return inWorkspaces(db, 'kept_products', isOver, (workspaceId) =>
    db.transaction().execute(async (trx) => {
      const { rows } = await sql<{ id: string; slug: string }>`
        delete from kept_products where workspace_id = ${workspaceId} and product_id = any(array(
          select product_id from kept_products where workspace_id = ${workspaceId} and ${isOver}
          order by product_id limit ${rowsOfBatch} for update))
        returning product_id as id, snapshot -> 'product' ->> 'slug' as slug`.execute(trx)
      // The rows are locked, so none of these products can be restored while its slug is given up.
      for (const { id, slug } of rows)
        await trx
          .deleteFrom('product_slugs')
          .where('slug', '=', slug)
          .where('product_id', '=', id)
          .execute()
      return rows.length
    }),
  )
}

/**
 * Change sets whose last step was before a time, with their rows. One whose step goes on is kept, however old: its
 * rows are what is being written. What could still be planned and applied is cancelled before its rows go.
 */
export function deleteOldSets(db: Kysely<Database>, before: Date): Promise<void> {
  const isOver = sql<boolean>`created_at < ${before}
    and greatest(created_at, planned_at, applied_at, undone_at) < ${before}
    and state not in ('PLANNING', 'APPLYING', 'UNDOING')`
  return deleteWithParts(db, {
    table: 'change_sets',
    parts: {
      change_set_rows: ['change_set_id', 'number'],
      change_set_makes: ['change_set_id', 'kind', 'name_key'],
    },
    isOver,
    whenLocked: (trx, { workspaceId, id }) =>
      trx
        .updateTable('change_sets')
        .set({ state: 'CANCELLED' })
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .where('state', 'in', ['PLANNED', 'WAITING', 'EXPIRED', 'FAILED'])
        .execute(),
  })
}

/** Files that were uploaded before a time, with their rows. */
export function deleteOldUploads(db: Kysely<Database>, before: Date): Promise<void> {
  return deleteWithParts(db, {
    table: 'change_set_uploads',
    parts: { change_set_upload_rows: ['upload_id', 'number'] },
    isOver: sql<boolean>`created_at < ${before}`,
  })
}

/** Records of pictures fetched before a time; the pictures themselves are media. */
export function deleteOldFetches(db: Kysely<Database>, before: Date): Promise<void> {
  const isOver = sql<boolean>`fetched_at < ${before}`
  return deleteInWorkspaces(db, 'fetched_pictures', ['upload_id', 'url_hash'], isOver)
}

/** The next sources after an id, and where to continue: at the beginning after the last. */
export async function listSourcesAfter(
  db: Kysely<Database>,
  after: string,
): Promise<{ ids: string[]; next: string }> {
  const rows = await db
    .selectFrom('integration_sources')
    .select('id')
    .where('id', '>', after)
    .orderBy('id')
    .limit(rowsOfBatch)
    .execute()
  const ids = rows.map(({ id }) => id)
  return { ids, next: ids.length < rowsOfBatch ? '' : ids.at(-1)! }
}

/**
 * Deletes the sources that were first seen before a time and that nothing refers to. A blocked source
 * stays, or its software could come back.
 */
export async function deleteUnusedSources(
  db: Kysely<Database>,
  ids: readonly string[],
  before: Date,
): Promise<void> {
  if (ids.length === 0) return
  const unused = await unusedSources(db, ids, before).execute()
  const deleteSource = ({ id }: { id: string }) =>
    db.transaction().execute(async (trx) => {
      const locked = unusedSources(trx, [id], before).forUpdate().skipLocked()
      if (!(await locked.executeTakeFirst())) return
      await trx.deleteFrom('integration_sources').where('id', '=', id).execute()
      // The counters of its connections, whose sum is zero.
      await trx.deleteFrom('row_counters').where('counted', '=', id).execute()
    })
  await eachAlone(unused, deleteSource, 'Some unused sources were not deleted.')
}

function unusedSources(
  db: Kysely<Database> | Transaction<Database>,
  ids: readonly string[],
  before: Date,
) {
  return db
    .selectFrom('integration_sources as s')
    .select('s.id')
    .where('s.id', 'in', ids)
    .where('s.status', '=', 'APPROVED')
    .where('s.first_seen_at', '<', sql<string>`${before}`)
    .where((eb) => {
      const keys = eb.selectFrom('api_keys as k').whereRef('k.source_id', '=', 's.id')
      const grants = eb.selectFrom('grants as g').whereRef('g.source_id', '=', 's.id')
      const clients = eb.selectFrom('oauth_clients as c').whereRef('c.source_id', '=', 's.id')
      const users = [keys.select('k.id'), grants.select('g.id'), clients.select('c.id')]
      return eb.not(eb.or(users.map((each) => eb.exists(each))))
    })
}
