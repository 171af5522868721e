import { describe, expect, test } from 'vitest'
import { packOf } from '../../src/language/packs.ts'
import { foldedText } from '../../src/language/words.ts'
import { languages } from '../../src/texts/languages.ts'
import { german } from './german/pack.ts'

/** Texts that are folded when they are read; the others are compared with folded texts. */
const asWritten = new Set(['smallWords', 'lexicon', 'marked', 'search', 'requests', 'usage'])

/** Every list and pattern of a part of a pack, as source. */
function sourcesIn(part: unknown): string[] {
  if (typeof part === 'string') return [part]
  if (part instanceof RegExp) return [part.source]
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).flatMap(([name, value]) =>
    asWritten.has(name) ? [] : sourcesIn(value),
  )
}

const plain = (source: string) => source.replace(/\\p\{\w+\}/g, '')

const all = Object.entries({ ...packOf, german })

describe.each(all)('the pack %s', (_, pack) => {
  test('has lists and patterns that a folded text can have', () => {
    const sources = sourcesIn(pack).map(plain)
    expect(sources.length).toBeGreaterThan(100)
    expect(sources.filter((source) => source !== foldedText(source))).toEqual([])
  })

  test('has signs that are counted', () => {
    const { letters, endings } = pack.smallWords
    expect([letters ?? endings, endings].map(({ global }) => global)).toEqual([true, true])
  })
})

test('every language of the texts has a pack', () => {
  expect(Object.keys(packOf)).toEqual([...languages])
})
