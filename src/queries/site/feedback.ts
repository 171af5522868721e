import { type Kysely, sql, type Transaction } from 'kysely'
import { notFound } from '../../core/errors.ts'
import { type PageRequest, stretchOf } from '../../core/paging.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import { recordChanges, upserts } from '../catalogue/feed.ts'
import { countDeletedRows, countInsertedRow } from '../administration/whole_service.ts'

type Feedback = components['schemas']['Feedback']

/**
 * Inserts feedback, counts it and adds it to the change feed; counter and feed stay locked until the
 * commit.
 */
export async function insertFeedback(
  trx: Transaction<Database>,
  workspaceId: string,
  feedback: { id: string; customerId: string | null; message: string },
  now: Date,
): Promise<void> {
  const { id, customerId, message } = feedback
  await trx
    .insertInto('feedback')
    .values({ id, workspace_id: workspaceId, customer_id: customerId, message, created_at: now })
    .execute()
  await countInsertedRow(trx, workspaceId)
  await recordChanges(trx, workspaceId, upserts('FEEDBACK', [id]), now)
}

/** Deletes a customer's feedback and updates the counts. */
export async function deleteFeedbackOf(
  trx: Transaction<Database>,
  workspaceId: string,
  customerId: string,
): Promise<void> {
  const { numDeletedRows } = await trx
    .deleteFrom('feedback')
    .where('workspace_id', '=', workspaceId)
    .where('customer_id', '=', customerId)
    .executeTakeFirst()
  await countDeletedRows(trx, workspaceId, Number(numDeletedRows))
}

/** A page of a workspace's feedback, newest first, and the total. */
export async function listFeedback(
  db: Kysely<Database>,
  workspaceId: string,
  { page, pageSize }: PageRequest,
): Promise<{ feedbacks: Feedback[]; total: number }> {
  const { workspaceName, total } = await getHeading(db, workspaceId)
  const stretch = stretchOf(page, pageSize, total)
  if (!stretch) return { feedbacks: [], total }
  const { limit, offset, reversed } = stretch
  const rows = await db
    .selectFrom('feedback')
    .select(['id', 'customer_id as userId', 'message', 'created_at as createdAt'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('id', reversed ? 'asc' : 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  const feedbacks = rows.map((row) => ({ ...row, workspaceId, workspaceName }))
  return { feedbacks: reversed ? feedbacks.reverse() : feedbacks, total }
}

/** What a page of feedback needs besides its rows. */
async function getHeading(
  db: Kysely<Database>,
  workspaceId: string,
): Promise<{ workspaceName: string; total: number }> {
  const heading = await db
    .selectFrom('workspaces')
    .select((eb) => [
      'name as workspaceName',
      eb
        .selectFrom('row_counters')
        .select(sql<number>`coalesce(sum(total), 0)::bigint`.as('total'))
        .where('counted', '=', workspaceId)
        .$asScalar()
        .$notNull()
        .as('total'),
    ])
    .where('id', '=', workspaceId)
    .executeTakeFirst()
  if (!heading) throw notFound('workspace')
  return heading
}
