import { expect, test } from 'vitest'
import { mapInTurns } from '../../src/fairness/yielding.ts'

test('mapInTurns lets other work run after each item', async () => {
  const steps: string[] = []
  const again = () => {
    steps.push('something else')
    if (steps.length < 6) setImmediate(again)
  }
  setImmediate(again)
  const mapped = await mapInTurns([1, 2, 3], (item) => {
    steps.push(`item ${item}`)
    return item * 2
  })
  expect(mapped).toEqual([2, 4, 6])
  expect(steps).toEqual([
    'item 1',
    'something else',
    'item 2',
    'something else',
    'item 3',
    'something else',
  ])
})
