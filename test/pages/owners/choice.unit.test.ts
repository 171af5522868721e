import { expect, test } from 'vitest'
import { isTyping, nothingTyped, placeOf, typedWith } from '../../../src/web/kit/forms/choice.ts'

const choices = ['Boutique', 'Beauty', 'İnci', 'Minimal', 'Şeker'].map((label) => ({
  value: label,
  label,
}))

test('a letter goes to the next choice that begins with it, and on to the first after the last', () => {
  expect(placeOf(choices, -1, 'b')).toBe(0)
  expect(placeOf(choices, 0, 'bb')).toBe(1)
  expect(placeOf(choices, 1, 'bbb')).toBe(0)
})

test('a word stays where it fits, whatever its case and accents', () => {
  expect(placeOf(choices, 1, 'BEA')).toBe(1)
  expect(placeOf(choices, 0, 'bea')).toBe(1)
  expect(placeOf(choices, 0, 'inc')).toBe(2)
  expect(placeOf(choices, 0, 'sek')).toBe(4)
  expect(placeOf(choices, 0, 'x')).toBeUndefined()
  expect(placeOf([], -1, 'x')).toBeUndefined()
})

test('keys belong to one word until there is a pause', () => {
  const word = typedWith(typedWith(nothingTyped, 'b', 1000), 'e', 1600)
  expect(word.text).toBe('be')
  expect(isTyping(word, 2000)).toBe(true)
  expect(isTyping(word, 2400)).toBe(false)
  expect(typedWith(word, 'm', 2400).text).toBe('m')
})
