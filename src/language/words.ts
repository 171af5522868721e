import { packs } from './packs.ts'

/** A text without case and diacritics, for comparing words. */
export function foldedText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replaceAll('ı', 'i')
}

/** The words of a text, folded. */
export function wordsOf(text: string): string[] {
  return foldedText(text).match(/[\p{L}\p{N}]+/gu) ?? []
}

/** Folded endings that inflect a short word. */
const endings = new Set(packs.flatMap(({ forms }) => forms.endings.trim().split(/\s+/)))

const minStem = 3
const minFreeStem = 5
const sharedPrefix = 6

/**
 * Whether two folded words are forms of the same word: they share their first six letters, or one
 * extends the other. A short word may only be extended by a listed ending. A final consonant that a
 * language softens before an ending counts as the same letter (cilt, cilde).
 */
export function sameWord(a: string, b: string): boolean {
  if (a === b) return true
  // Fast path: most pairs differ here, and texts are compared word by word.
  if (a[0] !== b[0]) return false
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  if (short.length < minStem || /^\p{N}/u.test(short)) return false
  if (short.length >= sharedPrefix && long.startsWith(short.slice(0, sharedPrefix))) return true
  if (!startsAlike(short, long)) return false
  return short.length >= minFreeStem || endings.has(long.slice(short.length))
}

/** Final consonants, each with what it may become before an ending. */
const soft: Readonly<Record<string, string>> = Object.fromEntries(
  packs.flatMap(({ forms }) => Object.entries(forms.softened ?? {})),
)

function startsAlike(short: string, long: string): boolean {
  return long.startsWith(short) || (short.length < long.length && long.startsWith(softened(short)))
}

function softened(word: string): string {
  const last = word.at(-1) ?? ''
  return word.slice(0, -1) + (soft[last] ?? last)
}

/** A word to look up in an index: exactly, or as a prefix. */
export interface LookUp {
  word: string
  prefix: boolean
}

/** Lookups that together find every form of a word, and some other words. */
export function lookUpsOf(word: string): LookUp[] {
  if (word.length < minStem || /^\p{N}/u.test(word)) return [{ word, prefix: false }]
  const beginning = word.slice(0, sharedPrefix)
  const lookUps = new Map([[beginning, true]])
  if (word.length < sharedPrefix && softened(word) !== word) lookUps.set(softened(word), true)
  for (let length = minStem; length < word.length; length++)
    for (const stem of [word.slice(0, length), hardened(word.slice(0, length))])
      if (sameWord(stem, word) && !lookUps.has(stem)) lookUps.set(stem, false)
  return [...lookUps].map(([text, prefix]) => ({ word: text, prefix }))
}

function hardened(word: string): string {
  const last = word.at(-1) ?? ''
  const hard = Object.keys(soft).find((letter) => soft[letter] === last)
  return word.slice(0, -1) + (hard ?? last)
}

/** A lookup of words that begin like this one, which may lose its last consonant to another. */
export function lookUpOfBeginning(beginning: string): LookUp {
  const isSoft = beginning.length >= 5 && soft[beginning.at(-1)!] !== undefined
  return {
    word: isSoft ? beginning.slice(0, -1) : beginning,
    prefix: beginning.length >= 4,
  }
}
