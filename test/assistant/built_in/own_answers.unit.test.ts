import { expect, test } from 'vitest'
import type { ProductChat } from '../../../src/domain/assistant/ai_model.ts'
import { answerOwn } from '../../../src/domain/assistant/built_in/own_answers.ts'
import { questionOf } from '../../../src/domain/assistant/understanding/questions.ts'
import { smallShop as shop } from './small_shop.ts'

function answerTo(message: string, description: string): string {
  const product: ProductChat['product'] = {
    id: 'p',
    name: 'Thing',
    brand: 'Kiln',
    description,
    information: '',
    tags: [],
    stock: 3,
    sales: [],
  }
  return answerOwn({ shop, product, message }, questionOf(message, []), 2)?.response ?? 'nothing'
}

test.each([
  ['Can I carry it off the bike?', 'Carries up to 3 kg.'],
  ['Does it have a strobe mode?', 'On the lowest setting it burns for 120 hours.'],
])('%s is not answered by a verb or a setting alone', (message, text) => {
  expect(answerTo(message, text)).toBe('nothing')
})

test.each([
  ['Can I wear it to the office?', 'The fabric is soft.', 'iş, work'],
  ['Is it purple?', 'It takes no more than ten minutes.', 'mor, purple'],
])('%s is not answered by %s, whose small word looks like %s', (message, text) => {
  expect(answerTo(message, text)).toBe('nothing')
})

test('what comes with a product is a question of its own in a message that asks two', () => {
  const text = 'It weighs 2.3 kg. Comes with fourteen pegs and a sack.'
  expect(answerTo('How heavy is it and what comes with it?', text)).toBe(
    'Thing: “It weighs 2.3 kg.” “Comes with fourteen pegs and a sack.”',
  )
})
