import type { Transaction } from 'kysely'
import { ApiError, invalidInput } from '../src/core/errors.ts'
import { paginationOf } from '../src/core/paging.ts'
import { strangersWords } from '../src/core/strangers_words.ts'
import { showsNothing } from '../src/core/text.ts'
import type { Database } from '../src/db/schema.ts'
import { requireRepeatable } from '../src/domain/assistant/finding/replies.ts'
import { mergeQuestions } from '../src/domain/catalogue/questions.ts'
import { limits } from '../src/generated/limits.ts'
import type { Handler } from '../src/operation.ts'
import {
  getUnansweredProduct,
  listUnanswered,
  takeUnanswered,
  wordingOf,
} from '../src/queries/assistant/unanswered_questions.ts'
import {
  deleteReply,
  getReply,
  insertReply,
  listReplies,
  lockReply,
  maxReplies,
  updateReply,
} from '../src/queries/assistant/question_replies.ts'
import { movePages } from '../src/queries/catalogue/feed.ts'
import { lockProduct } from '../src/queries/catalogue/products.ts'
import { lockWebsite } from '../src/queries/catalogue/references.ts'
import {
  getProductQuestions,
  getQuestionLibrary,
  updateProductQuestions,
  updateQuestionLibrary,
} from '../src/queries/catalogue/questions.ts'
import { lockWorkspace } from '../src/queries/people/workspaces.ts'
import { getShopKnowledge, updateShopKnowledge } from '../src/queries/site/shop_knowledge.ts'

const maxLibrary = limits.QuestionLibraryUpdate.questions.maxItems
const maxEntries = limits.ShopKnowledgeUpdate.entries.maxItems

export const get_product_questions: Handler<'get_product_questions'> = ({ path }, { db }) =>
  getProductQuestions(db, path.workspaceId, path.id)

export const update_product_questions: Handler<'update_product_questions'> = (
  { path, body },
  caller,
) =>
  caller.transaction(async (trx) => {
    const { workspaceId, id } = path
    await lockProduct(trx, workspaceId, id)
    const current = await getProductQuestions(trx, workspaceId, id)
    caller.requireCurrent(current)
    const questions = mergeQuestions(current.questions, body.questions, caller.now)
    await updateProductQuestions(trx, workspaceId, id, questions)
    await movePages(trx, workspaceId)
    return { questions, usesDefaults: false }
  })

export const reset_product_questions: Handler<'reset_product_questions'> = ({ path }, caller) =>
  caller.transaction(async (trx) => {
    const { workspaceId, id } = path
    await lockProduct(trx, workspaceId, id)
    caller.requireCurrent(await getProductQuestions(trx, workspaceId, id))
    await updateProductQuestions(trx, workspaceId, id, null)
    await movePages(trx, workspaceId)
    return getProductQuestions(trx, workspaceId, id)
  })

export const get_question_library: Handler<'get_question_library'> = async ({ path }, { db }) => ({
  questions: await getQuestionLibrary(db, path.workspaceId),
})

export const update_question_library: Handler<'update_question_library'> = (
  { path, body },
  caller,
) =>
  caller.transaction(async (trx) => {
    const { workspaceId } = path
    await lockWorkspace(trx, workspaceId)
    const current = await getQuestionLibrary(trx, workspaceId)
    caller.requireCurrent({ questions: current })
    const questions = mergeQuestions(current, body.questions, caller.now)
    await updateQuestionLibrary(trx, workspaceId, questions)
    await movePages(trx, workspaceId)
    return { questions }
  })

export const list_unanswered_questions: Handler<'list_unanswered_questions'> = async (
  { path, query },
  { db },
) => {
  const { page, pageSize, from } = query
  const place = { limit: pageSize, offset: (page - 1) * pageSize, from }
  const { questions, total } = await listUnanswered(db, path.workspaceId, place)
  return { questions, pagination: paginationOf(page, pageSize, total) }
}

