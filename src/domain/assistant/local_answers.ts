import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { PublishedProduct } from '../../queries/catalogue/catalogue_search.ts'
import { type Language, serviceTexts } from '../../texts/languages.ts'
import { isAdmitted } from './admission.ts'
import type { Citation, ProductAnswer, ProductChat } from './ai_model.ts'
import { constraintsOf } from './constraints.ts'
import { type Match, matchesOf, strengthOf, wordsIn } from './matching.ts'
import { type Question, questionOf, type Term, visitorTurns } from './questions.ts'
import { quantitiesIn } from './quantities.ts'
import { type Found, findProducts } from './retrieval.ts'
import { type Sentence, sentencesOfProduct } from './sentences.ts'
import { languageOf } from './small_words.ts'

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
  if (question.wantsOthers)
    return (await answerWithOthers(db, chat, question)) ?? unknown(chat, language)
  const own = answerAboutProduct(chat.product, question, quotes[chat.thinkingLevel])
  if (own) return own
  if (question.terms.length === 0 && !chat.message.includes('?'))
    return unknown(chat, language, serviceTexts[language].assistant.greeting)
  return unknown(chat, language)
}

/** A message without a topic ("and this one?") continues the last one that had a topic. */
function questionOfChat({ message, history }: ProductChat): Question {
  const question = questionOf(message, history)
  if (isAnswerable(question)) return question
  for (const earlier of visitorTurns(history)) {
    const before = questionOf(earlier, [])
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
  const tags = asksForNumber(question) ? [] : tagsOf(product, question)
  if (tags.length > 0) {
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

const asksForNumber = ({ quantities }: Question) => quantities.length > 0

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

/** Sentences in the reader's language, or else all. */
function preferred(sentences: readonly Sentence[], language: Language): readonly Sentence[] {
  const own = sentences.filter((sentence) => sentence.language === language)
  return own.length > 0 ? own : sentences
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

function citation({ id }: PublishedProduct, sentence: string): Citation {
  return { productId: id, sentence }
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

const strong = 0.7

/** The tags that a term of the question names. */
function tagsOf({ tags }: PublishedProduct, { terms }: Question): string[] {
  const heavy = terms.filter((term) => !term.isLight)
  return tags.filter((tag) => {
    const words = wordsIn(tag)
    return heavy.some((term) => strengthOf(term, words) >= strong)
  })
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

/** Share of the terms that another product must cover to be named. */
const enoughOfOthers = 0.6

/** Names the products that are asked for, as other products. */
async function answerWithOthers(
  db: Kysely<Database>,
  { shop, product, thinkingLevel, message, history }: ProductChat,
  question: Question,
): Promise<ProductAnswer | undefined> {
  const { terms, language } = question
  const constraints = constraintsOf([...visitorTurns(history).reverse(), message])
  const found = (await findProducts(db, shop, terms)).filter(
    (match) =>
      match.product.id !== product.id &&
      isEnough(match, terms) &&
      isAdmitted(match.product, constraints),
  )
  const [best] = found
  if (!best) return undefined
  const matches = found
    .filter(({ covered }) => heavyIn(covered) === heavyIn(best.covered))
    .slice(0, quotes[thinkingLevel])
  const lines = matches.map((match) => lineAbout(match.product, question))
  return {
    response: [serviceTexts[language].assistant.others, ...lines.map(({ text }) => text)].join(
      '\n',
    ),
    productIds: matches.map((match) => match.product.id),
    citations: lines.flatMap(({ citations }) => citations),
  }
}

function isEnough({ covered }: Found, terms: readonly Term[]): boolean {
  return heavyIn(covered) > 0 && heavyIn(covered) / heavyIn(terms) >= enoughOfOthers
}

const heavyIn = (terms: readonly Term[]) => terms.filter((term) => !term.isLight).length

/** A product's name and the sentence that fits the question best. */
function lineAbout(product: PublishedProduct, question: Question) {
  const sentences = sentencesOfProduct(product)
  const [match] = matchesOf({ ...question, quantities: [] }, product, sentences)
  const sentence = match?.sentence ?? preferred(sentences, question.language)[0]
  if (!sentence) return { text: `- ${product.name}`, citations: [] }
  return {
    text: `- ${product.name}: ${quote(sentence)}`,
    citations: [citation(product, sentence.text)],
  }
}

export function quote({ text }: Sentence): string {
  return `“${text}”`
}

/** Says that the catalogue has no answer, and suggests questions of the shop that it can answer. */
function unknown(
  { product, questions }: ProductChat,
  language: Language,
  opening: string = serviceTexts[language].assistant.unknown,
): ProductAnswer {
  const lines = questions
    .filter((text) => (languageOf(text) ?? language) === language)
    .filter((text) => answerAboutProduct(product, questionOf(text, []), 1))
    .slice(0, suggestions)
    .map((text) => `- ${text}`)
  if (lines.length > 0) lines.unshift(serviceTexts[language].assistant.canAsk)
  return { response: [opening, ...lines].join('\n'), productIds: [], citations: [] }
}
