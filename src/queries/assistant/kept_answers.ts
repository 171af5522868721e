import { type Kysely, sql, type Transaction } from 'kysely'
import { ApiError, notFound } from '../../core/errors.ts'
import { storableText } from '../../core/text.ts'
import type { Database } from '../../db/schema.ts'
import type { components } from '../../generated/types.ts'
import { wordingOf } from './unanswered_questions.ts'

type KeptAnswer = components['schemas']['KeptAnswer']

interface ProductKey {
  workspaceId: string
  productId: string
}

/** A stored answer, and whether it was made from the product's present texts. */
interface StoredAnswer {
  key: Buffer
  answer: string | null
  citations: components['schemas']['Citations']
  isCurrent: boolean
  isMade: boolean
}

const textHash = sql<Buffer>`sha256(convert_to(concat_ws(e'\\n', p.name, p.brand, p.description,
  p.information), 'UTF8'))`

/** The hash of the texts that answers about a product are made from. */
export async function getTextHash(
  db: Kysely<Database>,
  { workspaceId, productId }: ProductKey,
): Promise<Buffer> {
  const product = await db
    .selectFrom('products as p')
    .select(textHash.as('hash'))
    .where('p.workspace_id', '=', workspaceId)
    .where('p.id', '=', productId)
    .executeTakeFirst()
  if (!product) throw notFound('product')
  return product.hash
}

function listStored(
  db: Kysely<Database>,
  { workspaceId, productId }: ProductKey,
): Promise<StoredAnswer[]> {
  return db
    .selectFrom('kept_answers as k')
    .innerJoin('products as p', (join) =>
      join.on('p.workspace_id', '=', workspaceId).onRef('p.id', '=', 'k.product_id'),
    )
    .select([
      'k.question_key as key',
      'k.answer',
      'k.citations',
      sql<boolean>`k.text_hash = ${textHash}`.as('isCurrent'),
      sql<boolean>`k.making_until is null`.as('isMade'),
    ])
    .where('k.workspace_id', '=', workspaceId)
    .where('k.product_id', '=', productId)
    .execute()
}

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
    const { answer, citations, isCurrent } = found
    if (!isCurrent) return { question, state: 'OLD', answer, citations }
    return { question, state: answer === null ? 'UNKNOWN' : 'CURRENT', answer, citations }
  })
}

/**
 * Claims the making of an answer: false if there is one for the present texts, or another call is making
 * it. Of several calls, only one gets the claim.
 */
export async function beginKeptAnswer(
  trx: Transaction<Database>,
  { workspaceId, productId }: ProductKey,
  { question, hash, now, until }: { question: string; hash: Buffer; now: Date; until: Date },
): Promise<boolean> {
  const { key } = wordingOf(question)
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

/** A question whose answer a call has claimed to make. */
interface Begun {
  question: string
  /** The end of the claim; a different one means that another call has taken over. */
  until: Date
}

/**
 * Stores the answer to a claimed question, or null if the texts do not give one. Refuses if the claim was
 * deleted or taken over meanwhile, so that no answer is paid for without being kept.
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
