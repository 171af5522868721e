import type { Kysely } from 'kysely'
import { packs } from '../../../language/packs.ts'
import { type Meant, meantByWords } from '../../../language/search_meanings.ts'
import {
  compoundsOf,
  isCorrectable,
  partsOfCompound,
  searchTermsOf,
  type SearchTerms,
  type SearchWord,
} from '../../../language/search_terms.ts'
import type { LookUp } from '../../../language/words.ts'
import type { Database } from '../../../db/schema.ts'
import type { ProductCounts } from '../counters.ts'
import { meaningsInShop, type ShopMeaning } from './tag_words.ts'

/** The workspace and the database that a search runs on. */
interface SearchPlace {
  db: Kysely<Database>
  values: { workspaceId: string }
}

/** The words of a search, each with the pattern of the names that have it. */
export type NamePatterns = ReadonlyMap<SearchWord, string>

/** A query for documents, and the patterns of names that have its words. */
export interface WideQuery {
  query: string
  names: NamePatterns
}

const minLetters = 3

/** A text of single letters and signs has no words: it is only searched for as it is. */
const hasWords = ({ words }: SearchTerms) => words.some(({ word }) => word.length >= minLetters)

/** The query for documents with all the words, in some form or as a tag; empty if there are none. */
export async function spelledQuery(
  place: SearchPlace,
  terms: SearchTerms,
  counts: ProductCounts,
): Promise<string> {
  return hasWords(terms) ? allOf(await choicesOf(place, terms, counts)) : ''
}

/**
 * The same, but each word may be replaced by another of the same meaning, one word may be written as two or
 * two as one, and small words may be missing.
 */
export async function meantQuery(
  place: SearchPlace,
  terms: SearchTerms,
  counts: ProductCounts,
): Promise<WideQuery> {
  if (!hasWords(terms)) return { query: '', names: new Map() }
  const meant = meantByWords(terms.words.map(({ word }) => word))
  const choices = await choicesOf(place, terms, counts)
  const kept = choices.filter((_, index) => meant[index] !== undefined)
  if (kept.length === 0) return { query: '', names: new Map() }
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
    names: new Map(
      terms.words.flatMap((word, index) => {
        const others = meant[index]
        return others === undefined ? [] : [[word, patternOfName(word, others)]]
      }),
    ),
  }
}

/**
 * A name has a word if it contains the root of the word or of another spelling, or begins with a word of
 * the same meaning.
 */
export function patternOfName(
  { word: own, root, others = [] }: SearchWord,
  meant?: NonNullable<Meant>,
): string {
  const starts = meant?.map(({ word, prefix }) => begins(marked(word) + (prefix ? '' : '\\M')))
  const apart = meant && partsOfCompound(own).map((parts) => begins(parts.map(marked).join('\\W')))
  const roots = [root, ...others.map((other) => other.root)].map(marked)
  return [...roots, ...(starts ?? []), ...(apart ?? [])].join('|')
}

const begins = (pattern: string) => `\\m${pattern}`

/** Letters that names may have with a mark. To remove the marks of every name takes four times as long. */
const marks = new Map<string, string>()
for (const { forms } of packs)
  for (const [letter, marked] of Object.entries(forms.marked))
    marks.set(letter, (marks.get(letter) ?? '') + marked)

const marked = (word: string) =>
  word.replace(/[a-z]/g, (letter) =>
    marks.has(letter) ? `[${letter}${marks.get(letter)}]` : letter,
  )

const allOf = (choices: readonly string[][]) =>
  choices.map((choice) => `(${choice.join(' | ')})`).join(' & ')

/** The alternatives for each word: its forms, other spellings, the shop's tags and synonyms. */
async function choicesOf(
  place: SearchPlace,
  terms: SearchTerms,
  counts: ProductCounts,
): Promise<string[][]> {
  const readings = await readingsOf(place, terms, counts)
  return readings.map((ofWord) =>
    ofWord.flatMap(({ lookUps, tags, synonyms }) => {
      const named = tags.map((tag) => `'${tag}'`)
      return [...lookUps.map(lexemeOf), ...named, ...synonyms.map(phraseQuery)]
    }),
  )
}

/** What each word may be read as, with what that stands for in the shop. */
async function readingsOf(
  { db, values }: SearchPlace,
  { words }: SearchTerms,
  { changes }: ProductCounts,
): Promise<(SearchWord & ShopMeaning)[][]> {
  const readings = words.map((word) => [word, ...(word.others ?? [])])
  const meanings = await meaningsInShop(db, values.workspaceId, changes, readings.flat())
  return readings.map((ofWord) => ofWord.map((word) => ({ ...word, ...meanings.shift()! })))
}

export interface SharedTags {
  tags: readonly string[]
  words: ReadonlySet<SearchWord>
}

const noTags: SharedTags = { tags: [], words: new Set() }

/**
 * The tags with the most words of a search, and these words; none if they have only one. Words next to each
 * other in a description do not count: it also says "not for dry skin", and on the development sets such
 * products came first. Comparing the descriptions of 100 products took up to a third more time; tags take 3
 * to 8 %.
 */
export async function sharedTagsOf(
  place: SearchPlace,
  terms: SearchTerms,
  counts: ProductCounts,
): Promise<SharedTags> {
  if (terms.words.length < 2) return noTags
  const readings = await readingsOf(place, terms, counts)
  const wordsOf = new Map<string, SearchWord[]>()
  for (const [index, word] of terms.words.entries())
    for (const tag of new Set(readings[index]!.flatMap(({ tags }) => tags)))
      wordsOf.set(tag, [...(wordsOf.get(tag) ?? []), word])
  const [most = []] = [...wordsOf.values()].sort((a, b) => b.length - a.length)
  if (most.length < 2) return noTags
  const isSame = (words: SearchWord[]) =>
    words.length === most.length && words.every((word, at) => word === most[at])
  const tags = [...wordsOf].flatMap(([tag, words]) => (isSame(words) ? [tag] : []))
  return { tags, words: new Set(most) }
}

export const lexemeOf = ({ word, prefix }: LookUp) => `'${word}'${prefix ? ':*' : ''}`

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
