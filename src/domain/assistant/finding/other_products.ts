import type { Kysely } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import type { PublishedProduct } from '../../../queries/catalogue/search/catalogue_search.ts'
import { type Language, serviceTexts } from '../../../texts/languages.ts'
import { admittedOf } from './admission.ts'
import type { Citation, ProductAnswer, ProductChat } from '../ai_model.ts'
import { constraintsOf } from '../understanding/constraints.ts'
import { matchesOf } from './matching.ts'
import { type Question, type Term, visitorTurns } from '../understanding/questions.ts'
import { type Found, findProducts, findProductsWithAll } from './retrieval.ts'
import { type Sentence, sentencesOfProduct } from './sentences.ts'

/** Share of the terms that another product must cover to be named. */
const enough = 0.6

/** Other products that fit the question, labelled as such, if there are any. */
export async function namedOthers(
  db: Kysely<Database>,
  chat: ProductChat,
  question: Question,
  limit: number,
): Promise<ProductAnswer | undefined> {
  const found = await findOthers(chat, question, (terms) => findProducts(db, chat.shop, terms))
  if ('response' in found) return found
  const [best] = found
  if (!best) return undefined
  const matches = found
    .filter(({ covered }) => heavyIn(covered) >= heavyIn(best.covered))
    .slice(0, limit)
  const lines = matches.map((match) => lineAbout(match.product, question))
  const { others } = serviceTexts[question.language].assistant
  return {
    response: [others, ...lines.map(({ text }) => text)].join('\n'),
    productIds: matches.map((match) => match.product.id),
    citations: lines.flatMap(({ citations }) => citations),
  }
}

/** Other products that fit the question, best first; the answer where too much is demanded of them. */
async function findOthers(
  { shop, product, message, history }: ProductChat,
  { terms, language }: Question,
  find: (terms: readonly Term[]) => Promise<Found[]>,
): Promise<Found[] | ProductAnswer> {
  const constraints = await constraintsOf(
    [...visitorTurns(history).reverse(), message],
    shop.synonyms,
  )
  if (constraints.areTooMany)
    return {
      response: serviceTexts[language].assistant.tooManyDemands,
      productIds: [],
      citations: [],
      isFree: true,
    }
  const fitting = (await find(terms)).filter(
    (match) => match.product.id !== product.id && isEnough(match, terms),
  )
  const admitted = await admittedOf(
    fitting.map((match) => match.product),
    constraints,
  )
  return fitting
    .filter((match) => admitted.has(match.product))
    .sort((a, b) => fitOf(b) - fitOf(a) || b.score - a.score)
}

/** How much of what is asked for a product has. What it is named by counts more than what it mentions. */
const fitOf = ({ covered, named }: Found) => heavyIn(covered) + heavyIn(named) * 1.5

/**
 * The one other product that says what the product at hand does not, labelled as another; undefined if none
 * surely does.
 */
export async function bestOther(
  db: Kysely<Database>,
  chat: ProductChat,
  question: Question,
): Promise<ProductAnswer | undefined> {
  const found = await findOthers(chat, question, (terms) =>
    findProductsWithAll(
      db,
      chat.shop,
      terms.filter((term) => !term.isLight),
    ),
  )
  if ('response' in found) return undefined
  const match = found.find(({ covered }) => heavyIn(covered) === heavyIn(question.terms))
  if (!match) return undefined
  const { text, citations } = lineAbout(match.product, question)
  return {
    response: [serviceTexts[question.language].assistant.another, text].join('\n'),
    productIds: [match.product.id],
    citations,
  }
}

function isEnough({ covered }: Found, terms: readonly Term[]): boolean {
  return heavyIn(covered) > 0 && heavyIn(covered) / heavyIn(terms) >= enough
}

const heavyIn = (terms: readonly Term[]) => terms.filter((term) => !term.isLight).length

/** A product's name and the sentence that fits the question best. */
function lineAbout(product: PublishedProduct, question: Question) {
  const sentences = sentencesOfProduct(product)
  const [match] = matchesOf({ ...question, quantities: [] }, product, sentences)
  const sentence =
    (match && match.score > 0 ? match.sentence : undefined) ??
    preferred(sentences, question.language)[0]
  if (!sentence) return { text: `- ${product.name}`, citations: [] }
  return {
    text: `- ${product.name}: ${quote(sentence)}`,
    citations: [citation(product, sentence.text)],
  }
}

/** Sentences in the reader's language, or else all. */
export function preferred(sentences: readonly Sentence[], language: Language): readonly Sentence[] {
  const own = sentences.filter((sentence) => sentence.language === language)
  return own.length > 0 ? own : sentences
}

export function quote({ text }: Sentence): string {
  return `“${text}”`
}

export function citation({ id }: PublishedProduct, sentence: string): Citation {
  return { productId: id, sentence }
}
