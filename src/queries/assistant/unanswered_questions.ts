import { type Kysely, sql, type Transaction } from 'kysely'
import { notFound } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { identityKeyOf } from '../../core/text.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'

type Unanswered = components['schemas']['UnansweredQuestion']

/** Wordings kept for one product; further ones are not recorded until the owner has replied to some. */
const maxPerProduct = 100
const maxCharacters = 300

interface Asked {
  workspaceId: string
  productId: string
  message: string
}

/** Counts a question that the product's texts do not answer. */
export async function recordUnanswered(
  trx: Transaction<Database>,
  { workspaceId, productId, message }: Asked,
  now: Date,
): Promise<void> {
  const text = message.trim().slice(0, maxCharacters).replaceAll('\0', '').toWellFormed()
  // A question of the owner's next page load; a few wordings too many under concurrency do no harm.
  await sql`
    insert into unanswered_questions as u
      (workspace_id, id, product_id, question_key, text, asked, last_asked_at)
    select ${workspaceId}, ${newId('qst')}, ${productId}, ${identityKeyOf(text)}, ${text}, 1, ${now}
    where (select count(*) from unanswered_questions
      where workspace_id = ${workspaceId} and product_id = ${productId}) < ${maxPerProduct}
      or exists (select from unanswered_questions where workspace_id = ${workspaceId}
        and product_id = ${productId} and question_key = ${identityKeyOf(text)})
    on conflict on constraint unanswered_questions_wording_key do update
      set asked = u.asked + 1, last_asked_at = excluded.last_asked_at`.execute(trx)
}

interface Place {
  limit: number
  offset: number
  /** The first UTC date on which they were asked last. */
  from: string | undefined
}

/** A page of the questions, the most asked first. */
export async function listUnanswered(
  db: Kysely<Database>,
  workspaceId: string,
  { limit, offset, from }: Place,
): Promise<{ questions: Unanswered[]; total: number }> {
  const since = from === undefined ? sql`` : sql`and u.last_asked_at >= ${new Date(from)}`
  const { rows } = await sql<Unanswered>`
    select u.id, u.product_id as "productId", p.name as "productName", u.text, u.asked,
      to_char(u.last_asked_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "lastAskedAt"
    from unanswered_questions u
    join products p on p.workspace_id = ${workspaceId} and p.id = u.product_id
    where u.workspace_id = ${workspaceId} ${since}
    order by u.asked desc, u.last_asked_at desc, u.id limit ${limit} offset ${offset}`.execute(db)
  const counted = await sql<{ total: number }>`
    select count(*) as total from unanswered_questions u
    where u.workspace_id = ${workspaceId} ${since}`.execute(db)
  return { questions: rows, total: Number(counted.rows[0]!.total) }
}

/** Removes the question and returns it; of two that do so at once, one finds it gone. */
export async function takeUnanswered(
  trx: Transaction<Database>,
  workspaceId: string,
  id: string,
): Promise<{ productId: string; text: string }> {
  const row = await trx
    .deleteFrom('unanswered_questions')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returning(['product_id as productId', 'text'])
    .executeTakeFirst()
  if (!row) throw notFound('question')
  return row
}
