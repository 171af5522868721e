import type { Kysely, Transaction } from 'kysely'
import { newId } from '../../core/ids.ts'
import { type PageRequest, stretchOf } from '../../core/paging.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import { countRows } from '../whole_service.ts'

type Feedback = components['schemas']['Feedback']

export async function insertFeedback(
  trx: Transaction<Database>,
  workspaceId: string,
  { customerId, message }: { customerId: string | null; message: string },
  now: Date,
): Promise<string> {
  const id = newId('fbk')
  await trx
    .insertInto('feedback')
    .values({ id, workspace_id: workspaceId, customer_id: customerId, message, created_at: now })
    .execute()
  return id
}

/** A page of a workspace's feedback, newest first, and the total. */
export async function listFeedback(
  db: Kysely<Database>,
  workspaceId: string,
  { page, pageSize }: PageRequest,
): Promise<{ feedbacks: Feedback[]; total: number }> {
  const { total } = await countRows(db, workspaceId)
  const stretch = stretchOf(page, pageSize, total)
  if (!stretch) return { feedbacks: [], total }
  const { limit, offset, reversed } = stretch
  const feedbacks = await db
    .selectFrom('feedback')
    .innerJoin('workspaces', 'workspaces.id', 'feedback.workspace_id')
    .select([
      'feedback.id',
      'feedback.workspace_id as workspaceId',
      'feedback.customer_id as userId',
      'feedback.message',
      'feedback.created_at as createdAt',
      'workspaces.name as workspaceName',
    ])
    .where('feedback.workspace_id', '=', workspaceId)
    .orderBy('feedback.id', reversed ? 'asc' : 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return { feedbacks: reversed ? feedbacks.reverse() : feedbacks, total }
}
