import { stemmer } from 'stemmer'
import type { WordForms } from '../../pack.ts'

export const forms: WordForms = {
  stemOf: stemmer,
  // Its y becomes an i in other forms: berry, berries.
  beginningOf: (word) => stemmer(word).replace(/i$/, ''),
  endings: 's es d ed ing',
  searchEndings: 's es',
}
