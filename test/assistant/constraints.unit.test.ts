import { describe, expect, test } from 'vitest'
import { admittedOf } from '../../src/domain/assistant/admission.ts'
import { constraintsOf, maxDemands } from '../../src/domain/assistant/constraints.ts'
import { strengthOf } from '../../src/domain/assistant/matching.ts'
import { termsOf } from '../../src/domain/assistant/questions.ts'
import type { PublishedProduct } from '../../src/queries/catalogue/catalogue_search.ts'

const letters = 'bcdfghjklm'
/** Words that no catalogue has, all different. */
const madeUp = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    [...String(index).padStart(3, '0')].map((digit) => `${letters[Number(digit)]}o`).join('x'),
  )

const product = (id: string, description: string): PublishedProduct => ({
  id,
  name: 'Cream',
  brand: 'Dere',
  description,
  information: '',
  tags: [],
  stock: 1,
  sales: [],
})

const almond = product('a', 'With almond oil.')
const plain = product('b', 'With olive oil.')

describe('what a visitor demands', () => {
  test('is read to the last word of a clause', async () => {
    const { without, areTooMany } = await constraintsOf([`without ${madeUp(60).join(' ')} almond`])
    expect(without.map(({ word }) => word)).toEqual([...madeUp(60), 'almond'])
    expect(areTooMany).toBe(false)
  })

  test('is read where many words come before it', async () => {
    const { circumstances } = await constraintsOf([`${madeUp(60).join(' ')} pregnant`])
    expect(circumstances.map(({ word }) => word)).toEqual(['pregnant'])
  })

  test('counts once, however often it is said', async () => {
    const { circumstances, freeOf, mustBe } = await constraintsOf(
      Array.from({ length: 200 }, () => 'I am pregnant. It must be vegan. I am a celiac'),
    )
    expect(circumstances.map(({ word }) => word)).toEqual(['pregnant'])
    expect(mustBe.map(({ word }) => word)).toEqual(['vegan'])
    expect(freeOf.map(({ word }) => word)).toEqual(['gluten'])
  })

  test('is bounded, and says so where there is more', async () => {
    const most = await constraintsOf(madeUp(maxDemands).map((word) => `without ${word}.`))
    expect(most.without).toHaveLength(maxDemands)
    expect(most.areTooMany).toBe(false)
    const more = await constraintsOf(madeUp(maxDemands + 500).map((word) => `without ${word}.`))
    expect(more.without).toHaveLength(maxDemands)
    expect(more.areTooMany).toBe(true)
  })
})

describe('the products that demands admit', () => {
  test('are those without what is not wanted', async () => {
    const admitted = await admittedOf([almond, plain], await constraintsOf(['without almond']))
    expect([...admitted]).toEqual([plain])
  })

  test('are none if there is more to check than is read', async () => {
    const constraints = await constraintsOf([`without ${madeUp(maxDemands).join(' ')} almond`])
    expect(await admittedOf([almond, plain], constraints)).toEqual(new Set())
  })

  test('are found in turns with other work', async () => {
    let turns = 0
    let isOver = false
    const other = () => {
      turns++
      if (!isOver) setImmediate(other)
    }
    setImmediate(other)
    const products = Array.from({ length: 20 }, (_, index) => product(`p${index}`, 'Oil.'))
    const admitted = await admittedOf(products, await constraintsOf(['without almond']))
    isOver = true
    expect(admitted.size).toBe(20)
    expect(turns).toBeGreaterThanOrEqual(19)
  })
})

test('a text is read once for all the terms that are looked for in it', () => {
  let reads = 0
  const words = new Proxy(madeUp(1000), {
    get(target, key, receiver) {
      if (typeof key === 'string' && /^\d+$/.test(key)) reads++
      return Reflect.get(target, key, receiver) as unknown
    },
  })
  const text = { words, meanings: new Set<string>() }
  const found = termsOf('bonxe boxke almond zzzzz serum', Infinity).map((term) =>
    strengthOf(term, text),
  )
  expect(found).toEqual([0, 0, 0, 0, 0])
  expect(reads).toBe(1000)
})
