import type { Kysely } from 'kysely'
import { firstInTurns } from '../../../fairness/yielding.ts'
import { languageOf } from '../../../language/small_words.ts'
import type { Database } from '../../../db/schema.ts'
import { type Language, serviceTexts } from '../../../texts/languages.ts'
import type { ProductAnswer, ProductChat } from '../ai_model.ts'
import {
  bestOther,
  citation,
  likeliestOther,
  namedOthers,
  preferred,
  quote,
} from '../finding/other_products.ts'
import { likeQuestions } from '../finding/likeness.ts'
import { looksPlanted } from '../finding/planted.ts'
import { findReply, type FoundReply } from '../finding/replies.ts'
import { answerFromKnowledge, quotingShop } from '../finding/shop_knowledge.ts'
import { sentencesOfProduct } from '../finding/sentences.ts'
import {
  languageOfChat,
  type Question,
  questionOf,
  smallTalkIn,
  visitorTurns,
} from '../understanding/questions.ts'
import { answerOwn } from './own_answers.ts'
import { answerAboutProduct, closestTo, saysAll } from './product_answer.ts'

/** Quotes per answer, by thinking level. */
const quotes = { LOW: 2, MEDIUM: 3, HIGH: 5 }

/** Number of the shop's questions suggested when there is no answer. */
const suggestions = 2

/** Answers with sentences from the catalogue: deterministic, with nothing made up. */
export async function answerFromCatalogue(
  db: Kysely<Database>,
  chat: ProductChat,
): Promise<ProductAnswer> {
  const question = questionOfChat(chat)
  const { language } = question
  const limit = quotes[chat.thinkingLevel]
  const smallTalk = answerToSmallTalk(chat)
  if (smallTalk) return smallTalk
  const found = await findReplyIn(chat, question)
  // The owner knows better than the texts what is asked again, or is part of what was asked.
  if (found && found.likeness !== 'likely') return replying(db, chat, question, found)
  // What is only likely to be asked again is replied unless the product says all of it.
  const likely = found && (await replying(db, chat, question, found))
  if (question.wantsOthers)
    return (
      likely ??
      (await namedOthers(db, chat, question, limit)) ??
      answerFromKnowledge(chat.shop, question, chat.product) ??
      (await likeliestOther(db, chat, question)) ??
      answerUnknown(chat, language)
    )
  const own = answerOwn(chat, question, limit)
  if (likely && !(own && saysAll(chat.product, question))) return likely
  if (own) return fuller(db, chat, question, own)
  const inOtherWords = await answerInOtherWords(chat, question, limit)
  if (inOtherWords) return fuller(db, chat, question, inOtherWords)
  const ofShop = answerFromKnowledge(chat.shop, question, chat.product)
  if (ofShop) return ofShop
  if (question.terms.length === 0 && !chat.message.includes('?'))
    return answerUnknown(chat, language, serviceTexts[language].assistant.greeting)
  return closest(db, chat, question)
}

/** What the product says to a question of the shop's that asks the same in other words. */
async function answerInOtherWords(
  chat: ProductChat,
  question: Question,
  limit: number,
): Promise<ProductAnswer | undefined> {
  for (const { text, likeness } of await likeQuestions(chat, chat.questions, question)) {
    if (likeness !== 'sure') break
    const asked = questionOf(text, [], chat.shop)
    const own = answerOwn(
      { ...chat, message: text },
      { ...asked, language: question.language },
      limit,
    )
    if (own) return own
  }
  return undefined
}

/**
 * Says that the product does not say it, with the sentences that come closest to it and another product
 * that does say it, if there are any. None of this is an answer.
 */
async function closest(
  db: Kysely<Database>,
  chat: ProductChat,
  question: Question,
): Promise<ProductAnswer> {
  const { product } = chat
  const texts = serviceTexts[question.language].assistant
  const sentences = closestTo(product, question)
  const other = await bestOther(db, chat, question)
  if (sentences.length === 0 && !other) return answerUnknown(chat, question.language)
  const lines = [
    sentences.length === 0
      ? texts.unknown
      : `${texts.unknown} ${texts.closest} ${sentences.map(quote).join(' ')}`,
    ...(other ? [other.response] : []),
  ]
  return {
    response: lines.join('\n'),
    productIds: [...(sentences.length > 0 ? [product.id] : []), ...(other?.productIds ?? [])],
    citations: [
      ...sentences.map(({ text }) => citation(product, text)),
      ...(other?.citations ?? []),
    ],
    isUnanswered: true,
    isFree: true,
  }
}

/** The answer to a message that only greets or thanks; undefined to others. */
export function answerToSmallTalk(chat: ProductChat): ProductAnswer | undefined {
  const kind = smallTalkIn(chat.message)
  if (!kind) return undefined
  const { welcome, greeting } = serviceTexts[languageOfChat(chat)].assistant
  const response = kind === 'thanks' ? welcome : greeting
  return { response, productIds: [], citations: [], isFree: true }
}

