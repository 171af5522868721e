import { type Kysely, sql, type Transaction } from 'kysely'
import { notFound } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { identityKeyOf } from '../../core/text.ts'
import { strangersWords } from '../../core/strangers_words.ts'
import { isoTime } from '../../db/read_fields.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'

type Unanswered = components['schemas']['UnansweredQuestion']

/** Wordings kept for one product; a further one takes the place of the least asked, oldest one. */
export const maxPerProduct = 100
const maxCharacters = 300
/** How many customers are kept for one wording: a question of more does not identify a customer. */
const maxAskers = 1000

/** A question as it is stored: cut to a length, with the key of its wording. */
export function wordingOf(message: string): { text: string; key: Buffer } {
  // Stored once and read by models in other visitors' chats, so only what the owner can see of it.
  const visible = strangersWords(message.slice(0, 4 * maxCharacters))
  const text = visible.trim().slice(0, maxCharacters).toWellFormed()
  return { text, key: identityKeyOf(text) }
}

interface AskedQuestion {
  workspaceId: string
  productId: string
  message: string
  /** Missing if a guest asked. */
  customerId?: string | null
}

/** Counts a question that the product's texts do not answer; does nothing if the product is gone by now. */
export async function recordUnanswered(
  trx: Transaction<Database>,
  { workspaceId, productId, message, customerId = null }: AskedQuestion,
  now: Date,
): Promise<void> {
  const { text, key } = wordingOf(message)
  // Lock the product first, as in every transaction that locks both.
  const held = await trx
    .selectFrom('products')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', productId)
    .forKeyShare()
    .executeTakeFirst()
  if (!held) return
  await makeRoom(trx, { workspaceId, productId, key })
  // Append without a slice: in a statement that writes, a slice crashes the coordinator of Citus.
  const known = (column: string) => sql.ref<string[]>(`unanswered_questions.${column}`)
  const askers = sql<string[]>`case
    when cardinality(${known('customer_ids')}) < ${maxAskers}::integer
    then ${known('customer_ids')} || excluded.customer_ids else ${known('customer_ids')} end`
  await trx
    .insertInto('unanswered_questions')
    .values({
      workspace_id: workspaceId,
      id: newId('qst'),
      product_id: productId,
      question_key: key,
      text,
      asked: 1,
      last_asked_at: now,
      customer_ids: customerId === null ? [] : [customerId],
    })
    .onConflict((on) =>
      on.constraint('unanswered_questions_wording_key').doUpdateSet((eb) => ({
        asked: eb('unanswered_questions.asked', '+', 1),
        last_asked_at: eb.ref('excluded.last_asked_at'),
        customer_ids: askers,
      })),
    )
    .execute()
}

/** Forgets that a customer asked, and deletes questions that no other visitor asked. */
export async function forgetAsker(
  trx: Transaction<Database>,
  workspaceId: string,
  customerId: string,
): Promise<void> {
  const isAsker = sql<boolean>`${customerId} = any(customer_ids)`
  const own = sql<number>`cardinality(array_positions(customer_ids, ${customerId}))`
  await trx
    .updateTable('unanswered_questions')
    .set(({ eb }) => ({
      asked: eb('asked', '-', own),
      customer_ids: sql<string[]>`array_remove(customer_ids, ${customerId})`,
    }))
    .where('workspace_id', '=', workspaceId)
    .where(isAsker)
    .where('asked', '>', own)
    .execute()
  await trx
    .deleteFrom('unanswered_questions')
    .where('workspace_id', '=', workspaceId)
    .where(isAsker)
    .execute()
}

/** Deletes the questions that a new wording displaces; concurrent calls may delete slightly too many. */
async function makeRoom(
  trx: Transaction<Database>,
  { workspaceId, productId, key }: { workspaceId: string; productId: string; key: Buffer },
): Promise<void> {
  const all = trx
    .selectFrom('unanswered_questions')
    .select('id')
    .where('workspace_id', '=', workspaceId)
  const ofProduct = all.where('product_id', '=', productId)
  const surplus = ofProduct
    .where((eb) => eb.not(eb.exists(ofProduct.where('question_key', '=', key))))
    .orderBy('asked', 'desc')
    .orderBy('last_asked_at', 'desc')
    .orderBy('id')
    .offset(maxPerProduct - 1)
  await trx
    .deleteFrom('unanswered_questions')
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', all.where('id', 'in', surplus).forUpdate().skipLocked())
    .execute()
}

interface QuestionsPage {
  limit: number
  offset: number
  /** The first UTC date to include, by when a question was last asked. */
  from: string | undefined
}

/** A page of the questions, the most asked first. */
export async function listUnanswered(
  db: Kysely<Database>,
  workspaceId: string,
  { limit, offset, from }: QuestionsPage,
): Promise<{ questions: Unanswered[]; total: number }> {
  const all = db.selectFrom('unanswered_questions as u').where('u.workspace_id', '=', workspaceId)
  const asked =
    from === undefined ? all : all.where('u.last_asked_at', '>=', sql<string>`${new Date(from)}`)
  const questions = await asked
    .innerJoin('products as p', (join) =>
      join.on('p.workspace_id', '=', workspaceId).onRef('p.id', '=', 'u.product_id'),
    )
    .select([
      'u.id',
      'u.product_id as productId',
      'p.name as productName',
      'u.text',
      'u.asked',
      isoTime(sql.ref<string>('u.last_asked_at')).as('lastAskedAt'),
    ])
    .orderBy('u.asked', 'desc')
    .orderBy('u.last_asked_at', 'desc')
    .orderBy('u.id')
    .limit(limit)
    .offset(offset)
    .execute()
  const { total } = await asked
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { questions, total }
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

/** The text of the question, for the record of a reply; undefined if it is not on the list. */
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

/** Deletes the question and returns its text; of two concurrent calls, only one gets it. */
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
