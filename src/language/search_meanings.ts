import { beginningsOf, meaningsNear, meaningsOfWord, phrasesIn, wordsAt } from './lexicon.ts'
import { isLight, type Meaning } from './meanings.ts'
import { lookUpsOfShort } from './search_terms.ts'
import { isFiller } from './small_words.ts'
import { type LookUp, lookUpOfBeginning } from './words.ts'

/** What a word of a search may be said by instead; undefined if nothing need be there for it: "for". */
export type Meant = readonly LookUp[] | undefined

/** Far more than a meaning has words. */
const maxLookUps = 40

/**
 * For each of the folded words of a search, the words of its meanings in every language: of the phrase that
 * it is part of, else its own, else those of the words that lie nearest to it in the table. A phrase may be
 * said by another: then each of its words stands for the one at the same place.
 */
export function meantByWords(words: readonly string[]): Meant[] {
  const phrases = phrasesIn(words)
  return words.map((word, index) => {
    const around = phrases.filter(({ start, length }) => start <= index && index < start + length)
    if (around.length === 0 && isFiller(word, undefined)) return undefined
    // A meaning that has no single word in any language finds nothing: "coffee machine".
    const together = around
      .map(({ meaning }) => meaning)
      .filter((meaning) => beginningsOf(meaning).length > 0)
    const own = together.length > 0 ? together : meaningsOfWord(word)
    const meanings = own.length > 0 ? own : meaningsNear(word)
    const others = around.flatMap(({ start, length, meaning }) =>
      wordsAt(meaning, { place: index - start, length }),
    )
    const beginnings = meanings
      .filter((meaning: Meaning) => !isLight(meaning))
      .flatMap(beginningsOf)
      .concat(others)
    return [...new Set(beginnings)]
      .filter((beginning) => /^[\p{L}\p{N}]+$/u.test(beginning))
      .slice(0, maxLookUps)
      .flatMap((beginning) =>
        beginning.length === 3 ? lookUpsOfShort(beginning) : [lookUpOfBeginning(beginning)],
      )
  })
}
