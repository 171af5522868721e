import { stemmer } from 'stemmer'
import type { WordForms } from '../../pack.ts'

/** Words that look as if they said what can be done, and do not. */
const otherWords = /^(?:port|cap|dur|not|const|syll|veget|vari|consum|turnt)able$/

/** What a word says can be done: dim, dimmable. */
function verbOf(word: string): string | undefined {
  const [, verb] = otherWords.test(word) ? [] : (/^(\w{3,})able$/.exec(word) ?? [])
  // A consonant may be doubled before the ending.
  return verb?.replace(/([bdgmnprt])\1$/, '$1')
}

export const forms: WordForms = {
  stemOf: stemmer,
  verbOf,
  // Its y becomes an i in other forms: berry, berries.
  beginningOf: (word) => stemmer(word).replace(/i$/, ''),
  marked: {},
  endings: 's es d ed ing',
  searchEndings: 's es',
}
