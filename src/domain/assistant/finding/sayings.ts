import { type FoundPhrase, phrasesIn } from '../../../language/lexicon.ts'
import { packOf, packs } from '../../../language/packs.ts'
import { anyPattern } from '../../../language/patterns.ts'
import { isFiller } from '../../../language/small_words.ts'
import { foldedText, wordsOf } from '../../../language/words.ts'
import type { PublishedProduct } from '../../../queries/catalogue/search/catalogue_search.ts'
import type { Language } from '../../../texts/languages.ts'
import type { Question, Term } from '../understanding/questions.ts'
import { hasForm, type TextWords, wordsIn } from './strength.ts'

/* What a question is about. */

/** What two questions are compared by. */
export interface Saying {
  question: Question
  words: TextWords
  /** What is asked about, without the words that only name the product. */
  topics: readonly Term[]
  /** Those of them that only say when: "slippery when wet". */
  circumstances: readonly Term[]
  /** The words of each phrase that has several which carry a topic: "machine wash". */
  phrases: readonly (readonly string[])[]
  numbers: string
  /** It asks for a time of the year or the day. */
  asksTime: boolean
}

/** What a product does not have is no part of its name: a cable of wireless headphones. */
const lacking = new RegExp(
  `(?<!\\p{L})\\p{L}+(?:${packs.flatMap(({ demands }) => demands.privative.ending ?? []).join('|')})(?!\\p{L})`,
  'giu',
)

const asksTime = anyPattern(({ questions }) => questions.time)
const when = anyPattern(({ questions }) => questions.when)

export function sayingOf(question: Question, text: string, product?: PublishedProduct): Saying {
  const ofProduct = wordsIn(product ? `${product.name} ${product.brand}`.replace(lacking, '') : '')
  const words = wordsIn(text)
  const said = foldedText(text)
  const numbers = numbersIn(said, question.language)
  // "The best time" asks when, and is no topic itself.
  const byTime = wordsOf(asksTime.exec(said)?.[0] ?? '')
  const terms = question.terms.filter(({ word }) => !byTime.includes(word))
  // What a number belongs to is asked about though the product is named by it: "Does it fit 10 speed?"
  const isTopic = ({ word }: Term) => numbers !== '' || !hasForm(ofProduct, word)
  const topics = terms.filter(isTopic)
  const ofTime = wordsOf(when.exec(said)?.[0] ?? '')
  const aside = topics.filter(({ word }) => ofTime.includes(word))
  const isAbout = (term: Term) => !aside.includes(term) && !term.isLight && !leads(term)
  // Words that are written apart mean something together in a question.
  const meanings = new Set([...words.meanings, ...question.terms.flatMap((term) => term.meanings)])
  return {
    question,
    words: { ...words, meanings },
    topics,
    // Where nothing else is asked about, they are: "worn while swimming".
    circumstances: topics.some(isAbout) ? aside : [],
    phrases: phrasesAmong(question),
    numbers,
    asksTime: asksTime.test(said),
  }
}

function phrasesAmong({ words, language }: Question): string[][] {
  const content = ({ start, length }: FoundPhrase) =>
    words.slice(start, start + length).filter((word) => !isFiller(word, language))
  return phrasesIn(words)
    .map(content)
    .filter(({ length }) => length > 1)
}

const numerals = new Map(packs.flatMap(({ numbers: { values } }) => Object.entries(values)))

const twice = anyPattern(({ numbers }) => numbers.twice)

/** Words for numbers that more often mean something else: "altı", six, is also what lies underneath. */
const ambiguous = new Set(['alti'])

/** The numbers of a folded text, also those in words; one is often but an article. */
function numbersIn(said: string, language: Language): string {
  const { ownValues = {} } = packOf[language].numbers
  const found = (said.replace(twice, ' 2 ').match(/\d+|\p{L}+/gu) ?? []).map((word) =>
    ambiguous.has(word) ? NaN : (numerals.get(word) ?? ownValues[word] ?? Number(word)),
  )
  return found.filter((number) => number !== 1 && !Number.isNaN(number)).join(' ')
}

/** Meanings that a question may have or leave out: "contains zinc", "zinc in it", "good for dandruff". */
const optional = new Set([
  'contain',
  'bin',
  'origin',
  'help_with',
  'result',
  'fit',
  'safe',
  'legal',
  'level_setting',
  'serving_people',
])

/** What a question is about. */
export const isWeighty = (term: Term) =>
  !term.isLight && !term.meanings.some((meaning) => optional.has(meaning))

/** Verbs that only lead to a thing, where one is named: "put it in the oven", "connect headphones". */
const leading = new Set([
  'use',
  'suitable',
  'work_with',
  'compatible',
  'carry',
  'go_in',
  'eat',
  'mount_on',
  'attach',
  'connect_to',
  'connect',
  'run_motor',
  'run_for',
  'rub',
  'feed',
  'fit_in',
  'hold_hand',
  'next_day',
  'stock',
  'buy',
  'resist',
  'audio_jack',
  'accessory',
])

/** Those that go with everything. */
const vague = new Set([
  'use',
  'suitable',
  'work_with',
  'compatible',
  'run_motor',
  'run_for',
  'resist',
])

/** Verbs by which a product goes into a thing. */
export const enters = ({ meanings }: Term) => meanings.some((m) => m === 'fit_in' || m === 'go_in')

export const isVague = ({ meanings }: Term) => meanings.some((meaning) => vague.has(meaning))

export const leads = ({ meanings }: Term) => meanings.some((meaning) => leading.has(meaning))
