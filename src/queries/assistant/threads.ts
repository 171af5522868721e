import { type Kysely, sql, type Transaction } from 'kysely'
import { notFound } from '../../core/errors.ts'
import { prepared } from '../../db/prepared.ts'
import type { Database } from '../../db/schema.ts'

/** The visitor of a conversation, and the hash of the token that is its public id. */
interface ThreadAddress {
  workspaceId: string
  visitorId: string
  tokenHash: Buffer
}

export type StoredTurn = Database['threads']['turns']['__select__'][number]

const insertPrepared = prepared<ThreadAddress & { turns: string; now: Date }>()(
  'insert_thread',
  (_db, parameter) => sql`
    insert into threads (workspace_id, visitor_id, token_hash, turns, created_at, used_at)
    values (${parameter('workspaceId')}, ${parameter('visitorId')}, ${parameter('tokenHash')},
      ${parameter('turns')}, ${parameter('now')}, ${parameter('now')})`,
)

export async function insertThread(
  trx: Transaction<Database>,
  address: ThreadAddress,
  turns: readonly StoredTurn[],
  now: Date,
): Promise<void> {
  await insertPrepared(trx, { ...address, turns: JSON.stringify(turns), now })
}

const findTurns = prepared<ThreadAddress>()('find_turns', (db, parameter) =>
  db
    .selectFrom('threads')
    .select('turns')
    .where('token_hash', '=', parameter('tokenHash'))
    .where('workspace_id', '=', parameter('workspaceId'))
    .where('visitor_id', '=', parameter('visitorId')),
)

/** The turns of a conversation of this workspace and visitor; no others are found. */
export async function getTurns(
  db: Kysely<Database>,
  address: ThreadAddress,
): Promise<StoredTurn[]> {
  const [thread] = await findTurns(db, address)
  if (!thread) throw notFound('conversation')
  return thread.turns
}

const appendPrepared = prepared<
  Omit<ThreadAddress, 'visitorId'> & { added: string; range: string; now: Date }
>()(
  'append_turns',
  (_db, parameter) => sql`
    update threads set turns = jsonb_path_query_array(turns || ${parameter('added')}::jsonb,
      ${parameter('range')}::jsonpath),
      used_at = case when used_at < ${parameter('now')}::timestamptz - interval '1 day'
        then ${parameter('now')} else used_at end
    where workspace_id = ${parameter('workspaceId')} and token_hash = ${parameter('tokenHash')}`,
)

/**
 * Appends to a conversation and keeps only the latest turns. Locks the row, so that no concurrent
 * answer is lost; a conversation deleted meanwhile stays deleted. Its use is noted once a day, so that
 * most answers change no index.
 */
export async function appendTurns(
  trx: Transaction<Database>,
  { workspaceId, tokenHash }: ThreadAddress,
  turns: readonly StoredTurn[],
  { limit, now }: { limit: number; now: Date },
): Promise<void> {
  const added = JSON.stringify(turns)
  const range = `$[last - ${limit - 1} to last]`
  await appendPrepared(trx, { workspaceId, tokenHash, added, range, now })
}

/** Deletes a conversation of this workspace and visitor only. */
export async function deleteThread(
  db: Kysely<Database>,
  { workspaceId, visitorId, tokenHash }: ThreadAddress,
): Promise<void> {
  const result = await db
    .deleteFrom('threads')
    .where('token_hash', '=', tokenHash)
    .where('workspace_id', '=', workspaceId)
    .where('visitor_id', '=', visitorId)
    .executeTakeFirst()
  if (result.numDeletedRows === 0n) throw notFound('conversation')
}
