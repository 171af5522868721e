import { describe, expect, test } from 'vitest'
import classes from '../../src/language/meanings/classes.json' with { type: 'json' }
import kinds from '../../src/language/meanings/kinds.json' with { type: 'json' }
import plain from '../../src/language/meanings/plain.json' with { type: 'json' }
import related from '../../src/language/meanings/related.json' with { type: 'json' }
import { packOf } from '../../src/language/packs.ts'
import { entriesOf } from '../../src/language/patterns.ts'
import { strengthOf, wordsIn } from '../../src/domain/assistant/finding/strength.ts'
import { termsOf } from '../../src/domain/assistant/understanding/questions.ts'
import { defaultLanguage, languages } from '../../src/texts/languages.ts'

const linesOf = (language: (typeof languages)[number]) =>
  packOf[language].lexicon.flatMap((theme) => Object.entries(theme))
const meaningsIn = (language: (typeof languages)[number]) => linesOf(language).map(([name]) => name)
const meanings = new Set(meaningsIn(defaultLanguage))

describe('the lexicon', () => {
  test.each(languages)('has one line for a meaning: %s', (language) => {
    const names = meaningsIn(language)
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })

  test.each(languages)('has meanings that the first pack names, with words: %s', (language) => {
    expect(meaningsIn(language).filter((name) => !meanings.has(name))).toEqual([])
    expect(linesOf(language).filter(([, list]) => entriesOf(list).length === 0)).toEqual([])
  })

  test.each(Object.entries({ kinds, related }))('relates meanings that it has: %s', (_, table) => {
    const named = Object.entries(table).flatMap(([name, others]) => [name, ...entriesOf(others)])
    expect(named.filter((name) => !meanings.has(name))).toEqual([])
  })

  test.each(Object.entries({ classes, plain }))(
    'has lists of meanings that it has: %s',
    (_, lists) => {
      const members = Object.values(lists).flatMap(entriesOf)
      expect(members.filter((name) => !meanings.has(name))).toEqual([])
    },
  )

  test.each([
    ['polyester', 'nylon'],
    ['oak', 'beech'],
    ['induction', 'gas'],
    ['eczema', 'psoriasis'],
    ['car', 'bicycle'],
    ['iPhone', 'Android'],
    ['Bursa', 'Denizli'],
  ])('does not take %s for %s', (asked, said) => {
    const [term] = termsOf(asked)
    expect(strengthOf(term!, wordsIn(said))).toBeLessThan(0.7)
  })

  test.each([
    ['wood', 'oak'],
    ['ahşap', 'oak'],
    ['plastic', 'ABS'],
    ['meat', 'dana'],
    ['outdoors', 'balkon'],
  ])('answers a question about %s with %s', (asked, said) => {
    const [term] = termsOf(asked)
    expect(strengthOf(term!, wordsIn(said))).toBeGreaterThanOrEqual(0.7)
  })
})