/** What the owner replied when surely this was asked before, of the product or of the shop; undefined if not. */
export async function answerFromReplies(
  db: Kysely<Database>,
  chat: ProductChat,
): Promise<ProductAnswer | undefined> {
  const question = questionOfChat(chat)
  const found = await findReplyIn(chat, question)
  return found?.likeness === 'sure' ? replying(db, chat, question, found) : undefined
}

const findReplyIn = (chat: ProductChat, question: Question) =>
  findReply({ ...chat, replies: [...chat.replies, ...chat.shop.knowledge] }, question)

/** An answer in the owner's words. */
async function replying(
  db: Kysely<Database>,
  chat: ProductChat,
  question: Question,
  found: FoundReply,
): Promise<ProductAnswer> {
  const { product } = chat
  if (!chat.replies.includes(found.reply)) return quotingShop(found, question.language)
  const { answer } = found.reply
  const { replied } = serviceTexts[question.language].assistant
  // A like question may mean something else: the visitor is told that it was another.
  const opening = found.isSameWording ? '' : `${replied} `
  return fuller(db, chat, question, {
    response: `${product.name}: ${opening}“${answer}”`,
    productIds: [product.id],
    citations: [{ productId: null, sentence: answer }],
  })
}

/** Further sentences of the product, and other products to compare it with, by thinking level. */
const more = {
  LOW: { sentences: 0, others: 0 },
  MEDIUM: { sentences: 2, others: 1 },
  HIGH: { sentences: 5, others: 3 },
}

/** Adds what a dearer level gives: more of what the product says, and what else there is. */
async function fuller(
  db: Kysely<Database>,
  chat: ProductChat,
  question: Question,
  answer: ProductAnswer,
): Promise<ProductAnswer> {
  const { sentences: further, others } = more[chat.thinkingLevel]
  if (further === 0) return answer
  const { product } = chat
  const { alsoSays } = serviceTexts[question.language].assistant
  const quoted = new Set(answer.citations.map(({ sentence }) => sentence))
  const sentences = answer.isUnanswered
    ? []
    : preferred(sentencesOfProduct(product), question.language)
        .filter(({ text }) => !quoted.has(text))
        .slice(0, further)
  const compared = await namedOthers(db, chat, question, others)
  const lines = [
    answer.response,
    ...(sentences.length > 0 ? [`${alsoSays} ${sentences.map(quote).join(' ')}`] : []),
    ...factsOf(chat, question, answer),
    ...(compared ? [compared.response] : []),
  ]
  return {
    ...answer,
    response: lines.join('\n'),
    productIds: [...answer.productIds, ...(compared?.productIds ?? [])],
    citations: [
      ...answer.citations,
      ...sentences.map(({ text }) => citation(product, text)),
      ...(compared?.citations ?? []),
    ],
  }
}

/** What the product's fields say beside the answer: stock, and at the highest level the rest. */
function factsOf(
  { product, thinkingLevel }: ProductChat,
  { language }: Question,
  { isUnanswered }: ProductAnswer,
): string[] {
  if (isUnanswered) return []
  const { inStock, outOfStock, tags: label, soldAt } = serviceTexts[language].assistant
  const facts = [product.stock > 0 ? inStock : outOfStock]
  const tags = product.tags.filter((tag) => !looksPlanted(tag))
  if (thinkingLevel === 'HIGH' && tags.length > 0) facts.push(`${label} ${tags.join(', ')}.`)
  if (thinkingLevel === 'HIGH' && product.sales.length > 0)
    facts.push(`${soldAt} ${product.sales.map(({ name }) => name).join(', ')}`)
  return facts
}

/** A message without a topic ("and this one?") continues the last one that had a topic. */
function questionOfChat({ shop, message, history }: ProductChat): Question {
  const question = questionOf(message, history, shop)
  if (isAnswerable(question)) return question
  for (const earlier of visitorTurns(history)) {
    const before = questionOf(earlier, [], shop)
    if (isAnswerable(before)) return { ...before, language: question.language }
  }
  return question
}

function isAnswerable({ terms, quantities, answerClass, isGeneral, wantsOthers }: Question) {
  return terms.length > 0 || quantities.length > 0 || answerClass || isGeneral || wantsOthers
}

/** Says that the catalogue has no answer, and suggests questions of the shop that it can answer. */
export async function answerUnknown(
  { shop, product, questions, replies }: ProductChat,
  language: Language,
  greeting?: string,
): Promise<ProductAnswer> {
  const answered = await firstInTurns(
    questions,
    suggestions,
    (text) =>
      (languageOf(text) ?? language) === language &&
      (replies.some((reply) => reply.question === text) ||
        answerAboutProduct(product, questionOf(text, [], shop), 1) !== undefined),
  )
  const lines = answered.map((text) => `- ${text}`)
  if (lines.length > 0) lines.unshift(serviceTexts[language].assistant.canAsk)
  const opening = greeting ?? serviceTexts[language].assistant.unknown
  return {
    response: [opening, ...lines].join('\n'),
    productIds: [],
    citations: [],
    isUnanswered: greeting === undefined,
    isFree: true,
  }
}
