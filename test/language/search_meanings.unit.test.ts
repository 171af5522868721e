import { expect, test } from 'vitest'
import { meantByWords } from '../../src/language/search_meanings.ts'

const wordsMeantBy = (...words: string[]) =>
  meantByWords(words).map((meant) => (meant ?? []).map(({ word }) => word))

test('a word of a search is also found by its own meaning where its phrase has no single word', () => {
  const [coffee, machine] = wordsMeantBy('coffee', 'machine')
  expect(coffee).toContain('kahve')
  expect(machine).toContain('makine')
})

test('words of a phrase that has a word of its own are found by that word alone', () => {
  expect(wordsMeantBy('tempered', 'chopping', 'board')[1]).toContain('tahta')
})

test('a phrase is also found by another of its meaning, word for word', () => {
  const [sleep, bag] = wordsMeantBy('uyku', 'tulumu')
  expect(sleep).toContain('sleeping')
  expect(sleep).not.toContain('bag')
  expect(bag).toContain('bag')
  expect(bag).not.toContain('sleeping')
})
