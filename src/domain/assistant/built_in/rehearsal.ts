import { setImmediate } from 'node:timers/promises'
import { mapInTurns } from '../../../fairness/yielding.ts'
import type { PublishedProduct } from '../../../queries/catalogue/search/catalogue_search.ts'
import type { ProductChat } from '../ai_model.ts'
import { findOthers } from '../finding/other_products.ts'
import { findReply } from '../finding/replies.ts'
import { compared } from '../finding/retrieval.ts'
import { questionOf } from '../understanding/questions.ts'
import { answerOwn } from './own_answers.ts'
import { closestTo } from './product_answer.ts'

const shop: ProductChat['shop'] = {
  workspaceId: '',
  name: '',
  sector: 'GENERAL',
  language: 'en',
  ownerPrompt: '',
  contact: { email: null, links: [] },
  synonyms: [],
  knowledge: [],
}

/**
 * Looks for answers to each question, about one of the products and among the others, for nobody: lexicons,
 * table and patterns are read and compiled by it. Calls get their turn in between.
 */
export async function rehearse(
  products: readonly PublishedProduct[],
  questions: readonly string[],
): Promise<void> {
  const replies = questions.map((question) => ({ question: `${question} ?`, answer: '' }))
  for (const [index, message] of questions.entries()) {
    const product = products[index % products.length]!
    const question = questionOf(message, [], shop)
    await setImmediate()
    const chat: ProductChat = {
      shop,
      product,
      message,
      history: [],
      questions,
      replies,
      thinkingLevel: 'LOW',
    }
    await findReply(chat, question)
    answerOwn(chat, question, 2)
    closestTo(product, question)
    await findOthers(chat, question, (terms) =>
      mapInTurns(products, (other) => compared(other, terms)),
    )
  }
}
