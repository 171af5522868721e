import { describe, expect, test } from 'vitest'
import type { ProductChat } from '../../../src/domain/assistant/ai_model.ts'
import { questionOf } from '../../../src/domain/assistant/understanding/questions.ts'
import { findReply } from '../../../src/domain/assistant/finding/replies.ts'
import { smallShop as shop } from './small_shop.ts'

const product: ProductChat['product'] = {
  id: 'p',
  name: 'Blue mug',
  brand: 'Kiln',
  description: '',
  information: '',
  tags: [],
  stock: 1,
  sales: [],
}

/** Whether a reply to the second question is given to the first. */
async function isUsed(message: string, question: string): Promise<boolean> {
  const replies = [{ question, answer: 'Yes.' }]
  const found = await findReply({ shop, product, message, replies }, questionOf(message, []))
  return found !== undefined
}

const like = [
  ['Can I put it in the microwave?', 'Is it microwave safe?'],
  ['Can I put it in the microwave?', 'Mikrodalgaya girer mi?'],
  ['Does it contain zinc?', 'İçinde çinko var mı?'],
  ['Does it contain zinc?', 'Is there zinc in it?'],
  ['Can it go in the dishwasher?', 'Bulaşık makinesinde yıkanır mı?'],
  ['Do you ship to Germany?', "Almanya'ya gönderim var mı?"],
  ['Garantisi var mı?', 'Is there a warranty?'],
  ['Is the mug vegan?', 'Is it vegan?'],
  ['Can my dog eat it?', 'Köpeğim yiyebilir mi?'],
  ['Can you engrave a name on it?', 'İsim kazınabiliyor mu?'],
  ['Is it waterproof?', 'Su geçirir mi?'],
] as const

const unlike = [
  ['Can I put it in the microwave?', 'Does it come with a microwave lid?'],
  ['Can I put it in the microwave?', 'Can I put it in the oven?'],
  ['Does it contain zinc?', 'Does it contain zinc oxide?'],
  ['Does it contain zinc?', 'Does it contain iron?'],
  ['Do you ship to Germany?', 'Do you ship to France?'],
  ['Do you ship to Germany?', 'Is it made in Germany?'],
  ['Is it safe for children under 3?', 'Is it safe for children under 6?'],
  ['Is it safe for children?', 'Is it safe for dogs?'],
  ['Is there a warranty?', 'How long is the warranty?'],
  ['How do I use it?', 'How do I store it?'],
  ['Is it vegan?', 'Is it vegan and gluten free?'],
  ['Can I wash it?', 'When can I wash it?'],
  ['Is it good for dry skin?', 'Is it good for oily skin?'],
  ['Can I put it in the freezer?', 'Can I put it in the fridge?'],
  ['Kışın giyilir mi?', 'Yazın giyilir mi?'],
  ['Hello', 'Is it vegan?'],
] as const

describe('a reply', () => {
  test.each(like)('is given to a like question: %s ~ %s', async (a, b) => {
    expect([await isUsed(a, b), await isUsed(b, a)]).toEqual([true, true])
  })

  test.each(unlike)('is not given to another question: %s ≠ %s', async (a, b) => {
    expect([await isUsed(a, b), await isUsed(b, a)]).toEqual([false, false])
  })
})