export const answer_question: Handler<'answer_question'> = ({ path, body }, caller) =>
  caller.transaction(async (trx) => {
    const { workspaceId, id } = path
    const { addToLibrary, to } = body
    const isOfShop = to === 'SHOP'
    if (isOfShop && !caller.holds('website:write'))
      throw new ApiError('insufficient_scope', ['scopeMissing', { scope: 'website:write' }])
    const productId = await getUnansweredProduct(trx, workspaceId, id)
    // The product first: who deletes it locks it before its questions.
    if (!isOfShop) await lockProduct(trx, workspaceId, productId)
    const about = { workspaceId, productId: isOfShop ? null : productId }
    const answer = await requireRepeatable(trx, about, body.answer)
    const question = await takeUnanswered(trx, workspaceId, id)
    if (!isOfShop) {
      const reply = { id, productId, question, answer }
      const isStored = await insertReply(trx, workspaceId, reply, caller.now)
      if (!isStored) throw invalidInput({ answer: ['repliesFull', { limit: maxReplies }] })
    }
    if (addToLibrary)
      await addToQuestions(trx, workspaceId, shownText(question, 'addToLibrary'), caller.now)
    if (isOfShop)
      await addToKnowledge(trx, workspaceId, { question: shownText(question, 'to'), answer })
    // A product's page shows kept answers only while the replies that they quote stand.
    await movePages(trx, workspaceId)
    return { id, deleted: true }
  })

/** A question as who approves it saw it: what is hidden in it would reach visitors and agents. */
function shownText(question: string, field: string): string {
  const shown = strangersWords(question).trim()
  if (showsNothing(shown)) throw invalidInput({ [field]: 'showsNothing' })
  return shown
}

async function addToQuestions(
  trx: Transaction<Database>,
  workspaceId: string,
  text: string,
  now: Date,
): Promise<void> {
  await lockWorkspace(trx, workspaceId)
  const current = await getQuestionLibrary(trx, workspaceId)
  if (current.length >= maxLibrary)
    throw invalidInput({ addToLibrary: ['libraryFull', { limit: maxLibrary }] })
  await updateQuestionLibrary(trx, workspaceId, [
    ...current,
    ...mergeQuestions([], [{ text }], now),
  ])
}

/** Adds to what the shop answers of itself, in place of an entry with the same wording. */
async function addToKnowledge(
  trx: Transaction<Database>,
  workspaceId: string,
  added: { question: string; answer: string },
): Promise<void> {
  await lockWebsite(trx, workspaceId)
  const current = await getShopKnowledge(trx, workspaceId)
  const { key } = wordingOf(added.question)
  const at = current.findIndex(({ question }) => wordingOf(question).key.equals(key))
  if (at < 0 && current.length >= maxEntries)
    throw invalidInput({ to: ['knowledgeFull', { limit: maxEntries }] })
  await updateShopKnowledge(
    trx,
    workspaceId,
    at < 0 ? [...current, added] : current.with(at, added),
  )
}

export const dismiss_question: Handler<'dismiss_question'> = ({ path }, caller) =>
  caller.transaction(async (trx) => {
    await takeUnanswered(trx, path.workspaceId, path.id)
    return { id: path.id, deleted: true }
  })

export const list_question_replies: Handler<'list_question_replies'> = async (
  { path, query },
  { db },
) => {
  const { page, pageSize } = query
  const place = { limit: pageSize, offset: (page - 1) * pageSize }
  const { replies, total } = await listReplies(db, path.workspaceId, place)
  return { replies, pagination: paginationOf(page, pageSize, total) }
}

export const update_question_reply: Handler<'update_question_reply'> = ({ path, body }, caller) =>
  caller.transaction(async (trx) => {
    const { workspaceId, id } = path
    await lockReply(trx, workspaceId, id)
    const current = await getReply(trx, workspaceId, id)
    caller.requireCurrent(current)
    const { productId } = current
    const answer = await requireRepeatable(trx, { workspaceId, productId }, body.answer)
    await updateReply(trx, { workspaceId, id }, answer, caller.now)
    await movePages(trx, workspaceId)
    return getReply(trx, workspaceId, id)
  })

export const delete_question_reply: Handler<'delete_question_reply'> = ({ path }, caller) =>
  caller.transaction(async (trx) => {
    await deleteReply(trx, path.workspaceId, path.id)
    await movePages(trx, path.workspaceId)
    return { id: path.id, deleted: true }
  })
