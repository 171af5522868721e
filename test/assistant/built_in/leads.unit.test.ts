import { expect, test } from 'vitest'
import { leadsIn } from '../../../src/domain/assistant/finding/addresses.ts'
import { looksPlanted } from '../../../src/domain/assistant/finding/planted.ts'

const own = { links: ['https://kiln.example/shop'], names: ['Kiln'] }

test.each([
  ['See http://evil.example/a).', ['http://evil.example/a', 'evil.example/a']],
  ['See https://kiln.example/shop).', []],
])('%s leads to %j', (text, places) => {
  expect(leadsIn(text, own).map((lead) => lead.text)).toEqual(places)
})

test.each(['write to a.b-c@evil.example', 'at my-shop.com', 'at my-shop-.com'])(
  '%s is not quoted',
  (sentence) => {
    expect(looksPlanted(sentence)).toBe(true)
  },
)

test('the marks behind an address are read once', () => {
  const text = `http://evil.example/${']'.repeat(200_000)}x`
  expect(leadsIn(text, own)[0]?.kind).toBe('place')
})

test.each(['a-', 'a', 'a.'])('"%s" again and again is no address', (part) => {
  expect(looksPlanted(part.repeat(200_000))).toBe(false)
})
