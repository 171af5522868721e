import { expect, test } from 'vitest'
import { countedIn, quantitiesIn } from '../../../src/domain/assistant/understanding/quantities.ts'

test.each([
  ['1.000.000 ml', ['volume', 'count']],
  ['x2,5 percent', ['share', 'count']],
  ['Every 1,5 hours', ['duration', 'frequency', 'count']],
  ['Two and a half hours', ['duration', 'count']],
  ['Half a litre', ['volume', 'count']],
  ['For 2-4 people', ['people', 'count']],
  ['Yüzde 2,5 üre', ['share', 'count']],
  ['4006381333931', ['count']],
  ['A few', ['count']],
  ['None at all', []],
])('%s measures %j', (text, quantities) => {
  expect([...quantitiesIn(text)].sort()).toEqual([...quantities].sort())
})

test.each(['1', '1,'])('"%s" again and again is read once', (part) => {
  expect(quantitiesIn(`x${part.repeat(100_000 / part.length)}`)).toContain('count')
})

test('a word without an end is read once', () => {
  expect(countedIn('a'.repeat(300_000))).toEqual([])
})
