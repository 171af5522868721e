import { identityKeyOf, likePatternOf } from '../core/text.ts'
import { packs } from './packs.ts'
import { areForms, rootsOf } from './word_forms.ts'
import { type LookUp, wordsOf } from './words.ts'

/** What a search text looks for. */
export interface SearchTerms {
  /** The text as it stands, anywhere in the values that name a product. */
  pattern: string
  /** The identity of a product whose name, SKU or barcode it is. */
  key: Buffer
  words: readonly SearchWord[]
}

export interface SearchWord {
  word: string
  /** The beginning that all its forms share. */
  root: string
  lookUps: LookUp[]
  /** What else may be meant where it is misspelt. */
  others?: readonly SearchWord[]
}

const maxWords = 12
const maxLetters = 60

export function searchTermsOf(search: string): SearchTerms {
  const text = search.trim()
  const words = [...new Set(wordsOf(text))].slice(0, maxWords).map((word) => {
    const short = word.slice(0, maxLetters)
    const roots = rootsOf(short)
    const root = rootOf(short, roots)
    return { word: short, root, lookUps: lookUpsFor(short, root, roots) }
  })
  return { pattern: likePatternOf(text), key: identityKeyOf(text), words }
}

/** Endings of words so short that a beginning would find too many others. */
const shortEndings = packs.flatMap(({ forms }) => forms.searchEndings.split(' '))
const unended = packs.flatMap(({ forms }) => forms.unended ?? [])
const beginnings = packs.flatMap(({ forms }) => forms.beginningOf ?? [])

/** The shortest root that is still most of a word. */
function rootOf(word: string, roots: readonly string[]): string {
  if (/\d/.test(word) || word.length < 4) return word
  const least = Math.max(4, Math.ceil(word.length / 2))
  let shortest = word
  for (const root of [...roots, ...beginnings.map((beginningOf) => beginningOf(word))])
    if (root.length >= least && root.length < shortest.length && word.startsWith(root))
      shortest = root
  return shortest
}

/** Lookups that together find the forms of a word, and what begins with it. */
function lookUpsFor(word: string, root: string, roots: readonly string[]): LookUp[] {
  if (word.length < 3 || /^\d{1,2}$/.test(word)) return [{ word, prefix: false }]
  const lookUps: LookUp[] = [{ word: root, prefix: word.length > 3 }]
  const short = word.length <= 6 ? roots.find(({ length }) => length === 3) : undefined
  if (short !== undefined && !unended.some((pattern) => pattern.test(word)))
    for (const ending of ['', ...shortEndings])
      lookUps.push({ word: short + ending, prefix: false })
  return lookUps
}

/** Lookups of the words that begin like one of three letters, with the endings that it may have. */
export function lookUpsOfShort(word: string): LookUp[] {
  return ['', ...shortEndings].map((ending) => ({ word: word + ending, prefix: false }))
}

/** Whether a search word means a word of a tag's name. */
export function isFormOrBeginning({ word, root }: SearchWord, other: string): boolean {
  return areForms(word, other) || (root.length >= 4 && other.startsWith(root))
}

const shortestPart = 3

/** The pairs of words that a word may be written as: "coolbox", "cool box". */
export function partsOfCompound(word: string): [head: string, tail: string][] {
  const length = word.length > longestCorrected || /\d/.test(word) ? 0 : word.length
  const heads = Math.max(0, length - 2 * shortestPart + 1)
  return Array.from({ length: heads }, (_, index) => {
    const at = index + shortestPart
    return [word.slice(0, at), word.slice(at)]
  })
}

/** The words that two and two neighbours may be written as: "cool box", "coolbox". */
export function compoundsOf(words: readonly SearchWord[]): { at: number; word: SearchWord }[] {
  return words.slice(1).flatMap((second, at) => {
    const first = words[at]!
    if (first.word.length < shortestPart || second.word.length < shortestPart) return []
    const [word] = searchTermsOf(first.word + second.word).words
    return word ? { at, word } : []
  })
}

/** Each word has hundreds of misspellings to look up: a longer text is not corrected. */
const maxCorrected = 5

export const isCorrectable = ({ words }: SearchTerms) => words.length <= maxCorrected

const letters = 'abcdefghijklmnopqrstuvwxyz'
const digits = '0123456789'
const longestCorrected = 20

/** The words that differ from one by a letter: another, one too many or few, or two swapped. */
export function neighboursOf(word: string): string[] {
  if (word.length < 4 || word.length > longestCorrected || /^\d+$/.test(word)) return []
  const signs = /\d/.test(word) ? letters + digits : letters
  const found = new Set<string>()
  for (let at = 0; at <= word.length; at++) {
    const [head, tail] = [word.slice(0, at), word.slice(at)]
    if (tail) found.add(head + tail.slice(1))
    if (tail.length > 1) found.add(head + tail[1] + tail[0] + tail.slice(2))
    for (const letter of signs) {
      found.add(head + letter + tail)
      if (tail) found.add(head + letter + tail.slice(1))
    }
  }
  found.delete(word)
  return [...found]
}
