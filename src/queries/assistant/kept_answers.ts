import { type Kysely, sql, type Transaction } from 'kysely'
import { ApiError, notFound } from '../../core/errors.ts'
import { storableText } from '../../core/text.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import { wordingOf } from './unanswered_questions.ts'

/* Raw SQL: one statement decides which of several calls makes an answer. */

type KeptAnswer = components['schemas']['KeptAnswer']

interface ProductKey {
  workspaceId: string
  productId: string
}

/** An answer as it is stored, and whether it is of the product's present texts. */
interface StoredAnswer {
  key: Buffer
  answer: string | null
  citations: components['schemas']['Citations']
  isCurrent: boolean
  isMade: boolean
}

const textHash = sql`sha256(convert_to(concat_ws(e'\\n', p.name, p.brand, p.description,
  p.information), 'UTF8'))`

/** The hash of the texts that answers about a product are made from. */
export async function getTextHash(
  db: Kysely<Database>,
  { workspaceId, productId }: ProductKey,
): Promise<Buffer> {
  const { rows } = await sql<{ hash: Buffer }>`
    select ${textHash} as hash from products p
    where p.workspace_id = ${workspaceId} and p.id = ${productId}`.execute(db)
  if (!rows[0]) throw notFound('product')
  return rows[0].hash
}

async function listStored(
  db: Kysely<Database>,
  { workspaceId, productId }: ProductKey,
): Promise<StoredAnswer[]> {
  const { rows } = await sql<StoredAnswer>`
    select k.question_key as key, k.answer, k.citations, k.text_hash = ${textHash} as "isCurrent",
      k.making_until is null as "isMade"
    from kept_answers k
    join products p on p.workspace_id = ${workspaceId} and p.id = k.product_id
    where k.workspace_id = ${workspaceId} and k.product_id = ${productId}`.execute(db)
  return rows
}

/** What is kept for each of the questions. */
export async function listKeptAnswers(
  db: Kysely<Database>,
  product: ProductKey,
  questions: readonly string[],
): Promise<KeptAnswer[]> {
  const stored = await listStored(db, product)
  return questions.map((question) => {
    const { key } = wordingOf(question)
    const found = stored.find((one) => one.isMade && one.key.equals(key))
    if (!found) return { question, state: 'NONE', answer: null, citations: [] }
    const { answer, citations, isCurrent } = found
    if (!isCurrent) return { question, state: 'OLD', answer, citations }
    return { question, state: answer === null ? 'UNKNOWN' : 'CURRENT', answer, citations }
  })
}

/**
 * Begins to make an answer: false if it is there for the present texts, or another call is making it.
 * Of several calls, one begins.
 */
export async function beginKeptAnswer(
  trx: Transaction<Database>,
  { workspaceId, productId }: ProductKey,
  { question, hash, now, until }: { question: string; hash: Buffer; now: Date; until: Date },
): Promise<boolean> {
  const { key } = wordingOf(question)
  const { rows } = await sql`
    insert into kept_answers as k
      (workspace_id, product_id, question_key, text_hash, answer, making_until)
    values (${workspaceId}, ${productId}, ${key}, ${hash}, null, ${until})
    on conflict on constraint kept_answers_key do update
      set text_hash = excluded.text_hash, answer = null, citations = '[]',
        making_until = excluded.making_until
      where case when k.making_until is null then k.text_hash <> excluded.text_hash
        else k.making_until <= ${now} end
    returning 1`.execute(trx)
  return rows.length === 1
}

/** A question whose answer is being made. */
interface Begun {
  question: string
  /** As it was begun: another call may make the answer since then. */
  until: Date
}

/**
 * Keeps an answer that was begun, or with null that the texts do not give any. Refuses if it was deleted or
 * taken over meanwhile, so that nobody pays for an answer that is not kept.
 */
export async function finishKeptAnswer(
  trx: Transaction<Database>,
  { workspaceId, productId }: ProductKey,
  { question, until }: Begun,
  answered: { answer: string; citations: components['schemas']['Citations'] } | null,
): Promise<void> {
  const citations = (answered?.citations ?? []).map(({ productId, sentence }) => ({
    productId,
    sentence: storableText(sentence),
  }))
  const { numUpdatedRows } = await trx
    .updateTable('kept_answers')
    .set({
      answer: answered && storableText(answered.answer),
      citations: JSON.stringify(citations),
      making_until: null,
    })
    .where('workspace_id', '=', workspaceId)
    .where('product_id', '=', productId)
    .where('question_key', '=', wordingOf(question).key)
    .where('making_until', '=', until.toISOString())
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw new ApiError('write_conflict', 'writeConflict')
}

/** Deletes what was begun, unless another call has taken it over. */
export async function giveUpKeptAnswer(
  trx: Transaction<Database>,
  { workspaceId, productId }: ProductKey,
  { question, until }: Begun,
): Promise<void> {
  await trx
    .deleteFrom('kept_answers')
    .where('workspace_id', '=', workspaceId)
    .where('product_id', '=', productId)
    .where('question_key', '=', wordingOf(question).key)
    .where('making_until', '=', until.toISOString())
    .execute()
}

/** Deletes the kept answers of a product. */
export async function deleteKeptAnswers(
  trx: Transaction<Database>,
  { workspaceId, productId }: ProductKey,
): Promise<void> {
  await trx
    .deleteFrom('kept_answers')
    .where('workspace_id', '=', workspaceId)
    .where('product_id', '=', productId)
    .execute()
}
