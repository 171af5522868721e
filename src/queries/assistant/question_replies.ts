import { type Kysely, sql, type Transaction } from 'kysely'
import { notFound } from '../../core/errors.ts'
import { isoTime } from '../../db/read_fields.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import { wordingOf } from './unanswered_questions.ts'

type QuestionReply = components['schemas']['QuestionReply']

/** How many replies a product may have: a chat compares its question with each of them. */
export const maxReplies = 100

interface Replied {
  id: string
  productId: string
  question: string
  answer: string
}

/**
 * Stores a reply, replacing one to the same wording. False if the product, which is locked, already has the
 * most it may have.
 */
export async function insertReply(
  trx: Transaction<Database>,
  workspaceId: string,
  { id, productId, question, answer }: Replied,
  now: Date,
): Promise<boolean> {
  const { text, key } = wordingOf(question)
  await trx
    .deleteFrom('question_replies')
    .where('workspace_id', '=', workspaceId)
    .where('product_id', '=', productId)
    .where('question_key', '=', key)
    .execute()
  const { count } = await trx
    .selectFrom('question_replies')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .where('product_id', '=', productId)
    .executeTakeFirstOrThrow()
  if (Number(count) >= maxReplies) return false
  await trx
    .insertInto('question_replies')
    .values({
      workspace_id: workspaceId,
      id,
      product_id: productId,
      question_key: key,
      question: text,
      answer,
      updated_at: now,
    })
    .execute()
  return true
}

const replies = (db: Kysely<Database>, workspaceId: string) =>
  db
    .selectFrom('question_replies as r')
    .innerJoin('products as p', (join) =>
      join.on('p.workspace_id', '=', workspaceId).onRef('p.id', '=', 'r.product_id'),
    )
    .select([
      'r.id',
      'r.product_id as productId',
      'p.name as productName',
      'r.question',
      'r.answer',
      isoTime(sql.ref<string>('r.updated_at')).as('updatedAt'),
    ])
    .where('r.workspace_id', '=', workspaceId)

/** A page of the replies, the latest first. */
export async function listReplies(
  db: Kysely<Database>,
  workspaceId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ replies: QuestionReply[]; total: number }> {
  const { count } = await db
    .selectFrom('question_replies')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  const page = replies(db, workspaceId).orderBy('r.updated_at', 'desc').orderBy('r.id')
  return { replies: await page.limit(limit).offset(offset).execute(), total: Number(count) }
}

export async function getReply(
  db: Kysely<Database>,
  workspaceId: string,
  id: string,
): Promise<QuestionReply> {
  const reply = await replies(db, workspaceId).where('r.id', '=', id).executeTakeFirst()
  if (!reply) throw notFound('reply')
  return reply
}

/** Locks a reply until the transaction ends. */
export async function lockReply(
  trx: Transaction<Database>,
  workspaceId: string,
  id: string,
): Promise<void> {
  const reply = await trx
    .selectFrom('question_replies')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!reply) throw notFound('reply')
}

export async function updateReply(
  trx: Transaction<Database>,
  { workspaceId, id }: { workspaceId: string; id: string },
  answer: string,
  now: Date,
): Promise<void> {
  await trx
    .updateTable('question_replies')
    .set({ answer, updated_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

export async function deleteReply(
  trx: Transaction<Database>,
  workspaceId: string,
  id: string,
): Promise<void> {
  const result = await trx
    .deleteFrom('question_replies')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (result.numDeletedRows === 0n) throw notFound('reply')
}
