import { describe, expect, test } from 'vitest'
import { synonymGroupsOf } from '../../../src/language/synonyms.ts'
import { admittedOf } from '../../../src/domain/assistant/finding/admission.ts'
import {
  constraintsOf,
  maxDemands,
} from '../../../src/domain/assistant/understanding/constraints.ts'
import { strengthOf } from '../../../src/domain/assistant/finding/strength.ts'
import { termsOf } from '../../../src/domain/assistant/understanding/questions.ts'
import type { PublishedProduct } from '../../../src/queries/catalogue/search/catalogue_search.ts'

const demandsOf = (texts: readonly string[], ...groups: string[][]) =>
  constraintsOf(texts, synonymGroupsOf(groups.map((words) => ({ words }))))

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
    const { without, areTooMany } = await demandsOf([`without ${madeUp(60).join(' ')} almond`])
    expect(without.map(({ word }) => word)).toEqual([...madeUp(60), 'almond'])
    expect(areTooMany).toBe(false)
  })

  test('is read where many words come before it', async () => {
    const { circumstances } = await demandsOf([`${madeUp(60).join(' ')} pregnant`])
    expect(circumstances.map(({ word }) => word)).toEqual(['pregnant'])
  })

  test('counts once, however often it is said', async () => {
    const { circumstances, freeOf, mustBe } = await demandsOf(
      Array.from({ length: 200 }, () => 'I am pregnant. It must be vegan. I am a celiac'),
    )
    expect(circumstances.map(({ word }) => word)).toEqual(['pregnant'])
    expect(mustBe.map(({ word }) => word)).toEqual(['vegan'])
    expect(freeOf.map(({ word }) => word)).toEqual(['gluten'])
  })

  test('is bounded, and says so where there is more', async () => {
    const most = await demandsOf(madeUp(maxDemands).map((word) => `without ${word}.`))
    expect(most.without).toHaveLength(maxDemands)
    expect(most.areTooMany).toBe(false)
    const more = await demandsOf(madeUp(maxDemands + 500).map((word) => `without ${word}.`))
    expect(more.without).toHaveLength(maxDemands)
    expect(more.areTooMany).toBe(true)
  })
})

describe('the products that demands admit', () => {
  test('are those without what is not wanted', async () => {
    const admitted = await admittedOf([almond, plain], await demandsOf(['without almond']))
    expect([...admitted]).toEqual([plain])
  })

  test.each([
    ['without frumple', ['frumple', 'almond']],
    ['frumple allergy', ['frumple', 'almond oil']],
    ['frumple blim olmasın', ['frumple blim', 'almond']],
  ])('are those without the synonyms of it: %s', async (demand, group) => {
    const admitted = await admittedOf([almond, plain], await demandsOf([demand], group))
    expect([...admitted]).toEqual([plain])
  })

  test('are those whose name says that they are free of a synonym', async () => {
    const free = { ...plain, name: 'Zorblat-free cream' }
    const demands = await demandsOf(['without frumple'], ['frumple', 'zorblat'])
    expect([...(await admittedOf([free, { ...plain, name: 'Zorblat' }], demands))]).toEqual([free])
  })

  test.each([
    ['I am allergic to milk', 'Without lactose.', 'No milk.'],
    ['I am allergic to milk', 'Without butter.', 'Süt içermez.'],
    ['It must be vegan', 'Suitable for vegetarians.', 'Vegan.'],
  ])('are those whose text confirms the very thing: %s, not %s', async (demand, near, right) => {
    const [first, second] = [product('n', near), product('r', right)]
    const admitted = await admittedOf([first, second], await demandsOf([demand]))
    expect([...admitted]).toEqual([second])
  })

  test('are none if there is more to check than is read', async () => {
    const constraints = await demandsOf([`without ${madeUp(maxDemands).join(' ')} almond`])
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
    const admitted = await admittedOf(products, await demandsOf(['without almond']))
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
  const found = termsOf('bonxe boxke almond zzzzz serum', [], Infinity).map((term) =>
    strengthOf(term, text),
  )
  expect(found).toEqual([0, 0, 0, 0, 0])
  expect(reads).toBe(1000)
})
