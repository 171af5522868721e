import { expect, test } from 'vitest'
import { partsOf } from '../../../src/domain/assistant/understanding/parts.ts'

test.each([
  ['How heavy is it?', 1],
  ['How heavy are they and where are they made?', 2],
  ['Is it vegan, and what does it smell of?', 2],
  ['Kaç gram ve nerede üretiliyor?', 2],
  ['Fırına girer mi, kaç dereceye kadar?', 2],
  ['Is it safe for cats and dogs?', 1],
  ['Can I wash and iron it?', 1],
  ['I have dry, sensitive skin; is it for me?', 1],
  ['Vegan mı? Parfümlü mü? Kaç ml?', 3],
])('%s has so many questions: %i', (message, count) => {
  expect(partsOf(message)).toHaveLength(count)
})

test('a message of thousands of clauses is not read anew for each', () => {
  const message = 'x; is it x; '.repeat(20_000)
  expect(partsOf(message)).toEqual([message])
  expect(partsOf(`x${' '.repeat(300_000)}!`)).toHaveLength(1)
})
