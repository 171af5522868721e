import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { productValues, questionLibrary } from '../../../src/demo/catalogue.ts'
import { products } from '../../../src/demo/products.ts'
import { rehearse } from '../../../src/domain/assistant/built_in/rehearsal.ts'

test('a rehearsal asks all questions about the demo, and lets others have their turn', async () => {
  const sample = products
    .slice(0, 8)
    .map((product) => ({ id: product.sku, tags: product.tags, ...productValues(product) }))
  let [isOver, turns] = [false, 0]
  const rehearsal = rehearse(sample, questionLibrary).then(() => (isOver = true))
  for (; !isOver; turns++) await setImmediate()
  await rehearsal
  expect(turns).toBeGreaterThan(questionLibrary.length * sample.length)
})
