import type { Kysely, Transaction } from 'kysely'
import { notFound } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import type { Database } from '../db/schema.ts'

/** Whose conversation it is, and the hash of the token that names it. */
export interface ThreadAddress {
  workspaceId: string
  visitorId: string
  tokenHash: Buffer
}

export async function insertThread(
  trx: Transaction<Database>,
  { workspaceId, visitorId, tokenHash }: ThreadAddress,
  now: Date,
): Promise<string> {
  const id = newId('thr')
  await trx
    .insertInto('threads')
    .values({
      ...{ id, workspace_id: workspaceId, visitor_id: visitorId },
      ...{ token_hash: tokenHash, created_at: now },
    })
    .execute()
  return id
}

/** The id of a conversation of this workspace and this visitor; anybody else's is not there. */
export async function getThreadId(
  db: Kysely<Database>,
  { workspaceId, visitorId, tokenHash }: ThreadAddress,
): Promise<string> {
  const { id } = await db
    .selectFrom('threads')
    .select('id')
    .where('token_hash', '=', tokenHash)
    .where('workspace_id', '=', workspaceId)
    .where('visitor_id', '=', visitorId)
    .executeTakeFirstOrThrow(() => notFound('conversation'))
  return id
}

/** Deletes a conversation of this workspace and this visitor, and nobody else's. */
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
