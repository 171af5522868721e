import type { Kysely } from 'kysely'
import { mapInTurns } from '../../core/turns.ts'
import { wordsOf } from '../../core/words.ts'
import type { Database } from '../../db/schema.ts'
import type { PublishedProduct } from '../../queries/catalogue/catalogue_search.ts'
import type { Citation, ProductAnswer, ProductChat, Turn } from './ai_model.ts'
import { defaultLanguage, type Language, serviceTexts } from '../../texts/languages.ts'
import { covers, findProducts } from './retrieval.ts'
import { type Sentence, sentencesOfProduct } from './sentences.ts'
import { languageOf, pointsAtProduct, type Topic, topicsOf } from './vocabulary.ts'

/** Share of the topics a product must cover; higher for products other than the one in question. */
const enough = { own: 0.6, other: 0.75 }

/** Quotes per answer, by thinking level. */
const quotes = { LOW: 2, MEDIUM: 3, HIGH: 5 }

/** Number of the shop's questions suggested when there is no answer. */
const suggestions = 2

/** A product's coverage of the topics, and the matching sentences. */
interface Finding {
  product: PublishedProduct
  /** Share of the topics covered by its best sentence, name and tags. */
  coverage: number
  /** Share covered by the best sentence only. */
  direct: number
  sentences: Sentence[]
  tags: string[]
}

/** Answers with sentences from the catalogue: deterministic, with nothing made up. */
export async function answerFromCatalogue(
  db: Kysely<Database>,
  chat: ProductChat,
): Promise<ProductAnswer> {
  const { shop, product, message, thinkingLevel } = chat
  const language = languageOfChat(message, chat.history)
  const topics = topicsOfChat(chat)
  if (topics.length === 0)
    return message.includes('?')
      ? noAnswer(chat, language)
      : noAnswer(chat, language, serviceTexts[language].assistant.greeting)

  const fact = factOf(product, topics, language)
  if (fact) return { response: `${product.name}: ${fact}`, productIds: [product.id], citations: [] }

  const limit = quotes[thinkingLevel]
  const own = findingOf(product, topics, language)
  if (own.coverage >= enough.own)
    return {
      response: lineOf(own, language, limit),
      productIds: [product.id],
      citations: citationsOf(own, limit),
    }
  if (pointsAtProduct(message)) return noAnswer(chat, language)

  const others = (await findProducts(db, shop, topics)).filter(({ id }) => id !== product.id)
  const findings = await mapInTurns(others, (other) => findingOf(other, topics, language))
  const matches = findings
    .filter(({ coverage }) => coverage >= enough.other)
    .sort((a, b) => b.coverage - a.coverage || b.direct - a.direct || byId(a, b))
    .slice(0, limit)
  if (matches.length === 0) return noAnswer(chat, language)
  const quoted = matches.map((finding) => ({ ...finding, tags: [] }))
  return {
    response: quoted.map((finding) => lineOf(finding, language, 1)).join('\n'),
    productIds: quoted.map((finding) => finding.product.id),
    citations: quoted.flatMap((finding) => citationsOf(finding, 1)),
  }
}

/** The language to answer in: that of the question, or else of the conversation. */
export function languageOfChat(message: string, history: readonly Turn[]): Language {
  const texts = [message, ...visitorTurns(history)]
  for (const text of texts) {
    const language = languageOf(text)
    if (language) return language
  }
  return defaultLanguage
}

function visitorTurns(history: readonly Turn[]): string[] {
  return history.flatMap(({ role, text }) => (role === 'visitor' ? text : [])).reverse()
}

/** A message without a topic ("and this one?") continues the last one that had a topic. */
function topicsOfChat({ message, history, shop }: ProductChat): Topic[] {
  for (const text of [message, ...visitorTurns(history)]) {
    const topics = topicsOf(text, shop.sector)
    if (topics.length > 0) return topics
  }
  return []
}

function byId(a: Finding, b: Finding): number {
  return a.product.id < b.product.id ? -1 : 1
}

/** Answers from a product's fields, where no sentence is needed. */
function factOf(
  { stock, sales }: PublishedProduct,
  topics: readonly Topic[],
  language: Language,
): string | undefined {
  const [topic, ...others] = topics.filter(({ weight }) => weight >= 1)
  if (others.length > 0) return undefined
  const { inStock, outOfStock, soldAt } = serviceTexts[language].assistant
  if (topic?.key === 'stock') return stock > 0 ? inStock : outOfStock
  if (topic?.key === 'buy' && sales.length > 0)
    return `${soldAt} ${sales.map(({ name, link }) => `${name} (${link})`).join(', ')}`
  return undefined
}

