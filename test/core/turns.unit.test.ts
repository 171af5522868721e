import { expect, test } from 'vitest'
import { mapInTurns } from '../../src/core/turns.ts'

test('what else there is to do gets its turn after each item', async () => {
  const seen: string[] = []
  const again = () => {
    seen.push('something else')
    if (seen.length < 6) setImmediate(again)
  }
  setImmediate(again)
  const mapped = await mapInTurns([1, 2, 3], (item) => {
    seen.push(`item ${item}`)
    return item * 2
  })
  expect(mapped).toEqual([2, 4, 6])
  expect(seen).toEqual([
    'item 1',
    'something else',
    'item 2',
    'something else',
    'item 3',
    'something else',
  ])
})
