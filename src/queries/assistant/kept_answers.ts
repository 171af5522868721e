import { type Kysely, sql, type Transaction } from 'kysely'
import { ApiError } from '../../core/errors.ts'
import { storableText } from '../../core/text.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import {
  type AnswerToKeep,
  isQuote,
  listStored,
  type ProductKey,
  restsOf,
} from './stored_answers.ts'
import { wordingOf } from './unanswered_questions.ts'

type KeptAnswer = components['schemas']['KeptAnswer']

/** The kept answers to the questions. */
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
    const { answer, isOfTexts, stands } = found
    const citations = found.citations
      .filter(isQuote)
      .map(({ productId, sentence }) => ({ productId, sentence }))
    if (!isOfTexts || !stands) return { question, state: 'OLD', answer, citations }
    return { question, state: answer === null ? 'UNKNOWN' : 'CURRENT', answer, citations }
  })
}

/**
 * Claims the making of an answer: false if there is one that still stands, or another call is making it.
 * Of several calls, only one gets the claim.
 */
export async function beginKeptAnswer(
  trx: Transaction<Database>,
  product: ProductKey,
  { question, hash, now, until }: { question: string; hash: Buffer; now: Date; until: Date },
): Promise<boolean> {
  const { workspaceId, productId } = product
  const { key } = wordingOf(question)
  await dropFallen(trx, product, key)
  const mayBegin = sql<boolean>`case when kept_answers.making_until is null
    then kept_answers.text_hash <> excluded.text_hash else kept_answers.making_until <= ${now} end`
  const begun = await trx
    .insertInto('kept_answers')
    .values({
      workspace_id: workspaceId,
      product_id: productId,
      question_key: key,
      text_hash: hash,
      answer: null,
      making_until: until,
    })
    .onConflict((on) =>
      on
        .constraint('kept_answers_key')
        .doUpdateSet((eb) => ({
          text_hash: eb.ref('excluded.text_hash'),
          answer: null,
          citations: '[]',
          making_until: eb.ref('excluded.making_until'),
        }))
        .where(mayBegin),
    )
    .returning('question_key')
    .executeTakeFirst()
  return begun !== undefined
}

/**
 * Deletes an answer of present texts that has lost what else it rests on. It is locked before it is judged: another call may
 * just have made it anew.
 */
async function dropFallen(
  trx: Transaction<Database>,
  product: ProductKey,
  key: Buffer,
): Promise<void> {
  const { workspaceId, productId } = product
  await trx
    .selectFrom('kept_answers')
    .select('question_key')
    .where('workspace_id', '=', workspaceId)
    .where('product_id', '=', productId)
    .where('question_key', '=', key)
    .forUpdate()
    .execute()
  const stored = await listStored(trx, product)
  const found = stored.find((one) => one.key.equals(key))
  if (!found?.isMade || !found.isOfTexts || found.stands) return
  await trx
    .deleteFrom('kept_answers')
    .where('workspace_id', '=', workspaceId)
    .where('product_id', '=', productId)
    .where('question_key', '=', key)
    .execute()
}

/** A question whose answer a call has claimed to make. */
interface Begun {
  question: string
  /** The end of the claim; a different one means that another call has taken over. */
  until: Date
}

/**
 * Stores the answer to a claimed question, or null if texts and tags do not give one. Refuses if the claim was
 * deleted or taken over meanwhile, so that no answer is paid for without being kept.
 */
export async function finishKeptAnswer(
  trx: Transaction<Database>,
  { workspaceId, productId }: ProductKey,
  { question, until }: Begun,
  answered: AnswerToKeep,
): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('kept_answers')
    .set({
      answer: answered.answer && storableText(answered.answer),
      citations: JSON.stringify(restsOf(answered)),
      making_until: null,
    })
    .where('workspace_id', '=', workspaceId)
    .where('product_id', '=', productId)
    .where('question_key', '=', wordingOf(question).key)
    .where('making_until', '=', until.toISOString())
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw new ApiError('write_conflict', 'writeConflict')
}

/** Drops a claim, unless another call has taken it over. */
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