export function findingOf(
  product: PublishedProduct,
  topics: readonly Topic[],
  language: Language,
): Finding {
  const all = topics.reduce((sum, { weight }) => sum + weight, 0)
  const share = (covered: readonly Topic[]) =>
    covered.reduce((sum, { weight }) => sum + weight, 0) / all
  const inNames = topics.filter((topic) => covers(namesOf(product), topic))
  const sentences = sentencesOfProduct(product)
  const scored = sentences.map((sentence, position) => {
    const words = [...sentence.words, ...sentence.label]
    const direct = topics.filter((topic) => covers(words, topic))
    const coverage = share([...new Set([...direct, ...inNames])])
    return { sentence, position, direct: share(direct), coverage }
  })
  scored.sort(
    (a, b) =>
      b.coverage - a.coverage ||
      b.direct - a.direct ||
      rank(b.sentence, language) - rank(a.sentence, language) ||
      a.position - b.position,
  )
  const best = scored[0] ?? { coverage: share(inNames), direct: 0 }
  const top = scored.filter(
    ({ coverage, direct }) => coverage === best.coverage && direct === best.direct,
  )
  const inLanguage = top.filter(({ sentence }) => rank(sentence, language) > 0)
  return {
    product,
    coverage: best.coverage,
    direct: best.direct,
    sentences: (inLanguage.length > 0 ? inLanguage : top).map(({ sentence }) => sentence),
    tags: best.direct < best.coverage ? tagsOf(product, inNames) : [],
  }
}

/** Prefers sentences in the question's language; those in the other language come last. */
function rank(sentence: Sentence, language: Language): number {
  if (sentence.language === undefined) return 0
  return sentence.language === language ? 1 : -1
}

function namesOf({ name, brand, tags }: PublishedProduct): string[] {
  return wordsOf([name, brand, ...tags].join(' '))
}

/** The tags that cover the most topics. */
function tagsOf({ tags }: PublishedProduct, topics: readonly Topic[]): string[] {
  const weights = tags.map((tag) => {
    const words = wordsOf(tag)
    return topics.reduce((sum, topic) => sum + (covers(words, topic) ? topic.weight : 0), 0)
  })
  const most = Math.max(...weights)
  return most > 0 ? tags.filter((_, index) => weights[index] === most) : []
}

/** The sentences to quote. If the product's tags cover more, they replace the sentences. */
function quotedOf({ coverage, direct, sentences, tags }: Finding, limit: number): Sentence[] {
  return tags.length === 0 || direct * 2 >= coverage ? sentences.slice(0, limit) : []
}

function citationsOf(finding: Finding, limit: number): Citation[] {
  const productId = finding.product.id
  return quotedOf(finding, limit).map(({ text }) => ({ productId, sentence: text }))
}

/** A product's name, its quotes and its tags. */
function lineOf(finding: Finding, language: Language, limit: number): string {
  const { product, tags } = finding
  const parts = quotedOf(finding, limit).map(quote)
  if (tags.length > 0) parts.push(`${serviceTexts[language].assistant.tags} ${tags.join(', ')}.`)
  return parts.length > 0 ? `${product.name}: ${parts.join(' ')}` : product.name
}

export function quote({ text }: Sentence): string {
  return `“${text}”`
}

/** Says that the catalogue has no answer, and suggests questions of the shop that it can answer. */
function noAnswer(
  { product, questions, shop }: ProductChat,
  language: Language,
  opening = serviceTexts[language].assistant.unknown,
): ProductAnswer {
  const lines: string[] = []
  for (const question of questions) {
    const topics = topicsOf(question, shop.sector)
    const isReadable = (languageOf(question) ?? language) === language
    if (lines.length === suggestions || !isReadable || topics.length === 0) continue
    const { coverage } = findingOf(product, topics, language)
    if (coverage >= enough.own) lines.push(`- ${question}`)
  }
  if (lines.length > 0) lines.unshift(serviceTexts[language].assistant.canAsk)
  return { response: [opening, ...lines].join('\n'), productIds: [], citations: [] }
}
