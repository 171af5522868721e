import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { PictureState } from '../../db/schema/media.ts'
import type { components } from '../../generated/types.ts'

/* Raw SQL: a claim locks a row and skips those that others have locked. */

/** A picture's content, whose files one process makes at a time. */
export interface QueuedPicture {
  workspaceId: string
  contentHash: string
}

export interface PendingPicture extends QueuedPicture {
  extension: string
  mimeType: components['schemas']['MimeType']
  variants: PictureState
}

const isUnready = sql<boolean>`ready_hash is distinct from content_hash`

/** Pictures of earlier builds that are put into the queue at once. */
const queuedAtOnce = 1000

/**
 * Puts pictures whose files are not all made, and that are not in the queue, into it: those of builds before.
 * Two statements, because pictures may lie on other nodes than the queue.
 */
export async function queueForgotten(db: Kysely<Database>, now: Date): Promise<void> {
  const pending = await db
    .selectFrom('media')
    .select(['workspace_id as workspaceId', 'content_hash as contentHash'])
    .where(isUnready)
    .limit(queuedAtOnce)
    .execute()
  if (pending.length === 0) return
  await sql`
    insert into picture_queue (workspace_id, content_hash, leased_until, is_forgotten)
    select distinct workspace_id, content_hash, ${now}::timestamptz, true from unnest(
      ${pending.map(({ workspaceId }) => workspaceId)}::text[],
      ${pending.map(({ contentHash }) => contentHash)}::text[]) as p (workspace_id, content_hash)
    on conflict on constraint picture_queue_key do nothing`.execute(db)
}

/**
 * Notes that the files of no picture are made: none of them is there. A backup of an earlier build may lack
 * one of the columns.
 */
export async function forgetMadeFiles(
  trx: Transaction<Database>,
  columns: readonly { name: string }[],
): Promise<void> {
  const changes = [
    { column: 'ready_hash', value: sql`null` },
    { column: 'variants', value: sql`case variants when 1 then 0 else variants end` },
  ].filter(({ column }) => columns.some(({ name }) => name === column))
  if (changes.length === 0) return
  const set = changes.map(({ column, value }) => sql`${sql.ref(column)} = ${value}`)
  await sql`update media set ${sql.join(set)}`.execute(trx)
}

/** Puts the picture of an item that is being stored into the queue, or ahead of the forgotten ones there. */
export async function queuePicture(
  trx: Transaction<Database>,
  { workspaceId, contentHash }: QueuedPicture,
  now: Date,
): Promise<void> {
  await trx
    .insertInto('picture_queue')
    .values({ workspace_id: workspaceId, content_hash: contentHash, leased_until: now })
    .onConflict((on) =>
      on
        .constraint('picture_queue_key')
        .doUpdateSet({ is_forgotten: false })
        .where('picture_queue.is_forgotten', '=', true),
    )
    .execute()
}

/**
 * Claims a picture for a time. What was just uploaded comes before what a sweep has found, a thousand at a
 * time; of each, the least tried first.
 */
export async function claimPicture(
  db: Kysely<Database>,
  { now, until }: { now: Date; until: Date },
): Promise<(QueuedPicture & { attempts: number }) | undefined> {
  const { rows } = await sql<QueuedPicture & { attempts: number }>`
    update picture_queue q set leased_until = ${until}, attempts = q.attempts + 1
    where (q.workspace_id, q.content_hash) = (
      select w.workspace_id, w.content_hash from picture_queue w where w.leased_until <= ${now}
      order by w.is_forgotten, w.attempts, w.leased_until, w.content_hash limit 1 for update skip locked)
    returning q.workspace_id as "workspaceId", q.content_hash as "contentHash",
      q.attempts`.execute(db)
  return rows[0]
}

/** The picture, if its files are still to be made. */
export async function findPending(
  db: Kysely<Database>,
  { workspaceId, contentHash }: QueuedPicture,
): Promise<PendingPicture | undefined> {
  const row = await db
    .selectFrom('media')
    .select(['extension', 'mime_type as mimeType', 'variants'])
    .where('workspace_id', '=', workspaceId)
    .where('content_hash', '=', contentHash)
    .where(isUnready)
    .orderBy('variants')
    .limit(1)
    .executeTakeFirst()
  if (!row) return undefined
  return { workspaceId, contentHash, ...row, mimeType: row.mimeType as PendingPicture['mimeType'] }
}

/**
 * Leaves a picture in the queue as if it had not been tried, unless another process has claimed it since.
 */
export async function unclaimPicture(
  db: Kysely<Database>,
  { workspaceId, contentHash }: QueuedPicture,
  until: Date,
): Promise<void> {
  await db
    .updateTable('picture_queue')
    .set((eb) => ({ attempts: eb('attempts', '-', 1) }))
    .where('workspace_id', '=', workspaceId)
    .where('content_hash', '=', contentHash)
    .where('leased_until', '=', until.toISOString())
    .execute()
}

/** Notes that a picture gets no further files. A size that is known stays. */
export async function giveUpPicture(
  trx: Transaction<Database>,
  { workspaceId, contentHash }: QueuedPicture,
): Promise<void> {
  await trx
    .updateTable('media')
    .set((eb) => ({
      width: eb.fn.coalesce('width', eb.lit(0)),
      height: eb.fn.coalesce('height', eb.lit(0)),
      variants: sql<PictureState>`case variants when 0 then 2 else variants end`,
      ready_hash: contentHash,
    }))
    .where('workspace_id', '=', workspaceId)
    .where('content_hash', '=', contentHash)
    .where(isUnready)
    .execute()
  await unqueuePicture(trx, { workspaceId, contentHash })
}

/** Stores the result for all items with this content, and takes the picture out of the queue. */
export async function finishPicture(
  trx: Transaction<Database>,
  { workspaceId, contentHash }: QueuedPicture,
  result: { width: number; height: number; variants: 1 | 2 },
): Promise<void> {
  await trx
    .updateTable('media')
    .set({ ...result, ready_hash: contentHash })
    .where('workspace_id', '=', workspaceId)
    .where('content_hash', '=', contentHash)
    .execute()
  await unqueuePicture(trx, { workspaceId, contentHash })
}

export async function unqueuePicture(
  db: Kysely<Database>,
  { workspaceId, contentHash }: QueuedPicture,
): Promise<void> {
  await db
    .deleteFrom('picture_queue')
    .where('workspace_id', '=', workspaceId)
    .where('content_hash', '=', contentHash)
    .execute()
}
