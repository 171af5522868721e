import { ApiError } from '../src/core/errors.ts'
import {
  answerProductChat,
  type OpenShop,
  readChatProduct,
  readShop,
} from '../src/domain/assistant/ai_chats.ts'
import { productChatCost } from '../src/domain/credits/ai_costs.ts'
import { runForOwner } from '../src/domain/credits/owner_calls.ts'
import type { AccountCaller, Handler, Output } from '../src/operation.ts'
import { getAiSettings, updateAiSettings } from '../src/queries/assistant/ai_settings.ts'
import {
  beginKeptAnswer,
  deleteKeptAnswers,
  finishKeptAnswer,
  giveUpKeptAnswer,
  listKeptAnswers,
} from '../src/queries/assistant/kept_answers.ts'
import { getAnswerBasis } from '../src/queries/assistant/stored_answers.ts'
import { getProductQuestions } from '../src/queries/catalogue/questions.ts'
import { movePages } from '../src/queries/catalogue/feed.ts'
import { getSynonyms, updateSynonyms } from '../src/queries/catalogue/search/synonyms.ts'
import { lockWorkspace } from '../src/queries/people/workspaces.ts'

export const get_ai_settings: Handler<'get_ai_settings'> = ({ path }, { db }) =>
  getAiSettings(db, path.workspaceId)

export const update_ai_settings: Handler<'update_ai_settings'> = ({ path, body }, caller) =>
  caller.transaction(async (trx) => {
    const { workspaceId } = path
    await lockWorkspace(trx, workspaceId)
    caller.requireCurrent(await getAiSettings(trx, workspaceId))
    await updateAiSettings(trx, workspaceId, body)
    await movePages(trx, workspaceId)
    return getAiSettings(trx, workspaceId)
  })

export const get_synonyms: Handler<'get_synonyms'> = ({ path }, { db }) =>
  getSynonyms(db, path.workspaceId)

export const update_synonyms: Handler<'update_synonyms'> = ({ path, body }, caller) =>
  caller.transaction(async (trx) => {
    const { workspaceId } = path
    await lockWorkspace(trx, workspaceId)
    caller.requireCurrent(await getSynonyms(trx, workspaceId))
    await updateSynonyms(trx, workspaceId, body, caller.now)
    await movePages(trx, workspaceId)
    return getSynonyms(trx, workspaceId)
  })

interface ProductPath {
  workspaceId: string
  id: string
}

export const get_kept_answers: Handler<'get_kept_answers'> = ({ path }, { db }) =>
  keptAnswersOf(db, path)

export const make_kept_answers: Handler<'make_kept_answers'> = async ({ path, body }, caller) => {
  const { workspaceId, id: productId } = path
  // Before the texts are read: an answer of newer texts than its hash says is asked for again, and one
  // of older texts would pass for current.
  const basis = await getAnswerBasis(caller.db, { workspaceId, productId })
  const shop = await readShop(caller.db, workspaceId)
  const about = await readChatProduct(caller.db, shop, productId)
  const { answers, credits } = await keptAnswersOf(caller.db, path)
  if (body.credits < credits)
    throw new ApiError('write_conflict', ['keptPriceChanged', { count: credits }])
  const due = answers.filter(isDue).map(({ question }) => question)
  const asked = { shop, about, basis }
  // One after the other: credits may run out, and other chats want their turn.
  await caller.outlast(
    due.reduce<Promise<void>>(
      (before, question) => before.then(() => keepAnswer(caller, path, asked, question)),
      Promise.resolve(),
    ),
  )
  return keptAnswersOf(caller.db, path)
}

export const delete_kept_answers: Handler<'delete_kept_answers'> = ({ path }, caller) =>
  caller.transaction(async (trx) => {
    const { workspaceId, id: productId } = path
    await deleteKeptAnswers(trx, { workspaceId, productId })
    await movePages(trx, workspaceId)
    return keptAnswersOf(trx, path)
  })

const level = 'LOW'

const isDue = ({ state }: { state: string }) => state === 'NONE' || state === 'OLD'

async function keptAnswersOf(
  db: AccountCaller['db'],
  { workspaceId, id: productId }: ProductPath,
): Promise<Output<'get_kept_answers'>> {
  const { questions } = await getProductQuestions(db, workspaceId, productId)
  const texts = questions.map(({ text }) => text)
  const answers = await listKeptAnswers(db, { workspaceId, productId }, texts)
  return { answers, credits: answers.filter(isDue).length * productChatCost(level) }
}

interface AskedQuestion {
  shop: OpenShop
  about: Awaited<ReturnType<typeof readChatProduct>>
  basis: Awaited<ReturnType<typeof getAnswerBasis>>
}

/** Asks one question and keeps its answer, unless another call does. */
function keepAnswer(
  caller: AccountCaller,
  { workspaceId, id: productId }: ProductPath,
  { shop, about, basis: { hash, tagIds } }: AskedQuestion,
  question: string,
): Promise<void> {
  const product = { workspaceId, productId }
  const endpoint = 'make_kept_answers' as const
  const call = { ...product, endpoint, credits: productChatCost(level) }
  const chat = { shop, ...about, message: question, history: [], thinkingLevel: level } as const
  return runForOwner(caller, call, {
    begin: (trx, until) =>
      beginKeptAnswer(trx, product, { question, hash, now: caller.clock(), until }),
    ask: (signal) => answerProductChat(caller, chat, { signal }),
    keep: (trx, reply, until) =>
      finishKeptAnswer(
        trx,
        product,
        { question, until },
        {
          answer: reply?.response ?? null,
          citations: reply?.citations ?? [],
          product: about.product,
          tagIds,
          products: reply?.products ?? [],
        },
      ),
    giveUp: (trx, until) => giveUpKeptAnswer(trx, product, { question, until }),
  })
}
