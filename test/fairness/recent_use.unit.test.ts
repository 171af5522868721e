import { expect, test } from 'vitest'
import { createRecentUse } from '../../src/fairness/recent_use.ts'

test('what was used counts for one span or two', () => {
  let now = 0
  const used = createRecentUse(60, () => now)
  used.add('one', 5)
  used.add('one', 2)
  used.add('two', 1)
  now = 59
  expect([used.of('one'), used.of('two'), used.of('three')]).toEqual([7, 1, 0])
  now = 60
  used.add('one', 1)
  expect([used.of('one'), used.of('two')]).toEqual([8, 1])
  now = 120
  expect([used.of('one'), used.of('two')]).toEqual([1, 0])
  used.add('two', 4)
  now = 1000
  expect([used.of('one'), used.of('two')]).toEqual([0, 0])
})
