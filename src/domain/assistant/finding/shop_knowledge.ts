import { languageOf } from '../../../language/small_words.ts'
import type { PublishedProduct } from '../../../queries/catalogue/search/catalogue_search.ts'
import { type Language, serviceTexts } from '../../../texts/languages.ts'
import type { AiShop, ProductAnswer, OwnerReply } from '../ai_model.ts'
import { quantitiesIn } from '../understanding/quantities.ts'
import { type Question, termsOf } from '../understanding/questions.ts'
import { matchesOf } from './matching.ts'
import { isWeighty } from './sayings.ts'
import { findReply, type FoundReply } from './replies.ts'
import type { Sentence } from './sentences.ts'
import { hasForm, strengthOf, wordsIn } from './strength.ts'
import { strong } from './weights.ts'

/** The shop's answer to this question or a like one; undefined if it has none. */
export async function answerOfShop(
  shop: AiShop,
  message: string,
  question: Question,
): Promise<ProductAnswer | undefined> {
  const found = await findReply({ shop, message, replies: shop.knowledge }, question)
  return found?.likeness === 'sure' ? quotingShop(found, question.language) : undefined
}

/** An answer in the shop's own words, which are about no product. */
export function quotingShop(
  { reply, isSameWording }: Pick<FoundReply, 'reply' | 'isSameWording'>,
  language: Language,
): ProductAnswer {
  const { replied } = serviceTexts[language].assistant
  // A like question may mean something else: the visitor is told that it was another.
  const opening = isSameWording ? '' : `${replied} `
  return {
    response: `${opening}“${reply.answer}”`,
    productIds: [],
    citations: [{ productId: null, sentence: reply.answer }],
  }
}

const ofNoProduct: PublishedProduct = {
  id: '',
  name: '',
  brand: '',
  description: '',
  information: '',
  tags: [],
  stock: 0,
  sales: [],
}

/**
 * What the shop says of itself where nothing else answers: an entry that says all that is asked, and
 * whose own question is at least half asked. "Can it be washed?" is not about returning washed things.
 */
export function answerFromKnowledge(
  { knowledge, name, synonyms }: AiShop,
  question: Question,
  product?: PublishedProduct,
): ProductAnswer | undefined {
  // What only names the product at hand, or the shop, is not asked about.
  const names = {
    ...ofNoProduct,
    name: [name, product?.name].join(' '),
    brand: product?.brand ?? '',
  }
  const named = wordsIn(`${names.name} ${names.brand}`)
  const heavy = question.terms.filter((term) => isWeighty(term) && !hasForm(named, term.word))
  if (knowledge.length === 0 || heavy.length === 0) return undefined
  const asked = wordsIn(question.terms.map(({ word }) => word).join(' '))
  const sentences = knowledge.map(sentenceOf)
  const answering = matchesOf(question, names, sentences).filter(({ sentence, score }) => {
    const topics = termsOf(knowledge[sentences.indexOf(sentence)]!.question, synonyms)
    const own = topics.filter(isWeighty)
    const shared = own.filter((term) => strengthOf(term, asked) >= strong)
    return (
      score > 0 &&
      shared.length * 2 >= own.length &&
      heavy.every((term) => strengthOf(term, sentence) >= strong)
    )
  })
  const { language } = question
  const best = answering.find(({ sentence }) => sentence.language === language) ?? answering[0]
  if (!best) return undefined
  const reply = knowledge[sentences.indexOf(best.sentence)]!
  return quotingShop({ reply, isSameWording: false }, language)
}

/** An entry as a sentence of a text: its question says what it is about. */
function sentenceOf({ question, answer }: OwnerReply): Sentence {
  const { words, written, meanings } = wordsIn(`${question}\n${answer}`)
  return {
    text: answer,
    language: languageOf(answer),
    words,
    written,
    meanings,
    quantities: quantitiesIn(answer),
    label: [],
  }
}
