import { meaningsOf } from '../../../language/lexicon.ts'
import { areRelated, isKindOf, isLight, type Meaning } from '../../../language/meanings.ts'
import { differByMarks, markedWordsOf } from '../../../language/marks.ts'
import type { Need } from '../../../language/need_words.ts'
import { kindOfNeed } from '../../../language/need_patterns.ts'
import { type Suited, suitedIn } from '../../../language/needs.ts'
import { languageOf } from '../../../language/small_words.ts'
import { areForms } from '../../../language/word_forms.ts'
import { indexOf, type WordIndex } from '../../../language/word_index.ts'
import { closeness, vectorOfWord } from '../../../language/word_vectors.ts'
import { wordsOf } from '../../../language/words.ts'
import type { Language } from '../../../texts/languages.ts'
import type { Term } from '../understanding/questions.ts'
import { near, strengths, strong } from './weights.ts'

/** The words of a text and what they mean. */
export interface TextWords {
  /** As it is written, where it may say what a product is for. */
  text?: string
  words: readonly string[]
  meanings: ReadonlySet<Meaning>
  /** The words with their marks, if the text has any. */
  written?: readonly string[] | undefined
  language?: Language | undefined
}

export function wordsIn(text: string): TextWords {
  const words = wordsOf(text)
  const language = languageOf(text)
  const written = markedWordsOf(text, language)
  return { text, words, written, meanings: meaningsOf(words, written, language) }
}

const indexes = new WeakMap<readonly string[], WordIndex>()

/** The index of a text's words, made once: every term of a message is looked up in it. */
function indexIn({ words }: TextWords): WordIndex {
  const known = indexes.get(words)
  if (known) return known
  const index = indexOf(words)
  indexes.set(words, index)
  return index
}

/** Whether a text has a word or a form of it. */
export function hasForm(text: TextWords, word: string): boolean {
  return indexIn(text).hasForm(word)
}

/** A word so short looks like a form of many words of another language: men, menşei. */
const longestAmbiguous = 4

/** Whether a text has a term's word or a form of it. */
function hasFormOf(term: Term, text: TextWords): boolean {
  const { word, language } = term
  const isForeign =
    text.language !== undefined && language !== undefined && text.language !== language
  if (isForeign && word.length <= longestAmbiguous) return text.words.includes(word)
  return hasForm(text, word) && !isMarkedOtherwise(term, text)
}

/** Whether marks tell that the words of a text that look like forms of a term are none. */
function isMarkedOtherwise({ word, written }: Term, text: TextWords): boolean {
  if (written === undefined || text.written === undefined) return false
  const forms = text.words.flatMap((other, index) =>
    areForms(word, other) ? [text.written![index]] : [],
  )
  return forms.length > 0 && forms.every((form) => differByMarks(written, form))
}

const suited = new WeakMap<readonly string[], Suited>()

function suitedBy({ text = '', words }: TextWords): Suited {
  const known = suited.get(words)
  if (known) return known
  const found = suitedIn([text])
  suited.set(words, found)
  return found
}

/** A text has "dry skin" where it says so: dry is also a place, and the shade of a lipstick. */
function strengthOfNeed(need: Need, text: TextWords): number {
  const { to, notTo, toAll } = suitedBy(text)
  if (to.has(need) || notTo.has(need)) return strengths.word
  return toAll.has(kindOfNeed(need)) ? strengths.kind : 0
}

/** The strength of a term in a text: its word, its meaning, a related one, or a misspelling. */
export function strengthOf(term: Term, text: TextWords): number {
  const { meanings } = text
  if (term.need !== undefined) return strengthOfNeed(term.need, text)
  if (hasFormOf(term, text)) return strengths.word
  if (term.synonyms?.some((phrase) => phrase.every((word) => hasForm(text, word))))
    return strengths.synonym
  const shared = term.meanings.filter((meaning) => meanings.has(meaning))
  // A word with several meanings, of which a light one is shared, has little in common.
  if (shared.some((meaning) => term.isLight || !isLight(meaning)))
    return strengths.meaning + (strengths.allMeanings * shared.length) / term.meanings.length
  const answers = (asked: Meaning) => [...meanings].some((other) => isKindOf(other, asked))
  if (term.meanings.some(answers)) return strengths.kind
  if (term.meanings.length === 0 && indexIn(text).hasMisspelling(term.word))
    return strengths.misspelling
  if (term.meanings.some((meaning) => [...meanings].some((other) => areRelated(meaning, other))))
    return strengths.related
  return 0
}

/** The strength of a term in a text, also by one of its content words that only lies near it. */
export function strengthOrNear(term: Term, text: TextWords, content: readonly string[]): number {
  const strength = strengthOf(term, text)
  if (strength >= strong || term.isLight || term.need || !isComparable(term.word)) return strength
  const vector = vectorOfWord(term.word)
  const isNear = content.some(
    (word) =>
      // Words that begin alike are compared as forms: their vectors are alike in any case.
      word.slice(0, 3) !== term.word.slice(0, 3) &&
      closeness(vector, vectorOfWord(word)) >= near.word,
  )
  return isNear ? strengths.near : strength
}

const isComparable = (word: string) => word.length >= 3 && /^\p{L}+$/u.test(word)
