import { expect, test } from 'vitest'
import { searchTermsOf } from '../../src/language/search_terms.ts'

/** What is looked up for a search: whole words, and beginnings with a star. */
const lookedUp = (search: string) =>
  searchTermsOf(search).words.flatMap(({ lookUps }) =>
    lookUps.map(({ word, prefix }) => (prefix ? `${word}*` : word)),
  )

test.each([
  ['serum', ['seru*']],
  ['serumu', ['seru*']],
  ['seruma', ['seru*']],
  ['serumlar', ['seru*']],
  ['kilimi', ['kili*']],
  ['creams', ['cream*']],
])('%s is looked up as %j, and not by three letters of it', (search, words) => {
  expect(lookedUp(search)).toEqual(words)
})

test.each([
  ['ruju', 'ruj'],
  ['yagi', 'yag'],
  ['kili', 'kil'],
])('%s with one ending is looked up by its root of three letters, too', (search, root) => {
  expect(lookedUp(search)).toContain(root)
})
