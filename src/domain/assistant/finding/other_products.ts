import type { Kysely } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import { isSubstance } from '../../../language/meanings.ts'
import { areForms } from '../../../language/word_forms.ts'
import { closeness, type Vector, vectorOfWords } from '../../../language/word_vectors.ts'
import { wordsOf } from '../../../language/words.ts'
import type { PublishedProduct } from '../../../queries/catalogue/search/catalogue_search.ts'
import { type Language, serviceTexts } from '../../../texts/languages.ts'
import { admittedOf } from './admission.ts'
import type { Citation, ProductAnswer, ProductChat } from '../ai_model.ts'
import { constraintsOf } from '../understanding/constraints.ts'
import { matchesOf } from './matching.ts'
import { type Question, type Term, visitorTurns } from '../understanding/questions.ts'
import {
  type FoundProduct,
  findProducts,
  findProductsOfAll,
  findProductsWithAll,
} from './retrieval.ts'
import { suitedOf, vectorOfProduct } from './product_texts.ts'
import { type Sentence, sentencesOfProduct } from './sentences.ts'
import { near } from './weights.ts'

/** Share of the terms that another product must cover to be named. */
const enough = 0.6

/** Other products that fit the question, labelled as such, if there are any. */
export async function namedOthers(
  db: Kysely<Database>,
  chat: ProductChat,
  question: Question,
  limit: number,
): Promise<ProductAnswer | undefined> {
  const sure = (match: FoundProduct) => isEnough(match, question.terms)
  const found = await findOthers(chat, question, async (terms) =>
    (await findProducts(db, chat.shop, terms)).filter(sure),
  )
  if ('response' in found) return found
  const matches = bestOf(found, question.terms).slice(0, limit)
  if (matches.length === 0) return undefined
  const lines = matches.map((match) => lineAbout(match.product, question))
  const { others } = serviceTexts[question.language].assistant
  return {
    response: [others, ...lines.map(({ text }) => text)].join('\n'),
    productIds: matches.map((match) => match.product.id),
    citations: lines.flatMap(({ citations }) => citations),
  }
}

/** Those as good as the first; of these, what can be bought comes before what is out of stock. */
function bestOf(found: readonly FoundProduct[], terms: readonly Term[]): FoundProduct[] {
  const [best] = found
  if (!best) return []
  const named = heavyIn(best.named.filter((term) => !isMadeWith(term)))
  const asGood = found.filter(
    (match) =>
      heavyIn(match.covered) >= heavyIn(best.covered) &&
      madeForIn(match, terms) >= madeForIn(best, terms) &&
      heavyIn(match.named) >= named,
  )
  const isOut = ({ product }: FoundProduct) => Number(product.stock === 0)
  return asGood.sort((a, b) => isOut(a) - isOut(b))
}

/** A product has a substance whether it is named by it or not. */
const isMadeWith = ({ meanings }: Term) => meanings.some(isSubstance)

/** Other products that fit the question, best first; the answer where too much is demanded of them. */
export async function findOthers(
  { shop, product, message, history }: ProductChat,
  question: Question,
  find: (terms: readonly Term[]) => Promise<FoundProduct[]>,
): Promise<FoundProduct[] | ProductAnswer> {
  const { terms, language } = question
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
  const fitting = (await find(terms)).filter((match) => match.product.id !== product.id)
  const admitted = await admittedOf(
    fitting.map((match) => match.product),
    constraints,
  )
  const asked = vectorOfTerms(terms)
  const fits = new Map(
    fitting.map((match) => [
      match,
      fitOf(match) +
        madeForIn(match, terms) * 2 +
        (hasCompound(match, question) ? 1 : 0) +
        likenessTo(asked, match) * near.product.weight,
    ]),
  )
  return fitting
    .filter((match) => admitted.has(match.product))
    .sort((a, b) => fits.get(b)! - fits.get(a)! || b.score - a.score)
}

/** How much of what is needed a product names: one that suits everybody is second to it. */
const madeForIn = ({ product }: FoundProduct, terms: readonly Term[]) =>
  terms.filter(({ need }) => need !== undefined && suitedOf(product).to.has(need)).length

/** What says nothing of dry skin is no likely answer to what is for it, however alike all else is. */
const coversNeeds = ({ covered }: FoundProduct, terms: readonly Term[]) =>
  terms.every((term) => term.need === undefined || covered.includes(term))

/** Whether a name has words side by side as they are asked for: "dry shampoo" is none for dry hair. */
function hasCompound({ product }: FoundProduct, { words, terms }: Question): boolean {
  const name = wordsOf(product.name)
  const isHeavy = (word: string) => terms.some((term) => term.word === word && !term.isLight)
  return words.slice(1).some((second, index) => {
    const first = words[index]!
    if (!isHeavy(first) || !isHeavy(second)) return false
    return name.some((word, at) => areForms(first, word) && areForms(second, name[at + 1] ?? ''))
  })
}

/** The one product that comes closest to what is asked for, where none surely is what is meant. */
export async function likeliestOther(
  db: Kysely<Database>,
  chat: ProductChat,
  question: Question,
): Promise<ProductAnswer | undefined> {
  const asked = vectorOfTerms(question.terms)
  const found = await findOthers(chat, question, async (terms) => {
    const all = await findProductsOfAll(db, chat.shop, terms)
    return all.filter(
      (match) =>
        coversNeeds(match, terms) &&
        (heavyIn(match.named) + heavyIn(match.opening) > 0 ||
          likenessTo(asked, match) >= near.product.least),
    )
  })
  if ('response' in found) return found
  const [best] = found
  if (!best) return undefined
  const { text, citations } = lineAbout(best.product, question)
  const { unknown, others } = serviceTexts[question.language].assistant
  return {
    response: [unknown, others, text].join('\n'),
    productIds: [best.product.id],
    citations,
    isUnanswered: true,
    isFree: true,
  }
}

const vectorOfTerms = (terms: readonly Term[]) =>
  vectorOfWords(terms.filter((term) => !term.isLight).map(({ word }) => word))

const likenessTo = (asked: Vector, { product }: FoundProduct) =>
  closeness(asked, vectorOfProduct(product))

/**
 * How much of what is asked for a product has. What it is named by counts more than what it says of itself
 * first, and that more than what it mentions.
 */
const fitOf = ({ covered, opening, named }: FoundProduct) =>
  heavyIn(covered) + heavyIn(opening) * 0.7 + heavyIn(named) * 1.5

/**
 * The one other product that says what the product at hand does not, labelled as another; undefined if none
 * surely does.
 */
export async function bestOther(
  db: Kysely<Database>,
  chat: ProductChat,
  question: Question,
): Promise<ProductAnswer | undefined> {
  const heavy = question.terms.filter((term) => !term.isLight)
  const found = await findOthers(chat, question, () => findProductsWithAll(db, chat.shop, heavy))
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

function isEnough({ covered }: FoundProduct, terms: readonly Term[]): boolean {
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
