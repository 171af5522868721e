import type { ProductAnswer, ProductChat } from '../ai_model.ts'
import { partsOf } from '../understanding/parts.ts'
import { type Question, questionOf } from '../understanding/questions.ts'
import { answerAboutProduct } from './product_answer.ts'

/** What the product at hand says to a message, part by part where it asks several things. */
export function answerOwn(
  chat: Pick<ProductChat, 'shop' | 'product' | 'message'>,
  question: Question,
  limit: number,
): ProductAnswer | undefined {
  return answerInParts(chat, question) ?? answerAboutProduct(chat.product, question, limit)
}

/** The answers to the questions of a message that asks several, one after the other. */
function answerInParts(
  { shop, product, message }: Pick<ProductChat, 'shop' | 'product' | 'message'>,
  question: Question,
): ProductAnswer | undefined {
  const parts = partsOf(message)
  if (parts.length === 1) return undefined
  const found = parts.flatMap((part, index) => {
    const own = questionOf(part, [], shop.synonyms)
    // "And how long is it?" goes on with what the part before is about.
    const isAlone = own.terms.some((term) => !term.isLight) || index === 0
    const asked = isAlone ? own : questionOf(`${parts[index - 1]} ${part}`, [], shop.synonyms)
    return answerAboutProduct(product, { ...asked, language: question.language }, 1) ?? []
  })
  if (found.length === 0) return undefined
  const opening = `${product.name}: `
  const bodies = found.map(({ response }) =>
    response.startsWith(opening) ? response.slice(opening.length) : response,
  )
  const citations = new Map(found.flatMap((answer) => answer.citations.map((c) => [c.sentence, c])))
  return {
    response: opening + [...new Set(bodies)].join(' '),
    productIds: [product.id],
    citations: [...citations.values()],
  }
}
