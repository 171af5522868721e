import type { Kysely } from 'kysely'
import { firstInTurns } from '../../../fairness/yielding.ts'
import type { Database } from '../../../db/schema.ts'
import type { PublishedProduct } from '../../../queries/catalogue/search/catalogue_search.ts'
import { type Language, serviceTexts } from '../../../texts/languages.ts'
import type { ProductAnswer, ProductChat } from '../ai_model.ts'
import { type Match, matchesOf, strengthOf, wordsIn } from '../finding/matching.ts'
import { citation, namedOthers, preferred, quote } from '../finding/other_products.ts'
import { looksPlanted } from '../finding/planted.ts'
import { quantitiesIn } from '../understanding/quantities.ts'
import { type Question, questionOf, visitorTurns } from '../understanding/questions.ts'
import { findReply } from '../finding/replies.ts'
import { answerFromKnowledge, quotingShop } from '../finding/shop_knowledge.ts'
import { type Sentence, sentencesOfProduct } from '../finding/sentences.ts'
import { languageOf } from '../../../language/small_words.ts'
import { strong } from '../finding/weights.ts'

/** Quotes per answer, by thinking level. */
const quotes = { LOW: 2, MEDIUM: 3, HIGH: 5 }

/** Sentences this much weaker than the best one are not quoted. */
const nearlyAsGood = 0.8

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
  const replied = await answerFromReplies(db, chat)
  if (replied) return replied
  if (question.wantsOthers)
    return (
      (await namedOthers(db, chat, question, limit)) ??
      answerFromKnowledge(chat.shop, question, chat.product) ??
      unknown(chat, language)
    )
  const own = answerAboutProduct(chat.product, question, limit)
  if (own) return fuller(db, chat, question, own)
  const ofShop = answerFromKnowledge(chat.shop, question, chat.product)
  if (ofShop) return ofShop
  if (question.terms.length === 0 && !chat.message.includes('?'))
    return unknown(chat, language, serviceTexts[language].assistant.greeting)
  return fuller(db, chat, question, await unknown(chat, language))
}

/** What the owner replied when this was asked before, of the product or of the shop; undefined if not. */
export async function answerFromReplies(
  db: Kysely<Database>,
  chat: ProductChat,
): Promise<ProductAnswer | undefined> {
  const question = questionOfChat(chat)
  const { product, shop } = chat
  const replies = [...chat.replies, ...shop.knowledge]
  const found = await findReply({ ...chat, replies }, question)
  if (!found) return undefined
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
  const question = questionOf(message, history, shop.synonyms)
  if (isAnswerable(question)) return question
  for (const earlier of visitorTurns(history)) {
    const before = questionOf(earlier, [], shop.synonyms)
    if (isAnswerable(before)) return { ...before, language: question.language }
  }
  return question
}

function isAnswerable({ terms, quantities, answerClass, isGeneral, wantsOthers }: Question) {
  return terms.length > 0 || quantities.length > 0 || answerClass || isGeneral || wantsOthers
}

/** What the product's own fields and texts say; undefined if they do not. */
function answerAboutProduct(
  product: PublishedProduct,
  question: Question,
  limit: number,
): ProductAnswer | undefined {
  const { language } = question
  const fact = factOf(product, question)
  if (fact) return { response: `${product.name}: ${fact}`, productIds: [product.id], citations: [] }
  const sentences = sentencesOfProduct(product)
  const matches = bestOf(matchesOf(question, product, sentences), question, limit)
  if (matches.length > 0)
    return quoting(
      product,
      matches.map(({ sentence }) => sentence),
      question,
    )
  const tags = question.isOpen ? [] : tagsOf(product, question)
  if (tags.length > 0 && areAnswer(tags, question)) {
    const { tags: label } = serviceTexts[language].assistant
    const response = `${product.name}: ${label} ${tags.join(', ')}.`
    return { response, productIds: [product.id], citations: [] }
  }
  if (isInName(product, question)) {
    const { inName } = serviceTexts[language].assistant
    return { response: `${inName} ${product.name}.`, productIds: [product.id], citations: [] }
  }
  if (!isAboutAllOfIt(product, question)) return undefined
  const opening = preferred(sentences, language).slice(0, limit)
  return opening.length > 0 ? quoting(product, opening, question) : undefined
}

