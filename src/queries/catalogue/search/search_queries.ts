import type { Kysely } from 'kysely'
import { type Meant, meantByWords } from '../../../language/search_meanings.ts'
import {
  compoundsOf,
  neighboursOf,
  partsOfCompound,
  searchTermsOf,
  type SearchTerms,
  type SearchWord,
} from '../../../language/search_terms.ts'
import type { LookUp } from '../../../language/words.ts'
import type { Database } from '../../../db/schema.ts'
import type { ProductCounts } from '../counters.ts'
import { meaningsInShop } from './tag_words.ts'

/** Where a search looks. */
interface Place {
  db: Kysely<Database>
  values: { workspaceId: string }
}

/** A query for documents, and the patterns of names that have its words. */
export interface WideQuery {
  query: string
  roots: string[]
}

const minLetters = 3

type Spellings = (word: SearchWord) => string[]

/** Signs between single letters are no words: such a text is found as it stands. */
const hasWords = ({ words }: SearchTerms) => words.some(({ word }) => word.length >= minLetters)

/** The query for documents with all the words, in some form or as a tag; empty if there are none. */
export async function spelledQuery(
  place: Place,
  terms: SearchTerms,
  counts: ProductCounts,
): Promise<string> {
  return hasWords(terms) ? allOf(await choicesOf(place, terms, counts, () => [])) : ''
}

/**
 * The same, where each word may also be said by another of its meaning or be written as two, two as one, and
 * small words need not be there.
 */
export async function meantQuery(
  place: Place,
  terms: SearchTerms,
  counts: ProductCounts,
): Promise<WideQuery> {
  if (!hasWords(terms)) return { query: '', roots: [] }
  const meant = meantByWords(terms.words.map(({ word }) => word))
  const choices = await choicesOf(place, terms, counts, () => [])
  const kept = choices.filter((_, index) => meant[index] !== undefined)
  if (kept.length === 0) return { query: '', roots: [] }
  const wider = choices.flatMap((choice, index) => {
    const others = meant[index]
    const apart = () => partsOfCompound(terms.words[index]!.word).map(compoundQuery)
    return others === undefined ? [] : [[...choice, ...others.map(lexemeOf), ...apart()]]
  })
  const joined = isCorrectable(terms) ? compoundsOf(terms.words) : []
  const inOneWord = joined.map(({ at, word }) =>
    allOf([...choices.toSpliced(at, 2), word.lookUps.map(lexemeOf)]),
  )
  return {
    query: [allOf(wider), ...inOneWord].join(' | '),
    roots: terms.words.flatMap((word, index) => rootsOf(word, meant[index])),
  }
}

/** A name has a word if it has its root or the beginning of another that is meant. */
function rootsOf({ word: own, root }: SearchWord, meant: Meant): string[] {
  if (meant === undefined) return []
  const starts = meant.map(({ word, prefix }) => (prefix ? `\\m${word}` : `\\m${word}\\M`))
  const apart = partsOfCompound(own).map(([head, tail]) => `\\m${head}\\W${tail}`)
  return [[root, ...starts, ...apart].join('|')]
}

/** Each word has hundreds of misspellings to look up: a longer text is not corrected. */
const maxCorrected = 5

export const isCorrectable = ({ words }: SearchTerms) => words.length <= maxCorrected

/** The query for documents with all the words, each as it is spelt or with one letter changed. */
export async function correctedQuery(
  place: Place,
  terms: SearchTerms,
  counts: ProductCounts,
): Promise<WideQuery> {
  if (!hasWords(terms)) return { query: '', roots: [] }
  const choices = await choicesOf(place, terms, counts, ({ word }) => neighboursOf(word))
  return { query: allOf(choices), roots: terms.words.map(({ root }) => root) }
}

const allOf = (choices: readonly string[][]) =>
  choices.map((choice) => `(${choice.join(' | ')})`).join(' & ')

/** What may stand for each word: its forms, spellings, the shop's tags and synonyms. */
async function choicesOf(
  { db, values }: Place,
  { words }: SearchTerms,
  { changes }: ProductCounts,
  spellings: Spellings,
): Promise<string[][]> {
  const meanings = await meaningsInShop(db, values.workspaceId, changes, words, spellings)
  return words.map((word, index) => {
    const { tags, synonyms } = meanings[index]!
    const others = [...spellings(word), ...tags].map((text) => `'${text}'`)
    return [...word.lookUps.map(lexemeOf), ...others, ...synonyms.map(phraseQuery)]
  })
}

const lexemeOf = ({ word, prefix }: LookUp) => `'${word}'${prefix ? ':*' : ''}`

/** The query for the two words of a compound, the second in some form. */
function compoundQuery([head, tail]: readonly [string, string]): string {
  const [{ lookUps }] = searchTermsOf(tail).words as [SearchWord]
  return `('${head}' & ${allOf([lookUps.map(lexemeOf)])})`
}

/** The query for all words of a phrase, each in some form. */
function phraseQuery(words: readonly string[]): string {
  const { words: parts } = searchTermsOf(words.join(' '))
  return `(${allOf(parts.map(({ lookUps }) => lookUps.map(lexemeOf)))})`
}
