import { admitAiCall } from '../src/access/ai_calls.ts'
import { requireVisitor } from '../src/access/visitors.ts'
import { paginationOf } from '../src/core/paging.ts'
import { hashToken, threadToken } from '../src/core/secrets.ts'
import {
  answerFaceAnalysis,
  answerProductChat,
  answerRoutineChat,
  readChatProduct,
  readSelected,
} from '../src/domain/assistant/ai_chats.ts'
import {
  faceAnalysisCost,
  productChatCost,
  routineChatCost,
} from '../src/domain/credits/ai_costs.ts'
import { requireChallenge } from '../src/domain/site/challenges.ts'
import { mayReadCatalogue } from '../src/domain/site/site_access.ts'
import {
  keepTurns,
  openConversation,
  readConversation,
  requireOwnThread,
} from '../src/domain/assistant/conversations.ts'
import { runMetered } from '../src/domain/credits/metering.ts'
import { turnOf } from '../src/domain/media/picture_lane.ts'
import {
  pictureOf,
  picturesOf,
  readPicture,
  readPictures,
} from '../src/domain/assistant/pictures.ts'
import type { Handler } from '../src/operation.ts'
import { deleteThread, listThreads, pictureTurn } from '../src/queries/assistant/threads.ts'
import { recordUnanswered } from '../src/queries/assistant/unanswered_questions.ts'
import { defaultLanguage } from '../src/texts/languages.ts'

export const chat_about_product: Handler<'chat_about_product'> = async ({ body }, caller) => {
  const { message, productId, thinkingLevel } = body
  requireOwnThread(caller, body.threadId)
  const comprehensive = thinkingLevel !== 'LOW'
  const { visitor, shop } = await admitAiCall(caller, comprehensive ? 'comprehensive' : 'fast')
  const about = await readChatProduct(caller.db, shop, productId)
  const conversation = await openConversation(caller, visitor, body.threadId)
  await requireChallenge(caller, body.challengeToken, 'chat')
  const { threadId, history } = conversation
  return runMetered(
    caller,
    {
      visitor,
      eventName: 'chat.product',
      endpoint: 'chat_about_product',
      comprehensive,
      credits: productChatCost(thinkingLevel),
      productId,
    },
    {
      ask: (signal) => {
        const chat = { shop, ...about, message, history, thinkingLevel }
        return answerProductChat(caller, chat, { signal, words: caller.words })
      },
      answer: async (trx, { response, products, citations, isUnanswered }, receipt) => {
        const about = { kind: 'PRODUCT' as const, productId }
        const turns = { ...about, visitor: message, assistant: response, citations }
        await keepTurns(trx, caller, visitor, conversation, turns)
        // In a trial, too: what the owner misses, a visitor would.
        if (isUnanswered) {
          const { workspaceId } = caller.site
          const customerId = visitor.type === 'CUSTOMER' ? visitor.id : null
          const question = { workspaceId, productId, message, customerId }
          await recordUnanswered(trx, question, caller.clock())
        }
        return { threadId, response, products, citations, ...receipt }
      },
    },
  )
}

export const chat_about_routine: Handler<'chat_about_routine'> = async ({ body }, caller) => {
  const { message, userProfile = {}, allowAiSuggestions, thinkingLevel } = body
  requireOwnThread(caller, body.threadId)
  const comprehensive = thinkingLevel !== 'LOW'
  const { visitor, shop } = await admitAiCall(caller, comprehensive ? 'comprehensive' : 'fast')
  const selected = await readSelected(caller.db, shop, body.userSelectedRoutineProducts)
  const pictures = await readPictures(body.images, 'images')
  const conversation = await openConversation(caller, visitor, body.threadId)
  await requireChallenge(caller, body.challengeToken, 'chat')
  const { threadId, history } = conversation
  return runMetered(
    caller,
    {
      visitor,
      eventName: 'chat.routine',
      endpoint: 'chat_about_routine',
      comprehensive,
      credits: routineChatCost(thinkingLevel, pictures.length),
    },
    {
      async ask(signal) {
        const images = await picturesOf(pictures, turnOf(caller, signal))
        const options = { userProfile, selected, allowAiSuggestions, images, thinkingLevel }
        const chat = { shop, message, history, ...options }
        return answerRoutineChat(caller, chat, { signal, words: caller.words })
      },
      answer: async (trx, { response, products, steps, citations }, receipt) => {
        const about = { kind: 'ROUTINE' as const, productId: null }
        const turns = { ...about, visitor: message, assistant: response, citations }
        await keepTurns(trx, caller, visitor, conversation, turns)
        return { threadId, response, products, steps, citations, ...receipt }
      },
    },
  )
}

export const analyze_face: Handler<'analyze_face'> = async ({ body }, caller) => {
  const { visitor, shop } = await admitAiCall(caller, 'comprehensive')
  const picture = await readPicture(body.image, 'image')
  const conversation = await openConversation(caller, visitor, undefined)
  await requireChallenge(caller, body.challengeToken, 'chat')
  const { threadId } = conversation
  return runMetered(
    caller,
    {
      visitor,
      eventName: 'chat.analyze_face',
      endpoint: 'analyze_face',
      comprehensive: true,
      credits: faceAnalysisCost(),
    },
    {
      async ask(signal) {
        const image = await pictureOf(picture, turnOf(caller, signal))
        const language = caller.languages[0] ?? defaultLanguage
        return answerFaceAnalysis(caller, { shop, image, language }, signal)
      },
      answer: async (trx, { response, analysis, products, citations }, receipt) => {
        // A follow-up chat only sees the analysis.
        const about = { kind: 'FACE' as const, productId: null }
        const turns = { ...about, visitor: pictureTurn, assistant: response, citations }
        await keepTurns(trx, caller, visitor, conversation, turns)
        return { threadId, response, analysis, products, citations, ...receipt }
      },
    },
  )
}

export const list_threads: Handler<'list_threads'> = async ({ query }, caller) => {
  const { page, pageSize } = query
  const { secretKey, environment } = caller.config
  const owner = { workspaceId: caller.site.workspaceId, visitorId: requireVisitor(caller).id }
  const place = { limit: pageSize, offset: (page - 1) * pageSize }
  const { rows, total } = await listThreads(caller.db, owner, place)
  const threads = rows.map(({ seed, ...thread }) => ({
    threadId: threadToken(secretKey, environment, owner, seed),
    ...thread,
  }))
  return { threads, pagination: paginationOf(page, pageSize, total) }
}

export const get_thread: Handler<'get_thread'> = async ({ path: { threadId } }, caller) => {
  requireOwnThread(caller, threadId)
  const thread = await readConversation(caller, requireVisitor(caller), threadId)
  return mayReadCatalogue(caller) ? thread : { ...thread, products: [] }
}

export const delete_thread: Handler<'delete_thread'> = async ({ path }, caller) => {
  requireOwnThread(caller, path.threadId)
  const { workspaceId } = caller.site
  const tokenHash = hashToken(path.threadId)
  await deleteThread(caller.db, { workspaceId, visitorId: requireVisitor(caller).id, tokenHash })
}
