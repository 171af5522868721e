import { type Kysely, sql, type Transaction } from 'kysely'
import { notFound } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { identityKeyOf } from '../../core/text.ts'
import { strangersWords } from '../../core/strangers_words.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'

type Unanswered = components['schemas']['UnansweredQuestion']

/** Wordings kept for one product; a further one takes the place of the least asked, oldest one. */
export const maxPerProduct = 100
const maxCharacters = 300
/** Customers kept for one wording: those of a question that so many ask are not told by it. */
const maxAskers = 1000

/** A question as it is kept: at most so much of it, and the key of its wording. */
export function wordingOf(message: string): { text: string; key: Buffer } {
  // Stored once and read by models in other visitors' chats: only what the owner sees of it.
  const visible = strangersWords(message.slice(0, 4 * maxCharacters))
  const text = visible.trim().slice(0, maxCharacters).toWellFormed()
  return { text, key: identityKeyOf(text) }
}

interface AskedQuestion {
  workspaceId: string
  productId: string
  message: string
  /** Unless a guest asked. */
  customerId?: string | null
}

/** Counts a question that the product's texts do not answer; nothing if the product is gone by now. */
export async function recordUnanswered(
  trx: Transaction<Database>,
  { workspaceId, productId, message, customerId = null }: AskedQuestion,
  now: Date,
): Promise<void> {
  const { text, key } = wordingOf(message)
  // The product first, as in every transaction that locks both.
  const held = await trx
    .selectFrom('products')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', productId)
    .forKeyShare()
    .executeTakeFirst()
  if (!held) return
  await makeRoom(trx, { workspaceId, productId, key })
  // No slice of the customers: one in a statement that writes ends the coordinator of Citus.
  await sql`
    insert into unanswered_questions as u
      (workspace_id, id, product_id, question_key, text, asked, last_asked_at, customer_ids)
    values (${workspaceId}, ${newId('qst')}, ${productId}, ${key}, ${text}, 1, ${now},
      ${customerId === null ? [] : [customerId]}::text[])
    on conflict on constraint unanswered_questions_wording_key do update
      set asked = u.asked + 1, last_asked_at = excluded.last_asked_at,
        customer_ids = case when cardinality(u.customer_ids) < ${maxAskers}::integer
          then u.customer_ids || excluded.customer_ids else u.customer_ids end`.execute(trx)
}

/** Forgets that a customer asked. What nobody else has asked goes. */
export async function forgetAsker(
  trx: Transaction<Database>,
  workspaceId: string,
  customerId: string,
): Promise<void> {
  const ofCustomer = sql`workspace_id = ${workspaceId} and ${customerId} = any(customer_ids)`
  await sql`
    update unanswered_questions set
      asked = asked - cardinality(array_positions(customer_ids, ${customerId})),
      customer_ids = array_remove(customer_ids, ${customerId})
    where ${ofCustomer} and asked > cardinality(array_positions(customer_ids, ${customerId}))
    `.execute(trx)
  await sql`delete from unanswered_questions where ${ofCustomer}`.execute(trx)
}

/** Removes what a new wording takes the place of; a few too many under concurrency do no harm. */
async function makeRoom(
  trx: Transaction<Database>,
  { workspaceId, productId, key }: { workspaceId: string; productId: string; key: Buffer },
): Promise<void> {
  await sql`
    delete from unanswered_questions where workspace_id = ${workspaceId} and id in (
      select id from unanswered_questions where workspace_id = ${workspaceId} and id in (
        select id from unanswered_questions
        where workspace_id = ${workspaceId} and product_id = ${productId}
          and not exists (select from unanswered_questions where workspace_id = ${workspaceId}
            and product_id = ${productId} and question_key = ${key})
        order by asked desc, last_asked_at desc, id offset ${maxPerProduct - 1})
      for update skip locked)`.execute(trx)
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

/** The product that a question is about. */
export async function getUnansweredProduct(
  db: Kysely<Database>,
  workspaceId: string,
  id: string,
): Promise<string> {
  const row = await db
    .selectFrom('unanswered_questions')
    .select('product_id as productId')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound('question')
  return row.productId
}

/** What was asked, for the record of a reply; undefined if it is not on the list. */
export async function findUnansweredText(
  db: Kysely<Database>,
  workspaceId: string,
  id: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('unanswered_questions')
    .select('text')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.text
}

/** Removes the question and returns its text; of two that do so at once, one finds it gone. */
export async function takeUnanswered(
  trx: Transaction<Database>,
  workspaceId: string,
  id: string,
): Promise<string> {
  const row = await trx
    .deleteFrom('unanswered_questions')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returning('text')
    .executeTakeFirst()
  if (!row) throw notFound('question')
  return row.text
}