/** The best sentences: one for each part of a question in parts, in the reader's language first. */
function bestOf(matches: readonly Match[], { language }: Question, limit: number): Match[] {
  const [first] = matches
  if (!first) return []
  const good = matches.filter(({ score }) => score >= first.score * nearlyAsGood)
  // A text in two languages says the same twice: the reader's is enough.
  const readable = good.filter(({ sentence }) => sentence.language === language)
  const chosen = (readable.length > 0 ? readable : good).slice(0, limit)
  const uncovered = matches.find(
    ({ covered, sentence }) =>
      (readable.length === 0 || sentence.language === language) &&
      covered.some((term) => !term.isLight) &&
      covered.every((term) => !chosen.some((match) => match.covered.includes(term))),
  )
  return uncovered && !chosen.includes(uncovered) ? [...chosen, uncovered] : chosen
}

function quoting(
  product: PublishedProduct,
  sentences: readonly Sentence[],
  question: Question,
): ProductAnswer {
  const tags = tagsOf(product, question)
  const parts = sentences.map(quote)
  if (tags.length > 0)
    parts.push(`${serviceTexts[question.language].assistant.tags} ${tags.join(', ')}.`)
  return {
    response: `${product.name}: ${parts.join(' ')}`,
    productIds: [product.id],
    citations: sentences.map(({ text }) => citation(product, text)),
  }
}

/** Answers from a product's fields, where no sentence is needed. */
function factOf(
  { stock, sales, name }: PublishedProduct,
  { terms, language }: Question,
): string | undefined {
  const inName = wordsIn(name)
  const others = terms.filter(
    (term) =>
      !term.isLight &&
      term.meanings.length > 0 &&
      !term.meanings.some((meaning) => meaning === 'stock' || meaning === 'buy') &&
      strengthOf(term, inName) === 0,
  )
  if (others.length > 0) return undefined
  const { inStock, outOfStock, soldAt } = serviceTexts[language].assistant
  const means = (meaning: string) => terms.some((term) => term.meanings.includes(meaning))
  if (means('stock')) return stock > 0 ? inStock : outOfStock
  if (means('buy') && sales.length > 0)
    return `${soldAt} ${sales.map(({ name: shop, link }) => `${shop} (${link})`).join(', ')}`
  return undefined
}

/** The tags that a term of the question names. */
function tagsOf({ tags }: PublishedProduct, { terms }: Question): string[] {
  const heavy = terms.filter((term) => !term.isLight)
  return tags.filter((tag) => {
    if (looksPlanted(tag)) return false
    const words = wordsIn(tag)
    return heavy.some((term) => strengthOf(term, words) >= strong)
  })
}

/** Whether tags say at least half of what is asked about: one word in common is no answer. */
function areAnswer(tags: readonly string[], { terms }: Question): boolean {
  const words = wordsIn(tags.join(' '))
  const heavy = terms.filter((term) => !term.isLight)
  const said = heavy.filter((term) => strengthOf(term, words) >= strong)
  return said.length * 2 >= heavy.length
}

/** Whether the name has the quantity that is asked for: "500 ml". */
function isInName({ name }: PublishedProduct, { quantities, terms }: Question): boolean {
  if (quantities.length === 0 || quantities.includes('count')) return false
  const known = wordsIn(name)
  const unmatched = terms.filter((term) => !term.isLight && strengthOf(term, known) === 0)
  const found = quantitiesIn(name)
  return unmatched.length <= 1 && quantities.some((kind) => found.has(kind))
}

/** Whether the question asks for nothing in particular of this product. */
function isAboutAllOfIt({ name, brand, tags }: PublishedProduct, question: Question): boolean {
  const { isGeneral, terms, quantities, answerClass } = question
  if (!isGeneral || quantities.length > 0 || answerClass) return false
  const known = wordsIn([name, brand, ...tags].join(' '))
  return terms.every((term) => term.isLight || strengthOf(term, known) >= strong)
}

/** Says that the catalogue has no answer, and suggests questions of the shop that it can answer. */
async function unknown(
  { product, questions, replies }: ProductChat,
  language: Language,
  greeting?: string,
): Promise<ProductAnswer> {
  const answered = await firstInTurns(
    questions,
    suggestions,
    (text) =>
      (languageOf(text) ?? language) === language &&
      (replies.some((reply) => reply.question === text) ||
        answerAboutProduct(product, questionOf(text, []), 1) !== undefined),
  )
  const lines = answered.map((text) => `- ${text}`)
  if (lines.length > 0) lines.unshift(serviceTexts[language].assistant.canAsk)
  const opening = greeting ?? serviceTexts[language].assistant.unknown
  return {
    response: [opening, ...lines].join('\n'),
    productIds: [],
    citations: [],
    isUnanswered: greeting === undefined,
  }
}
