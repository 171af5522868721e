import { type Kysely, sql, type Transaction } from 'kysely'
import { notFound } from '../../core/errors.ts'
import { prepared } from '../../db/prepared.ts'
import { isoTime } from '../../db/read_fields.ts'
import type { Database } from '../../db/schema.ts'
import type { StoredTurn } from '../../db/schema/assistant.ts'
import type { components } from '../../generated/types.ts'

/** The visitor of a conversation, and the hash of the token that is its public id. */
interface ThreadAddress {
  workspaceId: string
  visitorId: string
  tokenHash: Buffer
}

export type { StoredTurn }

/** The turn that stands for a visitor's picture of their face; the picture is not stored. */
export const pictureTurn = 'A picture of my face.'

/** The data of a conversation that its list shows. */
export interface ThreadState {
  seed: Buffer
  kind: components['schemas']['ThreadSummary']['kind']
  productId: string | null
  /** Stored for a new conversation, or one without a title. */
  title: string
}

const insertPrepared = prepared<ThreadAddress & ThreadState & { turns: string; now: Date }>()(
  'insert_thread',
  (db, parameter) =>
    db.insertInto('threads').values({
      workspace_id: parameter('workspaceId'),
      visitor_id: parameter('visitorId'),
      token_hash: parameter('tokenHash'),
      seed: parameter('seed'),
      kind: parameter('kind'),
      product_id: parameter('productId'),
      title: parameter('title'),
      turns: parameter('turns'),
      created_at: parameter('now'),
      used_at: parameter('now'),
      updated_at: parameter('now'),
    }),
)

export async function insertThread(
  trx: Transaction<Database>,
  address: ThreadAddress,
  state: ThreadState,
  turns: readonly StoredTurn[],
  now: Date,
): Promise<void> {
  await insertPrepared(trx, { ...address, ...state, turns: JSON.stringify(turns), now })
}

const findTurns = prepared<ThreadAddress>()('find_turns', (db, parameter) =>
  db
    .selectFrom('threads')
    .select('turns')
    .where('token_hash', '=', parameter('tokenHash'))
    .where('workspace_id', '=', parameter('workspaceId'))
    .where('visitor_id', '=', parameter('visitorId')),
)

/** The turns of a conversation, if it is this visitor's in this workspace. */
export async function getTurns(
  db: Kysely<Database>,
  address: ThreadAddress,
): Promise<StoredTurn[]> {
  const [thread] = await findTurns(db, address)
  if (!thread) throw notFound('conversation')
  return thread.turns
}

const appendPrepared = prepared<
  Omit<ThreadAddress, 'visitorId'> & ThreadState & { added: string; range: string; now: Date }
>()('append_turns', (db, parameter) =>
  db
    .updateTable('threads')
    .set({
      turns: sql<string>`jsonb_path_query_array(turns || ${parameter('added')}::jsonb,
          ${parameter('range')}::jsonpath)`,
      seed: parameter('seed'),
      kind: parameter('kind'),
      product_id: parameter('productId'),
      title: sql<string>`coalesce(title, ${parameter('title')})`,
      updated_at: parameter('now'),
      used_at: sql<Date>`case when used_at < ${parameter('now')}::timestamptz - interval '1 day'
          then ${parameter('now')} else used_at end`,
    })
    .where('workspace_id', '=', parameter('workspaceId'))
    .where('token_hash', '=', parameter('tokenHash')),
)

/**
 * Appends to a conversation and keeps only the latest turns. Locks the row, so that no concurrent answer is
 * lost; a conversation deleted meanwhile stays deleted. Its last use is written once a day, so that most
 * answers change no index.
 */
export async function appendTurns(
  trx: Transaction<Database>,
  { workspaceId, tokenHash }: ThreadAddress,
  state: ThreadState,
  turns: readonly StoredTurn[],
  { limit, now }: { limit: number; now: Date },
): Promise<void> {
  const added = JSON.stringify(turns)
  const range = `$[last - ${limit - 1} to last]`
  await appendPrepared(trx, { workspaceId, tokenHash, ...state, added, range, now })
}

/** A page of a visitor's conversations, the latest first. */
export async function listThreads(
  db: Kysely<Database>,
  { workspaceId, visitorId }: Omit<ThreadAddress, 'tokenHash'>,
  { limit, offset }: { limit: number; offset: number },
): Promise<{
  rows: (Omit<components['schemas']['ThreadSummary'], 'threadId'> & { seed: Buffer })[]
  total: number
}> {
  const own = db
    .selectFrom('threads as t')
    .where('t.workspace_id', '=', workspaceId)
    .where('t.visitor_id', '=', visitorId)
    .where('t.seed', 'is not', null)
  const rows = await own
    .leftJoin('products as p', (join) =>
      join
        .on('p.workspace_id', '=', workspaceId)
        .onRef('p.id', '=', 't.product_id')
        .on('p.status', '=', 'ACTIVE'),
    )
    .select([
      sql<Buffer>`t.seed`.as('seed'),
      sql<components['schemas']['ThreadSummary']['kind']>`t.kind`.as('kind'),
      'p.id as productId',
      sql<string>`t.title`.as('title'),
      isoTime(sql.ref<string>('t.updated_at')).as('updatedAt'),
    ])
    .orderBy('t.updated_at', 'desc')
    .orderBy('t.token_hash')
    .limit(limit)
    .offset(offset)
    .execute()
  const { count } = await own
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return { rows, total: Number(count) }
}

/** A conversation of this workspace and visitor; it cites only products that are still published. */
export async function getThread(
  db: Kysely<Database>,
  { workspaceId, visitorId, tokenHash }: ThreadAddress,
): Promise<{ turns: StoredTurn[]; productId: string | null; createdAt: string }> {
  const thread = await db
    .selectFrom('threads')
    .select(['turns', 'product_id as productId'])
    .select(isoTime(sql.ref<string>('created_at')).as('createdAt'))
    .where('workspace_id', '=', workspaceId)
    .where('visitor_id', '=', visitorId)
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  if (!thread) throw notFound('conversation')
  return thread
}

/** Deletes all conversations of a visitor in a workspace. */
export async function deleteThreadsOf(
  trx: Transaction<Database>,
  { workspaceId, visitorId }: Omit<ThreadAddress, 'tokenHash'>,
): Promise<void> {
  await trx
    .deleteFrom('threads')
    .where('workspace_id', '=', workspaceId)
    .where('visitor_id', '=', visitorId)
    .execute()
}

/** Deletes a conversation, if it is this visitor's in this workspace. */
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
