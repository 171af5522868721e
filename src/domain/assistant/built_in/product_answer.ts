import type { PublishedProduct } from '../../../queries/catalogue/search/catalogue_search.ts'
import { serviceTexts } from '../../../texts/languages.ts'
import type { ProductAnswer } from '../ai_model.ts'
import { isDecisive, type SentenceMatch, matchesOf } from '../finding/matching.ts'
import { citation, preferred, quote } from '../finding/other_products.ts'
import { looksPlanted } from '../finding/planted.ts'
import { type Sentence, sentencesOf, sentencesOfProduct } from '../finding/sentences.ts'
import { strengthOf, wordsIn } from '../finding/strength.ts'
import { near, strong } from '../finding/weights.ts'
import { quantitiesIn } from '../understanding/quantities.ts'
import type { Question } from '../understanding/questions.ts'
import { directionsOf } from './directions.ts'
import { asksYesOrNo, type Certainty, certaintyOf } from './yes_or_no.ts'

/* What a product's own fields and texts say to a question. */

/** Sentences this much weaker than the best one are not quoted. */
const nearlyAsGood = 0.8

/** An answer out of a product's own data, and whether that is a certain yes or no. */
export interface OwnAnswer extends ProductAnswer {
  certainty?: Certainty | undefined
}

/** What the product says; undefined if it does not. */
export function answerAboutProduct(
  product: PublishedProduct,
  question: Question,
  limit: number,
): OwnAnswer | undefined {
  const { language } = question
  const fact = factOf(product, question)
  if (fact)
    return {
      response: `${product.name}: ${fact.text}`,
      productIds: [product.id],
      citations: [],
      certainty: fact.certainty,
    }
  const sentences = sentencesOfProduct(product)
  const all = matchesOf(question, product, sentences)
  const quoted = bestOf(all, question, limit).map(({ sentence }) => sentence)
  if (quoted.length > 0) {
    const others = all.flatMap(({ score, sentence }) => (score > 0 ? sentence : []))
    const tags = tagsOf(product, question).flatMap(sentencesOf)
    return {
      ...quoting(product, quoted, question),
      certainty: certaintyOf(question, product, [...quoted, ...tags], others),
    }
  }
  const tags = question.isOpen ? [] : tagsOf(product, question)
  if (tags.length > 0 && areAnswer(tags, question)) {
    const { tags: label } = serviceTexts[language].assistant
    const response = `${product.name}: ${label} ${tags.join(', ')}.`
    const quoted = tags.flatMap(sentencesOf)
    const certainty = certaintyOf(question, product, quoted, [])
    return { response, productIds: [product.id], citations: [], certainty }
  }
  if (isInName(product, question)) {
    const { inName } = serviceTexts[language].assistant
    return { response: `${inName} ${product.name}.`, productIds: [product.id], citations: [] }
  }
  const opening = openingOf(product, question, limit)
  return opening.length > 0 ? quoting(product, opening, question) : undefined
}

/** The sentences that answer, best first. One that is neither much of an answer nor close leads none. */
function answersAmong(all: readonly SentenceMatch[], { terms }: Question): SentenceMatch[] {
  const heavy = terms.filter((term) => !term.isLight).length
  const isDoubted = ({ rank, closeness, wanted, covered }: SentenceMatch) =>
    wanted === 'none' &&
    covered.filter((term) => !term.isLight).length * 2 <= heavy &&
    !covered.some(isDecisive) &&
    rank >= near.doubted.rank &&
    closeness < near.doubted.closeness
  const matches = all.filter(({ score }) => score > 0)
  const first = matches.findIndex((match) => !isDoubted(match))
  return first < 0 ? [] : matches.slice(first)
}

/** The best sentences: one for each part of a question in parts, in the reader's language first. */
function bestOf(all: readonly SentenceMatch[], question: Question, limit: number): SentenceMatch[] {
  const { language } = question
  const matches = answersAmong(all, question)
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

/** Whether one sentence of the product speaks of everything that is asked about. */
export function saysAll(product: PublishedProduct, question: Question): boolean {
  const heavy = question.terms.filter((term) => !term.isLight)
  const matches = matchesOf(question, product, sentencesOfProduct(product))
  return (
    heavy.length > 0 &&
    matches.some(({ score, covered }) => score > 0 && heavy.every((term) => covered.includes(term)))
  )
}

/** Sentences shown where none is an answer. */
const mostClosest = 2

/** The sentences that come closest to a question that none answers, best first. */
export function closestTo(product: PublishedProduct, question: Question): Sentence[] {
  const matches = matchesOf(question, product, sentencesOfProduct(product))
  const close = matches.filter(({ score, closeness }) => score > 0 || closeness >= near.closest)
  const best = close.slice(0, mostClosest).map(({ sentence }) => sentence)
  return [...preferred(best, question.language)]
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
  question: Question,
): { text: string; certainty?: Certainty } | undefined {
  const { terms, language, intent } = question
  const { inStock, outOfStock, soldAt } = serviceTexts[language].assistant
  const places = sales.map(({ name: shop, link }) => `${shop} (${link})`).join(', ')
  const sold = places ? { text: `${soldAt} ${places}` } : undefined
  if (intent === 'buy' && sold) return sold
  const inName = wordsIn(name)
  const others = terms.filter(
    (term) =>
      !term.isLight &&
      term.meanings.length > 0 &&
      !term.meanings.some((meaning) => meaning === 'stock' || meaning === 'buy') &&
      strengthOf(term, inName) === 0,
  )
  if (others.length > 0) return undefined
  const means = (meaning: string) => terms.some((term) => term.meanings.includes(meaning))
  if (means('stock'))
    return {
      text: stock > 0 ? inStock : outOfStock,
      ...(asksYesOrNo(question) && { certainty: stock > 0 ? 'yes' : 'no' }),
    }
  return means('buy') ? sold : undefined
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

/** Whether tags say all that is asked about: one word in common is no answer. */
function areAnswer(tags: readonly string[], { terms }: Question): boolean {
  const words = wordsIn(tags.join(' '))
  return terms.every((term) => term.isLight || strengthOf(term, words) >= strong)
}

/** Whether the name has the quantity that is asked for: "500 ml". */
function isInName({ name }: PublishedProduct, { quantities, terms }: Question): boolean {
  if (quantities.length === 0 || quantities.includes('count')) return false
  const known = wordsIn(name)
  const unmatched = terms.filter((term) => !term.isLight && strengthOf(term, known) === 0)
  const found = quantitiesIn(name)
  return unmatched.length <= 1 && quantities.some((kind) => found.has(kind))
}

/** What a product says of itself first, or how it is used, where nothing else is asked. */
function openingOf(product: PublishedProduct, question: Question, limit: number): Sentence[] {
  const { language, intent } = question
  if (!isAboutAllOfIt(product, question)) return []
  if (intent === 'use') return directionsOf(product, language, limit)
  return preferred(sentencesOfProduct(product), language).slice(0, limit)
}

/** Whether the question asks for nothing in particular of this product. */
function isAboutAllOfIt({ name, brand, tags }: PublishedProduct, question: Question): boolean {
  const { isGeneral, intent, terms, quantities, answerClass } = question
  if (intent === 'use' || intent === 'purpose') return true
  if (!isGeneral || quantities.length > 0 || answerClass) return false
  const known = wordsIn([name, brand, ...tags].join(' '))
  return terms.every((term) => term.isLight || strengthOf(term, known) >= strong)
}
