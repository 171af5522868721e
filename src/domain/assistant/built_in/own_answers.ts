import { serviceTexts } from '../../../texts/languages.ts'
import type { ProductAnswer, ProductChat } from '../ai_model.ts'
import { partsOf } from '../understanding/parts.ts'
import { type Question, questionOf } from '../understanding/questions.ts'
import { answerAboutProduct, type OwnAnswer } from './product_answer.ts'

/** What the product at hand says to a message, part by part where it asks several things. */
export function answerOwn(
  chat: Pick<ProductChat, 'shop' | 'product' | 'message'>,
  question: Question,
  limit: number,
): ProductAnswer | undefined {
  const inParts = answerInParts(chat, question)
  if (inParts) return inParts
  const answer = answerAboutProduct(chat.product, question, limit)
  if (!answer) return undefined
  const { certainty, ...said } = answer
  return { ...said, response: openingOf(certainty, question) + said.response }
}

/** "Yes. ", "No. ", or nothing where that is not certain. */
function openingOf(certainty: OwnAnswer['certainty'], { language }: Question): string {
  return certainty ? `${serviceTexts[language].assistant[certainty]} ` : ''
}

/** The answers to the questions of a message that asks several, one after the other. */
function answerInParts(
  { shop, product, message }: Pick<ProductChat, 'shop' | 'product' | 'message'>,
  question: Question,
): ProductAnswer | undefined {
  const parts = partsOf(message)
  if (parts.length === 1) return undefined
  const found = parts.flatMap((part, index) => {
    const { language } = question
    const own = { ...questionOf(part, [], shop), language }
    const isAlone = own.terms.some((term) => !term.isLight) || index === 0
    // "What comes with it?" is a question of its own, though no thing is named.
    const isWhole = isAlone || (own.terms.length > 0 && own.quantities.length === 0)
    const answer = isWhole ? answerAboutProduct(product, own, 1) : undefined
    if (answer || isAlone) return answer ?? []
    // "And how long is it?" goes on with what the part before is about.
    const asked = questionOf(`${parts[index - 1]} ${part}`, [], shop)
    return answerAboutProduct(product, { ...asked, language }, 1) ?? []
  })
  if (found.length === 0) return undefined
  const name = `${product.name}: `
  const bodies = new Map<string, string>()
  for (const { response, certainty } of found) {
    const body = response.startsWith(name) ? response.slice(name.length) : response
    // The same sentence may say yes to one part, and nothing certain to another.
    const isRepeated = bodies.has(body)
    bodies.set(body, isRepeated ? '' : openingOf(certainty, question))
  }
  const [first = '', ...others] = [...bodies].map(([body, opening], index) =>
    index === 0 ? `${opening}${name}${body}` : opening + body,
  )
  const citations = new Map(found.flatMap((answer) => answer.citations.map((c) => [c.sentence, c])))
  return {
    response: [first, ...others].join(' '),
    productIds: [product.id],
    citations: [...citations.values()],
  }
}
